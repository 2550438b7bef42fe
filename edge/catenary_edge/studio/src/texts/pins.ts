// Pinned designs.
export const pins = {
  title: "Pinned designs",
  now: "Now",
  numbered: (number: number) => `Pinned ${number}`,
  unpin: "Unpin",
  unpins: (name: string) => `Unpin ${name}`,
} as const;
