// The cube of the 3D view.

export const cube = { sides: [["left", "right"], ["front", "back"], ["bottom", "top"]] } as const;

export const viewCube = {
  title: "View cube",
  home: "Home view",
  homeHint: "Home view (Home)",
} as const;
