// What Swagger UI does otherwise than by itself.
import type { Body, Component, Plugin, React, System, Wrap } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { reference as texts } from "../texts/reference.ts";
import { pretty } from "./json.ts";
import { resolved } from "./resolve.ts";

interface Code {
  language: string;
  downloadable: boolean;
  fileName: string;
  canCopy: boolean;
}
interface Plain {
  className?: string;
  children: unknown;
}
/** The key under which Swagger UI keeps which operations are open. */
export const OPERATION = "operations";

/** Show JSON as it came: the component of Swagger UI parses it, which rounds integers over 2^53. */
const exactBody: Wrap<Body> = (original, system) => (given) => {
  const { React } = system;
  const isFile = "content-disposition" in (given.headers ?? {});
  if (isFile || typeof given.content !== "string" || !/json$/i.test((given.contentType ?? "").split(";")[0] ?? "")) return React.createElement(original, given);
  const code: Code = { language: "json", downloadable: true, fileName: "response.json", canCopy: true };
  return React.createElement(system.getComponent<Code>("HighlightCode", true), code, pretty(given.content));
};

/** Give the field of a body a name for those who hear the page. */
const namedField: Wrap<object> = (original, { React }) => (given) => React.createElement(original, { ...given, "aria-label": texts.body });

/** Give the choice of an example a name. */
const namedChoice: Wrap<object> = (original, { React }) => (given) =>
  React.createElement("label", null, React.createElement("span", { className: "examples-label" }, texts.example), React.createElement(original, { ...given, showLabels: false }));

/** Show text that the keyboard can scroll. */
const plainText =
  ({ React }: { React: React }): Component<Plain> =>
  ({ className = "", children }) =>
    React.createElement("pre", { className: `microlight ${className}`, tabIndex: 0 }, children);

/** Show the field of an id in a list as that of any text: the library asks for one of its own, and warns where there is none. */
const idField =
  (system: System): Component<object> =>
  (given) =>
    system.React.createElement(system.getComponent<object>("JsonSchema_string"), given);

const nothing = () => null;

/** Return the plugin of the page; `onOpen` is told the id of an operation that is opened. */
export function pluginOf(onOpen: (operationId: string) => void): (system: System) => Plugin {
  return (system) => ({
    // The page has one sign-in and one server.
    components: {
      AuthorizeBtnContainer: nothing,
      authorizeOperationBtn: nothing,
      ServersContainer: nothing,
      OperationServers: nothing,
      PlainTextViewer: plainText(system),
      JsonSchema_string_uuid: idField(system),
    },
    fn: { resolveSubtree: async (document, path) => ({ spec: resolved(document, path), errors: [] }) },
    wrapComponents: { responseBody: exactBody, TextArea: namedField, ExamplesSelect: namedChoice },
    statePlugins: {
      // A document is JSON: as YAML it takes seconds to be read.
      spec: { wrapActions: { parseToJson: (_, { specActions }) => (text) => specActions.updateJsonSpec(JSON.parse(text) as object) } },
      layout: {
        wrapActions: {
          show: (original) => (thing, isShown) => {
            if (isShown && thing[0] === OPERATION && thing.length === 3) onOpen(thing[2] ?? "");
            return original(thing, isShown);
          },
        },
      },
    },
  });
}
