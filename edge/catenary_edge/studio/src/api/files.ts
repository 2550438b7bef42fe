// Calls of the API for the files of one project, which parameters take.
import type { FileCalls } from "../state/input_files.ts";
import type { Client } from "./client.ts";

export function fileCalls(client: Client, projectId: string): FileCalls {
  const files = `/v1/projects/${encodeURIComponent(projectId)}/files`;
  return {
    list: () => client.all(files, "files"),
    upload: (name, content) => client.upload(`${files}?${new URLSearchParams({ name })}`, "file", content, "application/octet-stream", crypto.randomUUID()),
  };
}
