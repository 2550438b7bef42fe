// The tool that measures.

export const measuring = {
  title: "Dimensions",
  along: { x: (length: string) => `ΔX ${length}`, y: (length: string) => `ΔY ${length}`, z: (length: string) => `ΔZ ${length}` },
  done: "Done",
  earlier: "of an earlier design",
  first: "Click the first place.",
  remove: (length: string) => `Remove ${length}`,
  removeAll: "Remove all",
  /** What is told of the search for edges. */
  search: {
    done: "",
    seeking: "Looking for edges…",
    many: "This model has too many edges for their ends to be taken.",
    failed: "Ends of edges of large parts can't be found in this browser.",
  },
  second: "Click the second place.",
} as const;
