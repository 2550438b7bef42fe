import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, pathOf, readAddress } from "../../../edge/catenary_edge/studio/src/reference/address.ts";
import { type OpenApi, ready, tagOf } from "../../../edge/catenary_edge/studio/src/reference/document.ts";
import { pretty } from "../../../edge/catenary_edge/studio/src/reference/json.ts";
import { resolved } from "../../../edge/catenary_edge/studio/src/reference/resolve.ts";
import { find } from "../../../edge/catenary_edge/studio/src/reference/search.ts";

const platform = { surface: "platform", version: "v1", title: "Platform", url: "https://design.example/openapi/platform/v1.json" };
const parameter = { surface: "parameter", version: "v1", title: "Parameter", url: "/openapi/parameter/v1.json" };
const listed = [platform, parameter];

test("an address names a document and an operation", () => {
  assert.deepEqual(readAddress("#parameter/v1/ListUnits", listed), { listed: parameter, operationId: "ListUnits" });
  assert.deepEqual(readAddress("#parameter/v1", listed), { listed: parameter, operationId: null });
  assert.deepEqual(readAddress("#Evaluate", listed), { listed: null, operationId: "Evaluate" });
});

test("an address of nothing leaves the page as it is", () => {
  for (const fragment of ["", "#", "#nothing/v1/Evaluate", "#nothing/v1"]) {
    assert.deepEqual(readAddress(fragment, listed), { listed: null, operationId: null }, fragment);
  }
  assert.deepEqual(readAddress("#%E0%A4%A", listed), { listed: null, operationId: "%E0%A4%A" });
});

test("an address that is written is read as it was meant", () => {
  assert.equal(addressOf(platform, "Evaluate"), "#platform/v1/Evaluate");
  assert.equal(addressOf(platform), "#platform/v1");
  assert.deepEqual(readAddress(addressOf(platform, "Evaluate"), listed), { listed: platform, operationId: "Evaluate" });
});

test("a document is asked of the page's own origin", () => {
  assert.equal(pathOf(platform), "/openapi/platform/v1.json");
  assert.equal(pathOf(parameter), "/openapi/parameter/v1.json");
});

const operation = (surface: string, id: string, path: string) => ({ surface, version: "v1", id, method: "get", path, summary: `Read ${id}` });

test("all words are looked for, and the present document comes first", () => {
  const all = [operation("platform", "ListUnits", "/v1/units"), operation("parameter", "GetUnit", "/parameter/v1/units/{id}"), operation("parameter", "GetType", "/x")];
  const found = (text: string) => find(all, text, parameter).shown.map((one) => one.id);
  assert.deepEqual(found("units GET"), ["GetUnit", "ListUnits"]);
  assert.deepEqual(found("get parameter units"), ["GetUnit"]);
  assert.deepEqual(found("units nothing"), []);
});

test("of many operations the first ones are shown", () => {
  const all = Array.from({ length: 70 }, (_, at) => operation("platform", `Operation${at}`, "/v1"));
  const { shown, more } = find(all, "operation", null);
  assert.deepEqual([shown.length, more], [30, 40]);
});

test("JSON is laid out without reading its numbers", () => {
  assert.equal(pretty('{"a":9007199254740993,"b":[1.0,-0],"c":[],"d":{}}'), '{\n  "a": 9007199254740993,\n  "b": [\n    1.0,\n    -0\n  ],\n  "c": [],\n  "d": {}\n}');
  assert.equal(pretty('{ "a" : "b, {c}: \\"d\\"" }'), '{\n  "a": "b, {c}: \\"d\\""\n}');
  assert.equal(pretty("[ ]"), "[]");
  assert.deepEqual(JSON.parse(pretty('[{"a":[[],[{}]]},"]"]')), [{ a: [[], [{}]] }, "]"]);
});

const project = { name: "project_id", in: "path", example: "an id of nothing" };
const cursor = { name: "cursor", in: "query", example: "a cursor of nothing" };
const made: OpenApi = {
  servers: [{ url: "https://design.example" }],
  paths: {
    "/v1/projects/{project_id}/evaluate": {
      post: {
        operationId: "Evaluate",
        summary: "Evaluate with `force`",
        tags: ["Evaluation"],
        parameters: [project, cursor],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Evaluate" }, example: { design_id: "1", version_id: "2", force: true } } } },
      },
    },
  },
  components: {
    schemas: { Evaluate: { required: ["design_id"], properties: { design_id: { format: "uuid" }, version_id: { format: "uuid" }, force: {} } } },
    responses: { NotFound: { headers: { "X-Request-Id": {} } }, Busy: { headers: { "X-Request-Id": {}, "Retry-After": {} } }, Gone: { headers: {} }, Other: {} },
  },
};
const shown = (projectId: string) => ready(made, "http://127.0.0.1:8000", projectId);
const evaluate = (document: OpenApi) => document.paths["/v1/projects/{project_id}/evaluate"]?.["post"];

test("a document is tried at the page's own origin", () => {
  assert.deepEqual(shown("").servers, [{ url: "http://127.0.0.1:8000" }]);
  assert.equal(tagOf(made, "Evaluate"), "Evaluation");
  assert.equal(tagOf(made, "Nothing"), null);
});

test("the first project stands where one is asked for, and no other example", () => {
  const examples = (projectId: string) => evaluate(shown(projectId))?.parameters?.map((one) => one.example);
  assert.deepEqual(examples("p1"), ["p1", undefined]);
  assert.deepEqual(examples(""), [undefined, undefined]);
});

test("the example of a body has no ids that it may lack", () => {
  assert.deepEqual(evaluate(shown(""))?.requestBody?.content["application/json"]?.example, { design_id: "1", force: true });
});

test("a summary is plain text", () => {
  assert.equal(evaluate(shown(""))?.summary, "Evaluate with force");
});

test("a refusal tells the headers that few have", () => {
  assert.deepEqual(shown("").components?.responses, { NotFound: { headers: {} }, Busy: { headers: { "Retry-After": {} } }, Gone: { headers: {} }, Other: { headers: {} } });
});

test("references are replaced by what they name, but not inside of themselves", () => {
  const tree = { type: "object", properties: { child: { $ref: "#/components/schemas/Tree" } } };
  const document = { paths: { "/": { get: { schema: { $ref: "#/components/schemas/Tree", description: "The root." } } } }, components: { schemas: { Tree: tree } } };
  assert.deepEqual(resolved(document, ["paths", "/", "get"]), {
    schema: { title: "Tree", type: "object", description: "The root.", properties: { child: { $ref: "#/components/schemas/Tree" } } },
  });
  assert.equal(resolved(document, ["paths", "/nothing"]), undefined);
  assert.deepEqual(resolved({ a: { $ref: "#/none" } }, ["a"]), { $ref: "#/none" });
});
