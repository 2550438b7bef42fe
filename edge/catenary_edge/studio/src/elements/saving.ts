// Files that the page gives to the browser to be saved.

/** Time for which a browser may still read the file that it was given. */
const KEPT_MS = 60_000;

/** Save a file under a name. */
export function saveAs(name: string, content: BlobPart): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
