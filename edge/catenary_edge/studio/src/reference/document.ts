// What the reference makes of an OpenAPI document before it is shown.

export interface Parameter {
  name: string;
  in: string;
  example?: unknown;
}

interface Schema {
  $ref?: string;
  format?: string;
  required?: string[];
  properties?: Record<string, Schema>;
}

interface Content {
  schema?: Schema;
  example?: unknown;
}

interface Refusal {
  headers?: Record<string, unknown>;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
}

export interface OpenApi {
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, Refusal> };
}

/** Return the example of a body without the ids that it may lack: they are of nothing, and would be refused. */
function withoutIds(content: Content, document: OpenApi): Content {
  const { schema, example } = content;
  const named = schema?.$ref ? document.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""] : schema;
  if (typeof example !== "object" || example === null || Array.isArray(example) || !named) return content;
  const isKept = (name: string) => named.properties?.[name]?.format !== "uuid" || named.required?.includes(name) === true;
  return { ...content, example: Object.fromEntries(Object.entries(example).filter(([name]) => isKept(name))) };
}

function mapped<From, To>(fields: Record<string, From>, change: (one: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, change(one)]));
}

/** Return refusals without the headers that a third of them has: answers of success tell those, and an operation has ten refusals. */
function withoutCommon(refusals: Record<string, Refusal>): Record<string, Refusal> {
  const names = Object.values(refusals).flatMap((one) => Object.keys(one.headers ?? {}));
  const isRare = (name: string) => 3 * names.filter((one) => one === name).length < Object.keys(refusals).length;
  return mapped(refusals, (one) => ({ ...one, headers: Object.fromEntries(Object.entries(one.headers ?? {}).filter(([name]) => isRare(name))) }));
}

/**
 * Return a document that is ready to be tried: requests go to the page's own origin, whatever the public address is, and the
 * first project of who has signed in stands where one is asked for. Examples of other parameters go: they would be sent as if somebody
 * had chosen them, such as an id of nothing.
 */
export function ready(document: OpenApi, origin: string, projectId: string): OpenApi {
  const isProject = (one: Parameter) => projectId !== "" && one.in === "path" && one.name === "project_id";
  const parameter = (one: Parameter): Parameter => ({ ...one, example: isProject(one) ? projectId : undefined });
  const body = (one: OperationObject["requestBody"]) => one && { ...one, content: mapped(one.content, (content) => withoutIds(content, document)) };
  // A summary is shown as it is, without the form of code.
  const summary = (text: string) => text.replaceAll("`", "");
  const operation = (one: OperationObject): OperationObject => ({ ...one, summary: summary(one.summary), parameters: one.parameters?.map(parameter), requestBody: body(one.requestBody) });
  const paths = mapped(document.paths, (item) => mapped(item, operation));
  const components = { ...document.components, responses: withoutCommon(document.components?.responses ?? {}) };
  return { ...document, servers: [{ url: origin }], paths, components };
}

/** Return the tag under which an operation is shown; null if the document has none of this id. */
export function tagOf(document: OpenApi, operationId: string): string | null {
  const all = Object.values(document.paths).flatMap((item) => Object.values(item));
  return all.find((one) => one.operationId === operationId)?.tags[0] ?? null;
}
