// The reference: OpenAPI documents as folded operations, each with a form that sends it. Text becomes text nodes, never
// markup. The credential lives in its input field and nowhere else.

const $ = (id) => document.getElementById(id);
let api = null;
let listed = [];  // the documents
let others = null;  // the operations of all documents, once somebody has looked for one
let projectId = "";  // the first project of who has signed in here

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

// The little Markdown that comments have: paragraphs, lists, `code`, **bold**, [links](/to/this/site).
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\(\/[^)\s]*\))/).map((part) => {
    if (part.startsWith("`")) return make("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return make("strong", {}, part.slice(2, -2));
    const link = part.match(/^\[([^\]]+)\]\((\/[^)\s]*)\)$/);
    return link ? make("a", { href: link[2] }, link[1]) : part;
  });
}

function prose(text) {
  const blocks = [];
  let list = null;
  for (const line of (text ?? "").split("\n")) {
    if (line.startsWith("- ")) {
      if (!list) blocks.push((list = make("ul")));
      list.append(make("li", {}, ...inline(line.slice(2))));
    } else if (!line.trim()) {
      list = null;
    } else if (blocks.length && list === null && blocks.at(-1).dataset.open) {
      blocks.at(-1).append(" ", ...inline(line));
    } else {
      list = null;
      blocks.push(make("p", { "data-open": "1" }, ...inline(line)));
    }
    if (!line.trim() && blocks.length) delete blocks.at(-1).dataset.open;
  }
  return blocks;
}

