// The tool that cuts the model open.

export const section = {
  title: "Section",
  axes: {
    x: { label: "X", about: "Across the X axis" },
    y: { label: "Y", about: "Across the Y axis" },
    z: { label: "Z", about: "Across the Z axis, as a plan" },
    view: { label: "As I look", about: "Across the present direction of view" },
  },
  depth: "Depth",
  direction: "Direction of the section",
  end: "End the section",
  flip: "Flip",
  flipHint: "Cut away the other side",
  length: "Must be a length, like 2.5 or 300 mm.",
  place: "Place of the section",
} as const;
