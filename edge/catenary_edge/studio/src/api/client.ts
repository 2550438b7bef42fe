// Calls of the platform's public API, with the credential of one session.
import type { Picture } from "../state/picture.ts";
import { client as texts } from "../texts/common.ts";
import type { Evaluation, Parameter, Project, StudioConfig, Token } from "./types.ts";

/** A refusal of the platform, or a failure to reach it (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Messages by the name of the parameter that is refused. */
    readonly byParameter: ReadonlyMap<string, string> = new Map(),
  ) {
    super(message);
  }
}

export type Send = (path: string, init: RequestInit) => Promise<Response>;
/** What proves who calls: an access token, an API key, or the token of a share link. */
export type Credential = { kind: "token" | "api_key" | "share"; value: string };

/** A page of a list, and the cursor of the next one; null after the last. */
export interface Page<Row> {
  rows: readonly Row[];
  next: string | null;
}

interface Refusal {
  error?: {
    code?: string;
    message?: string;
    details?: { parameter?: string; violations?: { parameter?: string; message?: string }[] };
  };
}

/** Turn the body of a refusal into an error that shows each message at its input. */
export function refusalOf(status: number, body: unknown): ApiError {
  const { code = "", message = texts.refused(status), details = {} } = (body as Refusal | null)?.error ?? {};
  const found = new Map<string, string>();
  for (const one of details.violations ?? []) {
    if (one.parameter && one.message && !found.has(one.parameter)) found.set(one.parameter, one.message);
  }
  if (details.parameter && !found.has(details.parameter)) found.set(details.parameter, message);
  return new ApiError(status, code, message, found);
}

async function responseOf(send: Send, path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await send(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "UNREACHABLE", texts.unreachable);
  }
  if (response.ok) return response;
  throw refusalOf(response.status, await response.json().catch(() => null));
}

/** Get the ways to sign in. */
export async function studioConfig(send: Send): Promise<StudioConfig> {
  const body = (await (await responseOf(send, "/v1/studio/config", {})).json()) as { data: { config: StudioConfig } };
  return body.data.config;
}

/** Get an access token by a body, as the user of another token where one is given. */
export async function postForToken(send: Send, path: string, body: object, bearer: string | null = null): Promise<Token> {
  const own: Record<string, string> = bearer === null ? {} : { Authorization: `Bearer ${bearer}` };
  const headers = { "Content-Type": "application/json", ...own };
  return (await responseOf(send, path, { method: "POST", headers, body: JSON.stringify(body) })).json() as Promise<Token>;
}

/** Call something whose answer says nothing. */
export async function withoutAnswer(send: Send, path: string, method: string): Promise<void> {
  await responseOf(send, path, { method });
}

/** Get an access token of the demo guest, where the server has one. */
export function issueDemoToken(send: Send): Promise<Token> {
  return postForToken(send, "/v1/auth/demo", {});
}

/** Exchange the id and secret of a client for an access token. */
export function issueToken(send: Send, clientId: string, clientSecret: string): Promise<Token> {
  return postForToken(send, "/v1/auth/token", { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret });
}

const HEADERS = { api_key: "X-API-Key", share: "X-Share-Token" } as const;
/** What begins the subprotocol of a WebSocket that has the credential. */
const PREFIXES = { token: "bearer.", api_key: "key.", share: "share." } as const;
const UNFINISHED = new Set(["queued", "running"]);
const WAIT_SECONDS = 20;
/** Seconds between two looks at an evaluation whose progress somebody watches. */
const WATCH_SECONDS = 2;

/** The operations that the Studio needs. */
export class Client {
  constructor(
    private credential: Credential,
    private readonly fetch: Send,
    private readonly onUnauthorized: () => void = () => undefined,
  ) {}

  /** Go on with a new credential, after the one before has ended. */
  renew(credential: Credential): void {
    this.credential = credential;
  }

  /** Tell that the credential has ended. */
  end(): void {
    this.onUnauthorized();
  }

  /** The access token; null for another credential. */
  get token(): string | null {
    return this.credential.kind === "token" ? this.credential.value : null;
  }

  /** The subprotocol that gives a WebSocket the credential. */
  get protocol(): string {
    return PREFIXES[this.credential.kind] + this.credential.value;
  }

  /** Whether the caller is nobody but the holder of a link, who reads and changes nothing. */
  get isLink(): boolean {
    return this.credential.kind === "share";
  }

  /** List all projects of the caller. */
  projects(): Promise<Project[]> {
    return this.all("/v1/projects", "projects");
  }

  /** Read all pages of a list. */
  async all<Row>(path: string, key: string): Promise<Row[]> {
    const found: Row[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<Row> = await this.page(path, key, 100, cursor);
      found.push(...page.rows);
      cursor = page.next;
    } while (cursor !== null);
    return found;
  }