function resolve(object) {
  let found = object;
  while (found?.$ref) found = found.$ref.slice(2).split("/").reduce((at, key) => at[key], api);
  return found;
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items)}`;
  if (schema.type === "object" && schema.additionalProperties) return `map of ${typeOf(schema.additionalProperties)}`;
  const name = [schema.type ?? "any value"].flat().join(" or ");
  return schema.format ? `${name} (${schema.format})` : name;
}

const LIMITS = { minLength: "at least {} characters", maxLength: "at most {} characters", minItems: "at least {} items",
  maxItems: "at most {} items", maxProperties: "at most {} keys", minimum: "from {}", maximum: "to {}", pattern: "pattern {}",
  const: "always {}", enum: "one of {}" };

function limits(schema) {
  return Object.entries(LIMITS).filter(([key]) => key in schema && !(String(schema.format).startsWith("int") && Math.abs(schema[key]) > 2e9))
    .map(([key, text]) => text.replace("{}", [schema[key]].flat().map(String).join(", "))).join("; ");
}

// The message that a schema leads to, for its fields; null for plain values.
function inside(schema) {
  const found = resolve(schema);
  if (found.properties) return found;
  const next = found.items ?? found.anyOf?.[0] ?? (found.additionalProperties || null);
  return next ? inside(next) : null;
}

// Fill an element when it first opens. Its toggle may come after another document has replaced it, whose schemas are not its own.
function fillOnOpen(element, fill) {
  element.addEventListener("toggle", () => element.isConnected && fill(), { once: true });
}

function field(name, schema, required) {
  const row = make("div", { class: "field" },
    make("div", {}, make("code", {}, name), required ? make("span", { class: "must", title: "required" }, " *") : null,
      make("div", { class: "type" }, typeOf(schema))),
    make("div", {}, ...prose(schema.description), limits(schema) ? make("div", { class: "type" }, limits(schema)) : null));
  const nested = inside(schema);
  if (nested) {
    const more = make("details", { class: "inner" }, make("summary", {}, "fields"));
    fillOnOpen(more, () => more.append(...fields(nested)));
    row.append(more);
  }
  return row;
}

function fields(schema) {
  const found = resolve(schema);
  return Object.entries(found.properties ?? {}).map(([name, one]) => field(name, one, (found.required ?? []).includes(name)));
}

function block(value) {
  return make("pre", {}, make("code", {}, typeof value === "string" ? value : JSON.stringify(value, null, 2)));
}

function parameterRow(parameter, inputs) {
  const schema = parameter.schema;
  const choices = schema.enum ?? (schema.type === "boolean" ? [true, false] : null);
  const input = choices ? make("select", {}, ...["", ...choices].map((choice) => make("option", {}, String(choice))))
    : make("input", { placeholder: [parameter.example ?? ""].flat().join(","), spellcheck: "false" });
  input.setAttribute("aria-label", parameter.name);
  if (parameter.in === "path" && parameter.name === "project_id") input.value = projectId;
  inputs.push({ parameter, input });
  const row = field(parameter.name, { ...schema, description: parameter.description }, parameter.required);
  row.lastElementChild.append(input);
  row.firstElementChild.append(make("div", { class: "type" }, `in ${parameter.in}`));
  return row;
}

function bodyForm(body) {
  const types = Object.keys(body.content);
  const type = make("select", { "aria-label": "media type" }, ...types.map((name) => make("option", {}, name)));
  const text = make("textarea", { spellcheck: "false", "aria-label": "body" });
  const file = make("input", { type: "file", "aria-label": "file" });
  const about = make("div");
  const show = () => {
    const { schema, example } = body.content[type.value];
    const isText = example !== undefined;
    text.hidden = !isText;
    file.hidden = isText;
    text.value = !isText ? "" : type.value.endsWith("json") ? JSON.stringify(example, null, 2) : String(new URLSearchParams(example));
    about.replaceChildren(...fields(schema));
  };
  type.addEventListener("change", show);
  show();
  const read = () => {
    if (!file.hidden && type.value.startsWith("multipart/")) {
      const form = new FormData();
      if (file.files[0]) form.append("file", file.files[0]);
      return { body: form };  // the browser sets the type, with the boundary
    }
    return { body: file.hidden ? text.value : file.files[0], type: type.value };
  };
  return { element: make("div", {}, make("h3", {}, "Body"), about, type, text, file), read };
}

function requestOf(path, method, operation, inputs, body) {
  const query = new URLSearchParams();
  const headers = {};
  let target = path;
  for (const { parameter, input } of inputs) {
    if (parameter.in === "path") target = target.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
    else if (input.value === "") continue;
    else if (parameter.in === "header") headers[parameter.name] = input.value;
    else for (const value of parameter.schema.type === "array" ? input.value.split(",") : [input.value]) query.append(parameter.name, value);
  }
  const credential = $("credential").value.trim();
  const kind = $("kind").value;
  // An operation that takes none, as the token's own, would refuse it.
  if (credential && operation.security.some((one) => kind in one)) {
    Object.assign(headers, kind === "token" ? { Authorization: `Bearer ${credential}` } : { "X-API-Key": credential });
  }
  const given = body?.read() ?? {};
  if (given.type) headers["Content-Type"] = given.type;
  const text = query.toString();
  return [text ? `${target}?${text}` : target, { method: method.toUpperCase(), headers, body: given.body, credentials: "omit", cache: "no-store" }];
}

async function send(request, result) {
  result.replaceChildren(make("p", {}, "Sending…"));
  const started = performance.now();
  try {
    const [url, options] = request;
    const answer = await fetch(url, options);
    const data = await answer.blob();
    const type = answer.headers.get("content-type") ?? "";
    const parts = [make("p", {}, make("strong", {}, String(answer.status)), ` ${options.method} ${url} in ${Math.round(performance.now() - started)} ms`),
      block([...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n"))];
    if (type.startsWith("application/json")) parts.push(block(pretty(await data.text())));
    else if (/^(text|application\/x-)/.test(type)) parts.push(block(await data.text()));
    else if (data.size) {
      const link = make("a", { href: URL.createObjectURL(data), download: url.split("?")[0].split("/").at(-1) }, `Save ${data.size} bytes of ${type}`);
      parts.push(make("p", {}, link));
    }
    result.replaceChildren(...parts);
  } catch (error) {
    result.replaceChildren(make("p", { class: "must" }, `The request failed: ${error.message}`));
  }
}

// JSON with blanks and line ends, token by token: parsing it would round integers over 2^53.
function pretty(text) {
  let depth = 0;
  const line = () => "\n" + "  ".repeat(depth);
  return text.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+|\s+/g, (token, at) => {
    if (token === "{" || token === "[") return /^[}\]]/.test(text[at + 1]) ? token : ((depth += 1), token + line());
    if (token === "}" || token === "]") return /[{[]/.test(text[at - 1]) ? token : ((depth -= 1), line() + token);
    if (token === ",") return token + line();
    if (token === ":") return ": ";
    return token.trim() ? token : "";
  });
}

// The codes of a refusal, or the sentence about a success.
function summaryOf(description) {
  return [...description.matchAll(/^- `([^`]+)`/gm)].map((found) => found[1]).join(", ") || description;
}

