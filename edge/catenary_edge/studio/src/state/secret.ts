// Secrets that a link to the page may carry in its fragment: `#share=`, and those of people without an identity provider.

export interface Secret {
  kind: "share";
  token: string;
}

const KINDS = ["share"] as const;

/** Return the secret of a fragment; null without one. Whoever reads it takes it out of the address at once. */
export function secretOf(fragment: string): Secret | null {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  for (const kind of KINDS) {
    const token = given.get(kind);
    if (token) return { kind, token };
  }
  return null;
}
