// Calls of the API for sessions of people without an identity provider. Their cookie goes along by itself.
import type { SessionCalls } from "../state/session.ts";
import { postForToken, type Send, withoutAnswer } from "./client.ts";

/** `bearer` is the token of who is signed in already, and takes an invitation as that user. */
export function sessionCalls(send: Send, bearer: () => string | null): SessionCalls {
  const path = "/v1/auth/session";
  return {
    begin: (opening) => postForToken(send, path, opening, bearer()),
    refresh: () => postForToken(send, `${path}/refresh`, {}),
    end: () => withoutAnswer(send, path, "DELETE"),
  };
}