function responses(operation) {
  return Object.entries(operation.responses).map(([status, given]) => {
    const response = resolve(given);
    const row = make("details", {}, make("summary", {}, make("strong", {}, status), " ", summaryOf(response.description)));
    fillOnOpen(row, () => {
      row.append(...prose(response.description));
      const headers = Object.entries(response.headers ?? {}).map(([name, one]) => field(name, { ...resolve(one).schema, description: resolve(one).description }));
      row.append(make("h3", {}, "Headers"), ...headers);
      for (const [type, content] of Object.entries(response.content ?? {})) {
        row.append(make("h3", {}, type), ...fields(content.schema));
        const example = content.example ?? Object.values(content.examples ?? {})[0]?.value;
        if (example !== undefined) row.append(make("h3", {}, "Example"), block(example));
      }
    });
    return row;
  });
}

function details(path, method, operation) {
  const inputs = [];
  const body = operation.requestBody ? bodyForm(operation.requestBody) : null;
  const result = make("div", { "aria-live": "polite" });
  const button = make("button", { type: "button" }, "Send");
  button.addEventListener("click", () => send(requestOf(path, method, operation, inputs, body), result));
  const rows = operation.parameters.map((parameter) => parameterRow(resolve(parameter), inputs));
  return make("div", {}, ...prose(operation.description), rows.length ? make("h3", {}, "Parameters") : null, ...rows,
    body?.element, make("div", { class: "send" }, button), result, make("h3", {}, "Answers"), ...responses(operation));
}

function operationElement(path, method, operation) {
  const element = make("details", { class: operation.deprecated ? "operation gone" : "operation", id: operation.operationId },
    make("summary", {}, make("span", { class: `method ${method}` }, method.toUpperCase()), make("code", { class: "path" }, path),
      make("span", { class: "says" }, operation.summary)));
  element.dataset.words = wordsOf(method, path, operation.summary, operation.operationId);
  fillOnOpen(element, () => element.append(details(path, method, operation)));
  element.firstElementChild.addEventListener("click", () => history.replaceState(null, "", `#${address(present(), operation.operationId)}`));
  return element;
}

function wordsOf(...texts) {
  return texts.join(" ").toLowerCase();
}

// The present document, and the address of an operation: `platform/v1/Evaluate`.
function present() {
  return listed.find((one) => one.url === $("document").value);
}

function address({ surface, version }, operationId) {
  return `${surface}/${version}/${operationId}`;
}

function find() {
  const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const section of $("operations").children) {
    const found = [...section.querySelectorAll(".operation")].filter((one) => !(one.hidden = !words.every((word) => one.dataset.words.includes(word))));
    section.hidden = found.length === 0;
    count += found.length;
  }
  void elsewhere(words, count);
}

const MOST = 30;

