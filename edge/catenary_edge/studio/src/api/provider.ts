// The exchange of codes for tokens at an identity provider; nothing of ours goes there.
import type { Provider } from "../state/provider.ts";
import type { SessionCalls } from "../state/session.ts";
import { client } from "../texts/common.ts";
import { provider as texts } from "../texts/sign_in.ts";
import { ApiError, type Send } from "./client.ts";

/** A token of a provider, which may give another one later without people. */
interface ProviderToken {
  access_token: string;
  expires_in: number;
  refresh_token: string | null;
}

const UNAUTHORIZED = 401;
/** Seconds of a token whose life the provider doesn't tell. */
const SECONDS = 300;

interface Answered {
  access_token?: unknown;
  expires_in?: unknown;
  refresh_token?: unknown;
}

async function asked(send: Send, provider: Provider, given: Record<string, string>): Promise<ProviderToken> {
  const unreachable = new ApiError(0, "UNREACHABLE", texts.unreachable(provider.name));
  if (provider.token_endpoint === null) throw unreachable;
  const body = new URLSearchParams({ client_id: provider.studio_client_id, ...given });
  let response: Response;
  try {
    response = await send(provider.token_endpoint, { method: "POST", body, headers: { Accept: "application/json" } });
  } catch {
    throw unreachable;
  }
  const answer = (await response.json().catch(() => ({}))) as Answered;
  if (!response.ok || typeof answer.access_token !== "string") {
    throw new ApiError(UNAUTHORIZED, "UNAUTHORIZED", texts.noToken(provider.name));
  }
  return {
    access_token: answer.access_token,
    expires_in: typeof answer.expires_in === "number" ? answer.expires_in : SECONDS,
    refresh_token: typeof answer.refresh_token === "string" ? answer.refresh_token : null,
  };
}

/** Exchange a code for a token (RFC 6749, section 4.1.3). */
function exchanged(send: Send, provider: Provider, code: string, verifier: string, page: string): Promise<ProviderToken> {
  return asked(send, provider, { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: page });
}

/** Get another token by a refresh token, which may be replaced by a new one (RFC 6749, section 6). */
async function refreshed(send: Send, provider: Provider, refreshToken: string): Promise<ProviderToken> {
  const found = await asked(send, provider, { grant_type: "refresh_token", refresh_token: refreshToken });
  return { ...found, refresh_token: found.refresh_token ?? refreshToken };
}

/** What begins a session by a provider. */
export interface Arrival {
  provider: Provider;
  code: string;
  verifier: string;
}

/** Return the calls of a session by a provider. The refresh token, where there is one, stays in the memory of the page. */
export function providerCalls(send: Send, page: string): SessionCalls<Arrival> {
  let kept: { provider: Provider; token: string } | null = null;
  const take = (provider: Provider, found: ProviderToken) => {
    kept = found.refresh_token === null ? null : { provider, token: found.refresh_token };
    return found;
  };
  return {
    begin: async ({ provider, code, verifier }) => take(provider, await exchanged(send, provider, code, verifier, page)),
    refresh: async () => {
      if (kept === null) throw new ApiError(UNAUTHORIZED, "UNAUTHORIZED", client.signInAgain);
      return take(kept.provider, await refreshed(send, kept.provider, kept.token));
    },
    end: async () => {
      kept = null;
    },
  };
}
