// What others did that the caller should know of.
import type { Notification } from "../api/types.ts";

/** The calls of the API that notifications need. */
export interface NotificationCalls {
  list(): Promise<readonly Notification[]>;
  mark(notificationId: string, read: boolean): Promise<Notification>;
}

/** The newest notifications, unread ones counted. */
export class Notifications {
  items: readonly Notification[] = [];
  failure = "";
  private isReading = false;
  private isStale = false;

  constructor(
    private readonly calls: NotificationCalls,
    private readonly changed: () => void,
  ) {}

  get unread(): number {
    return this.items.filter((one) => !one.read).length;
  }

  /** Read the newest; several that ask meanwhile are given what one more reading finds. */
  async load(): Promise<void> {
    this.isStale = true;
    if (this.isReading) return;
    this.isReading = true;
    while (this.isStale) {
      this.isStale = false;
      await this.run(async () => (this.items = await this.calls.list()));
    }
    this.isReading = false;
  }

  /** Mark one as read; it is shown so at once, and again unread if the platform refuses. */
  async read(notification: Notification): Promise<void> {
    if (notification.read) return;
    this.put({ ...notification, read: true });
    await this.run(async () => {
      try {
        this.put(await this.calls.mark(notification.notification_id, true));
      } catch (error) {
        this.put(notification);
        throw error;
      }
    });
  }

  async readAll(): Promise<void> {
    await Promise.all(this.items.map((one) => this.read(one)));
  }

  private put(changed: Notification): void {
    this.items = this.items.map((one) => (one.notification_id === changed.notification_id ? changed : one));
    this.changed();
  }

  private async run(work: () => Promise<unknown>): Promise<void> {
    this.failure = "";
    try {
      await work();
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
    this.changed();
  }
}

/** Return the page's address of what a notification is about; null where the page shows nothing of it. */
export function addressOf({ subject, project_id }: Pick<Notification, "subject" | "project_id">): string | null {
  const [, kind, id] = /^\/v\d+\/(\w+)\/([\w-]+)/.exec(subject) ?? [];
  if (kind === "variants" && id !== undefined) return `#variant=${id}`;
  if (project_id !== null) return `#project=${project_id}`;
  return kind === "projects" && id !== undefined ? `#project=${id}` : null;
}
