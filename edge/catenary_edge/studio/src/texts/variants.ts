// Variants, and their comparison.

export const comparison = {
  title: "Comparison",
  against: (name: string) => `Differences are against ${name}.`,
} as const;

export const picture = { none: "No picture", waiting: "Drawing…" } as const;

export const sharing = {
  ended: "This variant is shared with you no more.",
  noComments: "You may not comment on this variant any more. Your text is kept here until you leave.",
} as const;

export const variants = {
  compareFew: "Compare 2 to 4 of them",
  compareThese: (number: number) => `Compare ${number}`,
  computing: "It is being computed.",
  failed: "Its evaluation failed.",
  loading: "Loading variants…",
  none: "Nobody has saved a design yet.",
  noneYours: "No design is saved yet. A saved design keeps its values, numbers and geometry for good.",
  note: "Note",
  openDesign: "Open this design",
  save: "Save as variant",
  toCompare: (name: string) => `Compare ${name}`,
} as const;
