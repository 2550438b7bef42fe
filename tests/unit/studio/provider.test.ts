import assert from "node:assert/strict";
import { test } from "node:test";
import { providerCalls } from "../../../edge/catenary_edge/studio/src/api/provider.ts";
import { answerOf, challengeOf, codeOf, departure, farewell, returnOf, toldOf, type Pending, type Provider } from "../../../edge/catenary_edge/studio/src/state/provider.ts";

const PAGE = "https://catenary.example/studio";
const PROVIDER: Provider = {
  issuer: "https://login.example",
  studio_client_id: "studio",
  name: "Example AG",
  scope: "openid api://catenary/.default",
  authorization_endpoint: "https://login.example/authorize?tenant=1",
  token_endpoint: "https://login.example/token",
  end_session_endpoint: "https://login.example/logout?tenant=1",
};
const PENDING: Pending = { issuer: PROVIDER.issuer, state: "s", verifier: "v", fragment: "#project=1" };

test("a challenge is that of the example in RFC 7636", async () => {
  // Appendix B.
  assert.equal(await challengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
});

test("the way to a provider carries the challenge and keeps the verifier here", async () => {
  const { url, pending } = await departure(PROVIDER, PAGE, "#project=1&p.height=40");
  const asked = new URL(url);
  assert.equal(asked.origin + asked.pathname, "https://login.example/authorize");
  assert.deepEqual(
    ["tenant", "response_type", "client_id", "redirect_uri", "scope", "code_challenge_method"].map((name) => asked.searchParams.get(name)),
    ["1", "code", "studio", PAGE, PROVIDER.scope, "S256"],
  );
  assert.equal(asked.searchParams.get("code_challenge"), await challengeOf(pending.verifier));
  assert.equal(asked.searchParams.get("state"), pending.state);
  assert.equal(url.includes(pending.verifier), false);
  assert.equal(pending.verifier.length >= 43, true); // RFC 7636, section 4.1
  assert.equal(pending.fragment, "#project=1&p.height=40");
  assert.notEqual((await departure(PROVIDER, PAGE, "")).pending.state, pending.state);
});

test("a provider that can't be read leads nowhere", async () => {
  await assert.rejects(departure({ ...PROVIDER, authorization_endpoint: null }, PAGE, ""), /Example AG can't be reached/);
});

test("an address without an answer is none, and one with an answer is", () => {
  assert.equal(answerOf(""), null);
  assert.equal(answerOf("?utm=1"), null);
  assert.equal(answerOf("?code=c"), null);
  assert.deepEqual(answerOf("?code=c&state=s&iss=i"), { state: "s", code: "c", error: null, issuer: "i" });
  assert.deepEqual(answerOf("?error=access_denied&state=s"), { state: "s", code: null, error: "access_denied", issuer: null });
});

test("an answer counts for its own sign-in alone", () => {
  const good = { state: "s", code: "c", error: null, issuer: null };
  assert.equal(codeOf(good, PENDING), "c");
  assert.equal(codeOf({ ...good, issuer: PROVIDER.issuer }, PENDING), "c");
  assert.throws(() => codeOf(good, null), /no sign-in of this tab/);
  assert.throws(() => codeOf({ ...good, state: "other" }, PENDING), /no sign-in of this tab/);
  assert.throws(() => codeOf({ ...good, issuer: "https://evil.example" }, PENDING), /no sign-in of this tab/);
  assert.throws(() => codeOf({ ...good, code: null, error: "access_denied" }, PENDING), /refused or cancelled/);
  assert.throws(() => codeOf({ ...good, code: null, error: "server_error" }, PENDING), /could not sign you in/);
});

function answering(...answers: (object | number)[]) {
  const sent: { path: string; body: URLSearchParams }[] = [];
  const send = (path: string, init: RequestInit) => {
    sent.push({ path, body: init.body as URLSearchParams });
    const answer = answers.shift();
    return Promise.resolve(typeof answer === "number" ? new Response("{}", { status: answer }) : Response.json(answer));
  };
  return { sent, send };
}

test("a code becomes a token, and a rotating refresh token the next ones", async () => {
  const first = { access_token: "a", expires_in: 60, refresh_token: "r1" };
  const { sent, send } = answering(first, { access_token: "b", expires_in: 60, refresh_token: "r2" }, { access_token: "c", expires_in: 60 }, 400);
  const calls = providerCalls(send, PAGE);
  assert.equal((await calls.begin({ provider: PROVIDER, code: "c", verifier: "v" })).access_token, "a");
  assert.equal((await calls.refresh()).access_token, "b");
  assert.equal((await calls.refresh()).access_token, "c");
  await assert.rejects(calls.refresh(), { status: 401 });
  assert.deepEqual(Object.fromEntries(sent[0]!.body), {
    client_id: "studio",
    grant_type: "authorization_code",
    code: "c",
    code_verifier: "v",
    redirect_uri: PAGE,
  });
  assert.deepEqual(
    sent.slice(1).map(({ body }) => body.get("refresh_token")),
    ["r1", "r2", "r2"],
  );
  assert.equal(new Set(sent.map(({ path }) => path)).size, 1);
});

test("without a refresh token people sign in again, and a sign-out forgets it", async () => {
  const { sent, send } = answering({ access_token: "a" }, { access_token: "b", refresh_token: "r" });
  const calls = providerCalls(send, PAGE);
  assert.equal((await calls.begin({ provider: PROVIDER, code: "c", verifier: "v" })).expires_in, 300);
  await assert.rejects(calls.refresh(), { status: 401 });
  await calls.begin({ provider: PROVIDER, code: "d", verifier: "v" });
  await calls.end();
  await assert.rejects(calls.refresh(), { status: 401 });
  assert.equal(sent.length, 2);
});

test("a provider that is away is told by its name", async () => {
  const calls = providerCalls(() => Promise.reject(new TypeError("refused")), PAGE);
  await assert.rejects(calls.begin({ provider: PROVIDER, code: "c", verifier: "v" }), { status: 0, message: /Example AG can't be reached/ });
});

test("the way out names the client and the page, and no token", () => {
  const { url, leaving } = farewell(PROVIDER, PAGE)!;
  const asked = new URL(url);
  assert.equal(asked.origin + asked.pathname, "https://login.example/logout");
  assert.deepEqual(Object.fromEntries(asked.searchParams), { tenant: "1", client_id: "studio", post_logout_redirect_uri: PAGE, state: leaving.state });
  assert.notEqual(farewell(PROVIDER, PAGE)!.leaving.state, leaving.state);
});

test("a provider without a place for it is left by the page alone", () => {
  assert.equal(farewell({ ...PROVIDER, end_session_endpoint: null }, PAGE), null);
});

test("a return from a sign-out is told, and a forged one is not", () => {
  const leaving = { state: "s", name: "Example AG" };
  assert.equal(returnOf("?state=s"), "s");
  for (const other of ["", "?code=c&state=s", "?error=access_denied&state=s", "?code=c"]) assert.equal(returnOf(other), null);
  assert.match(toldOf("s", leaving), /signed out here.*Example AG/);
  assert.equal(toldOf("other", leaving), "");
  assert.equal(toldOf("s", null), "");
});
