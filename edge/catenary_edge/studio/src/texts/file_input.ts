// An input that takes a file.

export const fileInput = {
  ofBefore: "a file of before",
  modelsOwn: "the model's own",
  noneChosen: "none chosen",
  upload: "Upload",
  uploadFor: (label: string) => `${label}: upload a file`,
  uploading: "Uploading…",
} as const;

export const inputFiles = {
  empty: "The file is empty.",
  ending: (endings: readonly string[]) => `The name must end with ${endings.join(" or ")}.`,
  large: (most: string, size: string) => `The file must have at most ${most} bytes; it has ${size}.`,
} as const;
