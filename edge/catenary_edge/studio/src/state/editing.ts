// A version's source as somebody changes it: each check is a new version, and what is not checked yet is kept in the page.
import type { ModelVersion } from "../api/types.ts";
import { editing as texts } from "../texts/models.ts";
import { size } from "./format.ts";
import { isChecked, type Models } from "./models.ts";
import { requestKey } from "./upload.ts";

/** A fault or remark at a line of the source, counted from 1. */
export interface Finding {
  line: number;
  message: string;
  isFault: boolean;
}

const TYPES = { python: "text/x-python", openscad: "application/x-openscad" } as const;
const MOST_BYTES = 1024 * 1024;
const LINE = /\bline (\d+)\b/i;

/** Return what the check says of a fault whose line is shown beside it. */
export function withoutLine(message: string): string {
  return message.replace(/^line \d+: /, "");
}

/** Texts that no version has, by the id of the version on which they stand: another page of the Studio loses none. */
const unsaved = new Map<string, string>();

/** Tell whether there is a text that a reload would lose. */
export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Say why a version can't be changed in the page; empty if it can. */
export function whyNotHere(version: ModelVersion): string {
  if (version.kind === "zip") return texts.zip;
  if (version.size > MOST_BYTES) return texts.large(size(version.size));
  return "";
}

/** Keeps a text and the version on which it stands. */
export class Editing {
  /** The text with `\n` at the ends of lines. */
  text: string;
  private saved: string;
  /** What the file has at the ends of its lines. */
  private readonly ending: string;
  /** Number of the newest version that the person knows of. */
  private known: number;
  /** By it the server knows a text that is sent again. */
  private key = requestKey();

  private constructor(
    private readonly models: Models,
    private base: ModelVersion,
    source: string,
  ) {
    this.ending = source.includes("\r\n") ? "\r\n" : "\n";
    this.saved = source.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
    this.text = unsaved.get(base.model_version_id) ?? this.saved;
    this.known = base.number;
  }

  /** Read the source of a version. */
  static async open(models: Models, version: ModelVersion): Promise<Editing> {
    const refusal = whyNotHere(version);
    if (refusal) throw new Error(refusal);
    return new Editing(models, version, new TextDecoder().decode(await models.source(version)));
  }

  /** The version on which the text stands, with what its check found. */
  get version(): ModelVersion {
    return this.models.find(this.base.model_version_id) ?? this.base;
  }

  get isUnsaved(): boolean {
    return this.text !== this.saved;
  }

  /** Whether the text is a version whose check succeeded. */
  get isReady(): boolean {
    return !this.isUnsaved && this.version.status === "ready";
  }

  get isChecking(): boolean {
    return !isChecked(this.version);
  }

  /** A version that somebody uploaded after this one, and that the person has not been told of; null without one. */
  get newer(): ModelVersion | null {
    const [newest] = this.models.versionsOf(this.base.model_id);
    return newest !== undefined && newest.number > this.known ? newest : null;
  }

  /** The faults and remarks of the check that name a line. What stands beside the fault of a failed version is a fault too. */
  get findings(): readonly Finding[] {
    const { error, status, warnings } = this.version;
    const remarks = warnings.flatMap((message) => {
      const line = LINE.exec(message)?.[1];
      return line === undefined ? [] : [{ line: Number(line), message, isFault: status === "failed" }];
    });
    return error?.line == null ? remarks : [{ line: error.line, message: error.message, isFault: true }, ...remarks];
  }

  /** Take what is typed. */
  change(text: string): void {
    if (text !== this.text) this.key = requestKey();
    this.text = text;
    const id = this.base.model_version_id;
    if (this.isUnsaved) unsaved.set(id, text);
    else unsaved.delete(id);
  }

  /** Go on from the own text, though there is a newer version. */
  goOn(): void {
    this.known = this.newer?.number ?? this.known;
  }

  /** Throw away what no version has. */
  drop(): void {
    this.change(this.saved);
  }

  /** Make the text a version if it is none, and return that when its check is done. */
  async check(): Promise<ModelVersion> {
    if (this.isUnsaved) await this.upload();
    return this.models.checked(this.version);
  }

  private async upload(): Promise<void> {
    const { text, newer, base } = this;
    if (newer !== null) throw new Error(texts.newer(newer.number));
    if (text.trim() === "") throw new Error(texts.empty);
    const type = base.kind === "openscad" ? TYPES.openscad : TYPES.python;
    const file = new Blob([text.replaceAll("\n", this.ending)]);
    const made = await this.models.upload(base.model_id, file, type, this.key);
    unsaved.delete(base.model_version_id);
    [this.base, this.saved, this.known, this.key] = [made, text, made.number, requestKey()];
    this.change(this.text); // what was typed meanwhile stands on the new version
  }
}
