// Calls of the API for the caller's notifications.
import type { NotificationCalls } from "../state/notifications.ts";
import type { Client } from "./client.ts";

/** Notifications that are listed. */
const LISTED = 30;

export function notificationCalls(client: Client): NotificationCalls {
  const path = "/v1/notifications";
  return {
    list: async () => (await client.page(path, "notifications", LISTED, null)).rows as Awaited<ReturnType<NotificationCalls["list"]>>,
    mark: (id, read) => client.change("PATCH", `${path}/${encodeURIComponent(id)}`, "notification", { read }),
  };
}
