// Code that is loaded when it is first needed.
import { common } from "../texts/common.ts";

/** Return a function that loads code once; what fails is tried again at the next call. */
export function lazily(load: () => Promise<unknown>): () => Promise<unknown> {
  let loaded: Promise<unknown> | null = null;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw new Error(common.notLoaded, { cause: error });
    }));
}
