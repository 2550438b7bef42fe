// The sign-in, what comes with a link, and the window for another device.

export const device = {
  about: (until: string) => `Whoever opens it is signed in as you, so give it to nobody. It works once, until ${until}, and not after you sign out here.`,
  address: "Address for your other device",
  make: "Make the address",
  what: "An address signs you in on your phone or on another computer, without a password.",
} as const;

export const provider = {
  noToken: (name: string) => `${name} gave no token. Sign in again.`,
  unreachable: (name: string) => `${name} can't be reached now. Try again later.`,
  noSignIn: "This answer belongs to no sign-in of this tab. Sign in again.",
  notSignedIn: "The identity provider could not sign you in. Try again, or ask who runs this server.",
  refused: "The sign-in was refused or cancelled at the identity provider.",
  signedOut: (name: string) => `You have signed out here and come back from ${name}.`,
} as const;

export const signIn = {
  about: "Change a parametric design with sliders, and see its geometry and numbers follow.",
  apiKey: "API key",
  by: (name: string) => `Sign in with ${name}`,
  byClient: "Sign in with a client or an API key",
  client: "Client",
  clientId: "Client id",
  clientSecret: "Client secret",
  notStored: "Nothing is stored: a reload of the page signs you out.",
  openDemo: "Open the demo",
  opening: "Opening…",
  with: "Sign in with",
} as const;

export const welcome = {
  invite: {
    title: "You are invited",
    about: "Take the invitation to work on a project here. It works once, and signs you in on this device.",
    signedIn: "Take the invitation to work on one more project. It works once, for the user as whom you are signed in.",
    button: "Take the invitation",
  },
  sign_in: {
    title: "Sign in on this device",
    about: "This link signs you in on this device. It works once.",
    signedIn: "This link signs you in on this device, in place of the user as whom you are signed in. It works once.",
    button: "Sign in",
  },
  notNow: "Not now",
} as const;
