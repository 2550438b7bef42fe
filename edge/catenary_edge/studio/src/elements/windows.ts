// The windows that owners open over a project's page, loaded with the first of them.
import { lazily } from "./lazily.ts";

export const loadWindows = lazily(() => Promise.all([import("./members.ts"), import("./shares.ts")]));
