// Sign-in by an identity provider: authorization code with PKCE (RFC 6749, section 4.1; RFC 7636) by a public client; and the
// sign-out there (OpenID Connect RP-Initiated Logout 1.0).
import type { StudioConfig } from "../api/types.ts";
import { provider as texts } from "../texts/sign_in.ts";

export type Provider = StudioConfig["issuers"][number];

/** What the page must know when people come back from the provider; the browser keeps it meanwhile. */
export interface Pending {
  issuer: string;
  state: string;
  verifier: string;
  /** The fragment of the page's address before. */
  fragment: string;
}

/** What the page must know when people come back from a sign-out. */
export interface Leaving {
  state: string;
  /** Name of the provider. */
  name: string;
}

/** Keeps what is pending for one tab, over the visit of another page. */
export interface Pocket<Kept> {
  put(pending: Kept): void;
  /** Return what was put, once. */
  take(): Kept | null;
}

/** What a provider sent people back with. */
export interface Answer {
  state: string;
  code: string | null;
  error: string | null;
  issuer: string | null;
}

const RANDOM_BYTES = 32;

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function random(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}

/** Return the challenge of a verifier by SHA-256 (RFC 7636, section 4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

/** Return where people sign in, and what to keep until they come back. */
export async function departure(provider: Provider, page: string, fragment: string): Promise<{ url: string; pending: Pending }> {
  if (provider.authorization_endpoint === null) throw new Error(texts.unreachable(provider.name));
  const pending: Pending = { issuer: provider.issuer, state: random(), verifier: random(), fragment };
  const url = new URL(provider.authorization_endpoint);
  const asked = {
    response_type: "code",
    client_id: provider.studio_client_id,
    redirect_uri: page,
    scope: provider.scope,
    state: pending.state,
    code_challenge: await challengeOf(pending.verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return { url: url.href, pending };
}

/** Read the answer in the query of the page's address; null without one. */
export function answerOf(query: string): Answer | null {
  const given = new URLSearchParams(query);
  const [state, code, error] = [given.get("state"), given.get("code"), given.get("error")];
  if (state === null || (code === null && error === null)) return null;
  return { state, code, error, issuer: given.get("iss") };
}

/** Return the code of an answer to what is pending; an Error says what is wrong (RFC 6749, section 10.12; RFC 9207). */
export function codeOf(answer: Answer, pending: Pending | null): string {
  if (pending === null || answer.state !== pending.state || (answer.issuer !== null && answer.issuer !== pending.issuer)) {
    throw new Error(texts.noSignIn);
  }
  if (answer.error === "access_denied") throw new Error(texts.refused);
  if (answer.code === null) throw new Error(texts.notSignedIn);
  return answer.code;
}

/**
 * Return where people sign out at a provider, and what to keep until they come back; null where it has no such place. The page
 * keeps no id token, so the client's id says who asks (section 2), and the provider asks people whether they mean it.
 */
export function farewell(provider: Provider, page: string): { url: string; leaving: Leaving } | null {
  if (provider.end_session_endpoint === null) return null;
  const leaving: Leaving = { state: random(), name: provider.name };
  const url = new URL(provider.end_session_endpoint);
  const asked = { client_id: provider.studio_client_id, post_logout_redirect_uri: page, state: leaving.state };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return { url: url.href, leaving };
}

/** Return the state with which a provider sent people back after a sign-out; null for any other address. */
export function returnOf(query: string): string | null {
  return answerOf(query) === null ? new URLSearchParams(query).get("state") : null;
}

/** Return what to say to people who come back with a state: nothing unless this tab led them away with it. */
export function toldOf(state: string, leaving: Leaving | null): string {
  return leaving?.state === state ? texts.signedOut(leaving.name) : "";
}
