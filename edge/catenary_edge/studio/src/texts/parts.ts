// The tool that hides and colours parts.

export const parts = {
  title: "Parts",
  beside: (name: string) => `Show all beside ${name}`,
  close: "Close the list of parts",
  colour: (name: string) => `Colour of ${name}`,
  filter: "Filter",
  filterParts: "Filter parts",
  more: (number: number) => `${number} more. Type a part of the name to find them.`,
  none: "No part has this text in its name.",
  resetColour: (name: string) => `Reset the colour of ${name}`,
  show: (name: string) => `Show ${name}`,
  showAll: "Show all",
  zoom: (name: string) => `Zoom to ${name}`,
} as const;
