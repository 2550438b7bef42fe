// A variant that is shared alone: what stands in place of its project, and what follows when its share changes.
import { ApiError } from "../api/client.ts";
import type { Project, Variant } from "../api/types.ts";
import { sharing as texts } from "../texts/variants.ts";

export const ENDED_SHARE = texts.ended;
const NOT_FOUND = 404;

/** Return what stands in place of the project, which the share of a variant doesn't show. Nobody evaluates by such a share. */
export function projectOf({ project_id, name, note, created_at, evaluation }: Variant): Project {
  return { project_id, name, description: note, role: "viewer", deployed_model_version_id: evaluation.model_version_id, updated_at: created_at };
}

/** Read the variant again, whose share may give another role now; null where it has ended. While it can't be read, it stays. */
export async function followed(variant: Variant, read: (variantId: string) => Promise<Variant>): Promise<Variant | null> {
  try {
    return await read(variant.variant_id);
  } catch (error) {
    return error instanceof ApiError && error.status === NOT_FOUND ? null : variant;
  }
}
