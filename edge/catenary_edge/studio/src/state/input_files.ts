// Files of a project that people give to parameters.
import type { ProjectFile } from "../api/types.ts";
import type { Parameter } from "../api/types.ts";
import { inputFiles as texts } from "../texts/file_input.ts";

/** The calls of the API that an input for a file needs. */
export interface FileCalls {
  list(): Promise<readonly ProjectFile[]>;
  upload(name: string, content: Blob): Promise<ProjectFile>;
}

/** Largest file of a project, in bytes. */
export const MAX_BYTES = 16 * 2 ** 20;

/** Say why a file can't be given to a parameter before it is sent; empty if it can. */
export function refusalOf(file: Pick<File, "name" | "size">, { accept, max_bytes }: Pick<Parameter, "accept" | "max_bytes">): string {
  const most = max_bytes ?? MAX_BYTES;
  if (accept.length > 0 && !accept.some((ending) => file.name.toLowerCase().endsWith(ending))) return texts.ending(accept);
  if (file.size === 0) return texts.empty;
  if (file.size > most) return texts.large(most.toLocaleString("en"), file.size.toLocaleString("en"));
  return "";
}

/** Return the files of a list that a parameter takes. */
export function fitting(files: readonly ProjectFile[], parameter: Pick<Parameter, "accept" | "max_bytes">): readonly ProjectFile[] {
  return files.filter((one) => refusalOf(one, parameter) === "");
}

/** Return the file of a value: its id, or its content as evaluations show it. */
export function fileOf(files: readonly ProjectFile[], value: unknown): ProjectFile | null {
  return files.find((one) => one.file_id === value) ?? files.find((one) => one.value === value) ?? null;
}