  /** Read a page of a list: the first one, or the one of a cursor. */
  async page<Row>(path: string, key: string, limit: number, cursor: string | null): Promise<Page<Row>> {
    const asked = `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const body = await this.json<{ data: Record<string, Row[]>; metadata: { next_cursor: string | null } }>(asked);
    return { rows: body.data[key] ?? [], next: body.metadata.next_cursor };
  }

  /** Create a project, whose owner the caller is. */
  createProject(name: string): Promise<Project> {
    return this.change("POST", "/v1/projects", "project", { name });
  }

  async project(projectId: string): Promise<Project> {
    return (await this.json<{ data: { project: Project } }>(`/v1/projects/${encodeURIComponent(projectId)}`)).data.project;
  }

  async parameters(projectId: string): Promise<Parameter[]> {
    const path = `/v1/projects/${encodeURIComponent(projectId)}/parameters`;
    return (await this.json<{ data: { parameters: Parameter[] } }>(path)).data.parameters;
  }

  /** Evaluate the deployed version, or the one of `draft`, and wait for the end of the evaluation; `watch` sees it meanwhile. */
  async evaluate(projectId: string, parameters: object, watch?: (unfinished: Evaluation) => void, draft?: string): Promise<Evaluation> {
    const prefer = (seconds: number) => ({ Prefer: `wait=${watch ? seconds : WAIT_SECONDS}` });
    const asked = draft === undefined ? { parameters } : { parameters, model_version_id: draft };
    const init = { method: "POST", headers: { "Content-Type": "application/json", ...prefer(1) }, body: JSON.stringify(asked) };
    let found = await this.evaluation(`/v1/projects/${encodeURIComponent(projectId)}/evaluate`, init);
    while (UNFINISHED.has(found.status)) {
      watch?.(found);
      found = await this.evaluation(`/v1/evaluations/${found.evaluation_id}`, { headers: prefer(WATCH_SECONDS) });
    }
    return found;
  }

  /** Cancel an evaluation; one that has ended meanwhile stays as it is (409). */
  async cancel(evaluationId: string): Promise<void> {
    try {
      await this.call(`/v1/evaluations/${evaluationId}`, { method: "DELETE" });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
    }
  }

  /** Return the newest completed evaluation of a version; null if there is none. */
  async latest(projectId: string, modelVersionId: string): Promise<Evaluation | null> {
    const asked = new URLSearchParams({ status: "completed", model_version_id: modelVersionId });
    const path = `/v1/projects/${encodeURIComponent(projectId)}/evaluations?${asked}`;
    const [newest] = (await this.page<Evaluation>(path, "evaluations", 1, null)).rows;
    return newest === undefined ? null : this.stored(newest.evaluation_id);
  }

  /** Return a page of a version's evaluations, newest first, without tables and logs. */
  evaluations(projectId: string, modelVersionId: string, cursor: string | null): Promise<Page<Evaluation>> {
    const path = `/v1/projects/${encodeURIComponent(projectId)}/evaluations?model_version_id=${encodeURIComponent(modelVersionId)}`;
    return this.page(path, "evaluations", 20, cursor);
  }

  /** Return a stored evaluation with its tables and its log. */
  stored(evaluationId: string): Promise<Evaluation> {
    return this.evaluation(`/v1/evaluations/${encodeURIComponent(evaluationId)}`, {});
  }

  /** Fetch the bytes of a file of an evaluation by the URL that the evaluation names. */
  async bytes(url: string): Promise<ArrayBuffer> {
    return (await this.call(url)).arrayBuffer();
  }

  /** Fetch a picture by its URL; one that is still being made says when to ask again. */
  async picture(url: string): Promise<Picture> {
    const response = await this.call(url);
    return response.status === 202 ? { again: Number(response.headers.get("Retry-After") ?? 1) } : { bytes: await response.blob() };
  }

  private async evaluation(path: string, init: RequestInit): Promise<Evaluation> {
    return (await this.json<{ data: { evaluation: Evaluation } }>(path, init)).data.evaluation;
  }

  /** Send a body as JSON, with the entity tag that must still hold, and return the object under a name of the answer's data. */
  async change<T>(method: string, path: string, key: string, body?: object, tag?: string): Promise<T> {
    return (await this.send<Record<string, T>>(method, path, body, tag))[key]!;
  }

  /** Send a body as JSON and return the answer's data. */
  async send<T>(method: string, path: string, body?: object, tag?: string): Promise<T> {
    const type: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
    const headers = tag === undefined ? type : { ...type, "If-Match": tag };
    const sent = body === undefined ? { headers } : { headers, body: JSON.stringify(body) };
    return (await this.json<{ data: T }>(path, { method, ...sent })).data;
  }

  /** Send a file, and return the object under a name of the answer's data. The same key again gets the first answer. */
  async upload<T>(path: string, key: string, file: Blob, type: string, idempotencyKey: string): Promise<T> {
    const headers = { "Content-Type": type, "Idempotency-Key": idempotencyKey };
    return (await this.json<{ data: Record<string, T> }>(path, { method: "POST", headers, body: file })).data[key]!;
  }

  /** Read an object; the server waits so many seconds for the end of its work. */
  async waitFor<T>(path: string, key: string, seconds: number): Promise<T> {
    return (await this.json<{ data: Record<string, T> }>(path, { headers: { Prefer: `wait=${seconds}` } })).data[key]!;
  }

  /** Read an object with its entity tag, for a change that nobody else's is lost by. */
  async tagged<T>(path: string, key: string): Promise<{ value: T; tag: string }> {
    const response = await this.call(path);
    const body = (await response.json()) as { data: Record<string, T> };
    return { value: body.data[key]!, tag: response.headers.get("ETag") ?? "*" };
  }

  private async json<T>(path: string, init: RequestInit = {}): Promise<T> {
    return (await this.call(path, init)).json() as Promise<T>;
  }

  private async call(path: string, init: RequestInit = {}): Promise<Response> {
    const { kind, value } = this.credential;
    const own: Record<string, string> = kind === "token" ? { Authorization: `Bearer ${value}` } : { [HEADERS[kind]]: value };
    try {
      return await responseOf(this.fetch, path, { ...init, headers: { ...(init.headers as Record<string, string>), ...own } });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.end();
      throw error;
    }
  }
}
