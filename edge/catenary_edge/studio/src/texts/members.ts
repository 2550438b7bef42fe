// The window of members.

export const members = {
  address: "Address of the invitation",
  addressAbout: "It is not shown again. Pass it on to the person: it works once, for whoever opens it first.",
  byShare: (role: string, until: string) => `${role} by a share${until && ` until ${until}`}`,
  email: "E-mail address",
  invite: "Invite",
  invited: "Invited",
  inviteSomebody: "Invite somebody",
  loading: "Loading the members…",
  nothingSent: "Nothing is sent: you get an address to pass on.",
  of: (project: string) => `Members of ${project}`,
  open: (role: string, until: string) => `${role} · until ${until}`,
  remove: (name: string) => `Remove ${name}`,
  removing: (name: string) => `Remove ${name} from the project, with what is shared with them?`,
  revoke: "Revoke",
  revokeOf: (name: string) => `Revoke the invitation of ${name}`,
  revoking: (name: string) => `Revoke the invitation of ${name}? Its address then works no more.`,
  roleOf: (name: string) => `Role of ${name}`,
  team: "team",
} as const;
