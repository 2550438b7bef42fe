// The comments of a project or of one of its variants, as threads.
import { ApiError } from "../api/client.ts";
import type { Anchor, Camera, Comment, Project } from "../api/types.ts";
import { sharing as texts } from "../texts/variants.ts";
import type { Happening } from "./feed.ts";
import { Fresh } from "./fresh.ts";

/** What a new comment has beside its text. */
export interface Beside {
  variant_id?: string;
  parent_id?: string;
  anchor?: Anchor;
  camera?: Camera;
  mentions?: readonly string[];
}

/** The calls of the API that a discussion needs. */
export interface CommentCalls {
  /** Lists the comments on a variant; of the whole project for null. */
  list(variantId: string | null): Promise<Comment[]>;
  read(commentId: string): Promise<{ value: Comment; tag: string }>;
  add(content: string, beside: Beside): Promise<Comment>;
  edit(commentId: string, content: string, tag: string): Promise<Comment>;
  resolve(commentId: string, resolved: boolean): Promise<Comment>;
  remove(commentId: string): Promise<unknown>;
}

export interface Thread {
  id: string;
  /** The first comment; null where it was deleted and its replies stay. */
  first: Comment | null;
  /** The oldest first. */
  replies: readonly Comment[];
  variantId: string | null;
  isResolved: boolean;
}

/** A text that somebody changes, with the comment as it was read. */
export interface Editing {
  comment: Comment;
  tag: string;
  /** The text that somebody else wrote meanwhile; null where nobody did. */
  newer: string | null;
}

const PRECONDITION_FAILED = 412;
const FORBIDDEN = 403;
const NOT_FOUND = 404;
/** What is said where the platform tells of the project, which who has the variant alone has never seen. */

/** Keeps the comments as the server has them. A call that fails throws, and leaves them as they were. */
export class Discussion {
  private all: ReadonlyMap<string, Comment> = new Map();
  private readonly fresh: Fresh<Comment[]>;
  isLoaded = false;

  constructor(
    private readonly calls: CommentCalls,
    /** The caller's role in the project, or by the share of the variant. */
    public role: Project["role"],
    /** Id of the caller; null where it has none, or is not known. */
    private readonly callerId: string | null,
    /** The variant whose comments these are; null for those of the whole project. */
    readonly variantId: string | null,
    private readonly changed: () => void = () => undefined,
    /** Is told when a write was refused in a way that another role, or none any more, explains. */
    private readonly doubted: () => void = () => undefined,
  ) {
    this.fresh = new Fresh(() => calls.list(variantId), (found) => this.take(found));
  }

  get mayWrite(): boolean {
    return this.role !== "viewer";
  }

  mayEdit(comment: Comment): boolean {
    return this.mayWrite && this.callerId !== null && comment.created_by?.user_id === this.callerId;
  }

  mayDelete(comment: Comment): boolean {
    return this.role === "owner" || this.role === "editor" || this.mayEdit(comment);
  }

  /** Return the threads that are open, or those that are resolved: the newest first. */
  threads(isResolved: boolean): readonly Thread[] {
    return this.every().filter((one) => one.isResolved === isResolved);
  }

  /** Return the thread of a comment. */
  threadOf(commentId: string): Thread | undefined {
    const comment = this.all.get(commentId);
    return this.every().find((one) => one.id === (comment?.parent_id ?? commentId));
  }

  load(): Promise<void> {
    return this.fresh.read();
  }

  private take(found: readonly Comment[]): void {
    this.all = new Map(found.map((one) => [one.comment_id, one]));
    this.isLoaded = true;
    this.changed();
  }

  /** Follow an event: it has no text, so the comment is read. */
  async follow({ type, data }: Happening): Promise<void> {
    const told = data["comment"] as unknown as Comment | undefined;
    if (told === undefined || !type.startsWith("comment.")) return;
    if (this.variantId !== null && told.variant_id !== this.variantId) return;
    if (type === "comment.deleted") return this.drop(told.comment_id);
    try {
      this.put((await this.calls.read(told.comment_id)).value);
    } catch (error) {
      if (error instanceof ApiError && error.status === NOT_FOUND) this.drop(told.comment_id);
    }
  }

  async add(content: string, beside: Beside): Promise<Comment> {
    const onVariant = this.variantId === null ? {} : { variant_id: this.variantId };
    try {
      const made = await this.written(this.calls.add(content.trim(), { ...onVariant, ...beside }));
      this.put(made);
      return made;
    } catch (error) {
      if (this.variantId !== null && error instanceof ApiError && error.status === NOT_FOUND) throw new Error(texts.noComments, { cause: error });
      throw error;
    }
  }

  async resolve(thread: Thread, resolved: boolean): Promise<void> {
    const comment = thread.first ?? thread.replies[0];
    if (comment !== undefined) this.put(await this.written(this.calls.resolve(comment.comment_id, resolved)));
  }

  /** Begin to change the text of a comment. */
  async edit(commentId: string): Promise<Editing> {
    const { value, tag } = await this.calls.read(commentId);
    this.put(value);
    return { comment: value, tag, newer: null };
  }

  /** Save a text; null where that is done. Where somebody else changed it meanwhile, returns what to show beside it. */
  async save(editing: Editing, content: string): Promise<Editing | null> {
    try {
      this.put(await this.written(this.calls.edit(editing.comment.comment_id, content.trim(), editing.tag)));
      return null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== PRECONDITION_FAILED) throw error;
    }
    const { comment, tag } = await this.edit(editing.comment.comment_id);
    const shown = { comment, tag, newer: comment.content };
    // Its thread was resolved or opened, and the text is the same: nothing of anybody's is lost.
    return comment.content === editing.comment.content ? this.save(shown, content) : shown;
  }

  async remove(commentId: string): Promise<void> {
    await this.written(this.calls.remove(commentId));
    this.drop(commentId);
  }

  /** Return what a write gave; tell a doubt where it was refused for want of a role or of what it names. */
  private async written<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ApiError && (error.status === FORBIDDEN || error.status === NOT_FOUND)) this.doubted();
      throw error;
    }
  }

  private every(): readonly Thread[] {
    const replies = new Map<string, Comment[]>();
    const byTime = [...this.all.values()].sort((one, other) => (one.comment_id < other.comment_id ? -1 : 1));
    for (const one of byTime) {
      if (one.parent_id === null) replies.set(one.comment_id, replies.get(one.comment_id) ?? []);
      else replies.set(one.parent_id, [...(replies.get(one.parent_id) ?? []), one]);
    }
    const threads = [...replies].map(([id, found]): Thread => {
      const first = this.all.get(id) ?? null;
      const known = (first ?? found[0])!;
      return { id, first, replies: found, variantId: known.variant_id, isResolved: known.resolved };
    });
    return threads.sort((one, other) => (one.id < other.id ? 1 : -1));
  }

  /** Take a comment, and what it tells of its whole thread. */
  private put(comment: Comment): void {
    this.fresh.note();
    const thread = comment.parent_id ?? comment.comment_id;
    const { resolved, resolved_by } = comment;
    const all = new Map([...this.all].map(([id, one]) => [id, (one.parent_id ?? id) === thread ? { ...one, resolved, resolved_by } : one]));
    all.set(comment.comment_id, comment);
    this.all = all;
    this.changed();
  }

  private drop(commentId: string): void {
    this.fresh.note();
    this.all = new Map([...this.all].filter(([id]) => id !== commentId));
    this.changed();
  }
}
