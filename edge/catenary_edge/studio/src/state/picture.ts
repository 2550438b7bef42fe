// The picture of a variant: asked for until it is there.

/** An answer to a request for a picture; `again` in seconds where it is still being made. */
export type Picture = { bytes: Blob } | { again: number };

const MOST_TRIES = 30;
const LONGEST_SECONDS = 10;

/** Ask for a picture until it is there; null after too many tries, or once nobody waits for it any more. */
export async function pictureOf(
  ask: () => Promise<Picture>,
  isWanted: () => boolean,
  pause: (milliseconds: number) => Promise<void> = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
): Promise<Blob | null> {
  for (let tries = 0; tries < MOST_TRIES && isWanted(); tries += 1) {
    const found = await ask();
    if ("bytes" in found) return isWanted() ? found.bytes : null;
    await pause(1000 * Math.min(LONGEST_SECONDS, Math.max(1, found.again || 1)));
  }
  return null;
}
