// The 3D view, but for its tools.

export const geometry = {
  lacksArray: "The geometry lacks an array.",
  noGlb: "The geometry is no GLB file.",
  unknownArray: "The geometry has an array of an unknown type.",
} as const;

export const namedViews = { front: "Front", back: "Back", left: "Left", right: "Right", top: "Top", bottom: "Bottom", isometric: "Isometric" } as const;

export const picking = {
  beside: "That was beside the model. Click on the model.",
  click: "Click the place on the model.",
  middle: "Middle of the view",
} as const;

export const viewTools = {
  title: "View",
  about: "Named views, projection, edges and background",
  backgrounds: { page: "Page ground", light: "Light ground", dark: "Dark ground" },
  edges: "Edges",
  fit: "Fit",
  fitHint: "Bring all into view (F)",
  hiddenParts: "Hidden parts",
  projections: { perspective: "Perspective", orthographic: "Orthographic" },
  tools: {
    views: { label: "Saved views", about: "Open and save views of this project" },
    parts: { label: "Parts", about: "Hide, isolate and colour parts" },
    section: { label: "Section", about: "Cut the model open" },
    measure: { label: "Measure", about: "Measure between two places" },
  },
} as const;

export const viewer = {
  title: "3D view. Drag to turn, right drag to move, wheel to zoom. Keys: arrows turn, with Shift they move, plus and minus zoom, 1 to 7 are named views, Home is the first view, F fits all.",
  computing: "Computing the design…",
  none: "This design has no geometry.",
  toolLost: "This tool could not be loaded. Check the connection and try again.",
  withoutWebGL: "The 3D view needs WebGL, which this browser does not offer.",
} as const;

export const views = {
  changed: (view: string) => `Somebody else changed “${view}” meanwhile. It is shown here as it is now: look at it, then try again.`,
  deleted: (view: string) => `Somebody else deleted “${view}” meanwhile.`,
} as const;