// What other documents have of some words, and that nothing is found where it is so.
async function elsewhere(words, count) {
  if (words.length === 0) return $("elsewhere").replaceChildren();
  const asked = $("find").value;
  others ??= fetch("/docs/operations.json").then((answer) => answer.json()).catch(() => ((others = null), { operations: [] }));
  const { operations } = await others;
  if (asked !== $("find").value) return;  // somebody typed on
  const { surface, version } = present();
  const found = operations.filter((one) => (one.surface !== surface || one.version !== version) && words.every((word) => wordsOf(one.method, one.path, one.summary, one.id).includes(word)));
  const lines = found.slice(0, MOST).map((one) => make("li", {}, make("a", { href: `#${address(one, one.id)}` }, `${one.surface} ${one.version}: ${one.method.toUpperCase()} ${one.path}`), ` ${one.summary}`));
  const more = found.length > MOST ? [make("p", {}, `${found.length - MOST} more; add a word.`)] : [];
  const nothing = count + found.length === 0 ? [make("p", {}, `Nothing is found for “${asked.trim()}” in any document.`)] : [];
  $("elsewhere").replaceChildren(...(lines.length ? [make("h2", {}, "In other documents"), make("ul", {}, ...lines), ...more] : nothing));
}

async function open(url) {
  const found = await (await fetch(new URL(url, location.origin).pathname)).json();
  if (url !== $("document").value) return;  // another document was chosen meanwhile
  api = found;
  $("about").replaceChildren(make("h1", {}, api.info.title), ...prose(api.info.description),
    make("p", {}, make("a", { href: new URL(url, location.origin).pathname }, "The document as JSON")));
  const entries = Object.entries(api.paths).flatMap(([path, item]) => Object.entries(item).map(([method, one]) => ({ path, method, one })));
  $("operations").replaceChildren(...api.tags.map((tag) => make("section", {}, make("h2", {}, tag.name), ...prose(tag.description),
    ...entries.filter(({ one }) => one.tags.includes(tag.name)).map(({ path, method, one }) => operationElement(path, method, one)))));
  find();
}

// Follow the page's address: `#platform/v1/Evaluate`, or `#Evaluate` of the present document.
async function follow() {
  const parts = decodeURIComponent(location.hash.slice(1)).split("/");
  const named = parts.length === 3 ? listed.find((one) => one.surface === parts[0] && one.version === parts[1]) : undefined;
  if (named && named.url !== $("document").value) {
    $("document").value = named.url;
    await open(named.url);
  }
  const element = document.getElementById(parts.at(-1));
  if (element?.matches(".operation")) {
    if (element.hidden) { $("find").value = ""; find(); }
    element.open = true;
    element.scrollIntoView();
  }
}

// Sign in, by a client or as the demo's guest: the token stands in the field for the credential, and nowhere else.
async function signIn(path, body) {
  $("told").textContent = "Signing in…";
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), credentials: "omit", cache: "no-store" };
  try {
    const answer = await fetch(path, options);
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error_description ?? found.error?.message ?? `the server answered ${answer.status}`);
    $("kind").value = "token";
    $("credential").value = found.access_token;
    $("secret").value = "";
    const projects = await (await fetch("/v1/projects?limit=1", { headers: { Authorization: `Bearer ${found.access_token}` }, credentials: "omit", cache: "no-store" })).json();
    projectId = projects.data?.projects[0]?.project_id ?? "";
    for (const one of document.querySelectorAll("input[aria-label=project_id]")) one.value ||= projectId;
    $("told").textContent = projectId ? "Signed in. The first project stands where one is asked for." : "Signed in.";
  } catch (error) {
    $("told").textContent = `Not signed in: ${error.message}`;
  }
}

$("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  void signIn("/v1/auth/token", { grant_type: "client_credentials", client_id: $("client").value.trim(), client_secret: $("secret").value.trim() });
});
$("demo").addEventListener("click", () => signIn("/v1/auth/demo", {}));
fetch("/v1/studio/config").then((answer) => answer.json()).then(({ data }) => ($("demo").hidden = !data.config.demo), () => undefined);

listed = (await (await fetch("/openapi.json")).json()).documents;
$("document").append(...listed.map((one) => make("option", { value: one.url }, `${one.surface} ${one.version}`)));
$("document").addEventListener("change", () => open($("document").value));
$("find").addEventListener("input", find);
addEventListener("hashchange", follow);
const [surface, version] = location.hash.slice(1).split("/");
const first = listed.find((one) => one.surface === surface && one.version === version);
if (first) $("document").value = first.url;
await open($("document").value);
await follow();
