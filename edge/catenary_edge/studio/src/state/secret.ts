// Secrets that a link to the page may carry in its fragment: `#share=` of a shared design, `#invite=` and
// `#sign_in=` of people without an identity provider.

export interface Secret {
  kind: "share" | "invite" | "sign_in";
  token: string;
}

const KINDS = ["share", "invite", "sign_in"] as const;

/** Return the secret of a fragment; null without one. Whoever reads it takes it out of the address at once. */
export function secretOf(fragment: string): Secret | null {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  for (const kind of KINDS) {
    const token = given.get(kind);
    if (token) return { kind, token };
  }
  return null;
}
