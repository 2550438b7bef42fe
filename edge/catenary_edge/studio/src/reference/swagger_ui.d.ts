// What the reference uses of Swagger UI, which comes without types.
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  /** Something that React renders. */
  export type Rendered = unknown;
  export type Component<Properties> = (properties: Properties) => Rendered;

  export type Wrap<Properties> = (original: Component<Properties>, system: System) => Component<Properties>;

  export interface React {
    createElement<Properties>(component: Component<Properties> | string, properties: Properties | null, ...children: Rendered[]): Rendered;
  }

  export interface System {
    React: React;
    getComponent<Properties>(name: string, isContainer?: boolean): Component<Properties>;
    authActions: { logout(schemes: readonly string[]): void };
    layoutActions: { show(thing: readonly string[], isShown: boolean): void; scrollToVirtualizedOperation(thing: readonly string[]): void };
    specActions: { updateSpec(text: string): void; updateJsonSpec(document: object): void };
  }

  /** What is shown of a body, and how. */
  export interface Body {
    content: unknown;
    contentType?: string;
    headers?: Record<string, string>;
  }

  export type Show = (thing: readonly string[], isShown: boolean) => unknown;

  export interface Plugin {
    fn?: { resolveSubtree?: (document: object, path: readonly string[]) => Promise<{ spec: unknown; errors: readonly unknown[] }> };
    components?: Record<string, Component<never>>;
    wrapComponents?: { responseBody?: Wrap<Body>; TextArea?: Wrap<object>; ExamplesSelect?: Wrap<object> };
    statePlugins?: {
      layout?: { wrapActions?: { show?: (original: Show) => Show } };
      spec?: { wrapActions?: { parseToJson?: (original: unknown, system: System) => (text: string) => void } };
    };
  }

  export interface Request {
    credentials?: string;
    cache?: string;
  }

  export interface Instance {
    getSystem(): System;
    preauthorizeApiKey(scheme: string, value: string): void;
  }

  export interface Options {
    domNode: Element;
    spec: object;
    plugins: readonly ((system: System) => Plugin)[];
    requestInterceptor(request: Request): Request;
    [name: string]: unknown;
  }

  export default function SwaggerUI(options: Options): Instance;
}
