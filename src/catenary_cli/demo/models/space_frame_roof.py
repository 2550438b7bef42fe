"""A double-layer space frame roof, square on square offset, analysed by the direct stiffness method in space.

The upper grid has `bays_x` by `bays_y` squares; a lower node hangs under the middle of each and four diagonals join it
to the corners (Makowski, "Analysis, Design and Construction of Double-Layer Grids", 1981, chapter 1). The number of
bays so changes the topology. Joints are pinned, members circular steel tubes, checked for yield and for buckling
between nodes (EN 1993-1-1, 6.2.3, 6.2.4, 6.3.1). Lengths in metres, forces in newtons.
"""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve

PARAMETERS = [
    {"name": "length", "type": "number", "default": 36.0, "min": 9.0, "max": 120.0, "step": 0.5, "unit": "m",
     "group": "Geometry"},
    {"name": "width", "type": "number", "default": 27.0, "min": 9.0, "max": 120.0, "step": 0.5, "unit": "m",
     "group": "Geometry"},
    {"name": "depth", "type": "number", "default": 2.0, "min": 0.5, "max": 8.0, "step": 0.1, "unit": "m",
     "group": "Geometry", "description": "Between the two grids."},
    {"name": "bays_x", "type": "integer", "default": 12, "min": 3, "max": 30, "group": "Geometry"},
    {"name": "bays_y", "type": "integer", "default": 9, "min": 3, "max": 30, "group": "Geometry"},
    {"name": "supports", "type": "choice", "default": "edges", "choices": ["edges", "corners"], "group": "Geometry",
     "description": "Under every node of the upper grid's edge, or under its four corners."},
    {"name": "chord", "type": "number", "default": 114.0, "min": 42.0, "max": 406.0, "step": 1.0, "unit": "mm",
     "group": "Steel", "description": "Outer diameter of the grids' tubes; the wall is a twentieth of it."},
    {"name": "web", "type": "number", "default": 89.0, "min": 33.0, "max": 406.0, "step": 1.0, "unit": "mm",
     "group": "Steel", "description": "Outer diameter of the diagonals' tubes."},
    {"name": "load", "type": "number", "default": 2.5, "min": 0.2, "max": 12.0, "step": 0.1, "unit": "kN/m2",
     "group": "Load", "description": "Design load on the roof, the frame's own weight aside."},
]  # fmt: skip

METRICS = [
    {"name": "mass", "unit": "kg"},
    {"name": "mass_per_area", "unit": "kg/m2"},
    {"name": "members"},
    {"name": "nodes"},
    {"name": "deflection", "unit": "mm", "description": "Largest downward displacement of a node."},
    {"name": "deflection_ratio", "description": "Shorter side over deflection."},
    {"name": "utilisation", "description": "Largest force over resistance."},
]

CONSTRAINTS = [
    {"name": "strength", "metric": "utilisation", "op": "<=", "value": 1.0},
    {"name": "stiffness", "metric": "deflection_ratio", "op": ">=", "value": 250.0},
]

E = 210e9  # Pa, EN 1993-1-1, 3.2.6
STRENGTH = 355e6  # Pa, S355, EN 1993-1-1, table 3.1
DENSITY = 7850.0  # kg/m3, EN 1991-1-1, table A.4
GRAVITY = 9.81
IMPERFECTION = 0.21  # buckling curve a, hot finished hollow sections: EN 1993-1-1, tables 6.1 and 6.2


def tube(diameter):
    """Area and radius of gyration of a tube whose wall is a twentieth of its diameter."""
    inner = 0.9 * diameter
    return np.pi / 4 * (diameter**2 - inner**2), np.hypot(diameter, inner) / 4


def grid(length, width, depth, bays_x, bays_y):
    """Nodes, the two nodes of each bar, and how many of these are chords (they come first)."""
    x, y = np.linspace(0, length, bays_x + 1), np.linspace(0, width, bays_y + 1)
    top = np.array([(i, j, depth) for j in y for i in x])
    low = np.array([(i, j, 0.0) for j in (y[1:] + y[:-1]) / 2 for i in (x[1:] + x[:-1]) / 2])
    upper = np.arange(len(top)).reshape(bays_y + 1, bays_x + 1)
    lower = len(top) + np.arange(len(low)).reshape(bays_y, bays_x)
    chords = [(g[:, :-1], g[:, 1:]) for g in (upper, lower)] + [(g[:-1], g[1:]) for g in (upper, lower)]
    corners = (upper[:-1, :-1], upper[:-1, 1:], upper[1:, :-1], upper[1:, 1:])
    pairs = [*chords, *((lower, corner) for corner in corners)]
    ends = np.concatenate([np.column_stack([a.ravel(), b.ravel()]) for a, b in pairs])
    return np.vstack([top, low]), ends, sum(a.size for a, _ in chords), upper


def analyse(nodes, ends, areas, loads, fixed):
    """Displacements of the nodes (m) and axial forces of the bars (N, tension positive)."""
    count, axes = nodes.shape
    vectors = nodes[ends[:, 1]] - nodes[ends[:, 0]]
    lengths = np.linalg.norm(vectors, axis=1)
    both = np.hstack([-vectors, vectors]) / lengths[:, None]
    stiffness = E * areas / lengths
    freedoms = (ends[:, :, None] * axes + np.arange(axes)).reshape(len(ends), -1)
    entries = stiffness[:, None, None] * both[:, :, None] * both[:, None, :]
    rows, columns = np.repeat(freedoms, 2 * axes, axis=1), np.tile(freedoms, 2 * axes)
    matrix = coo_array((entries.ravel(), (rows.ravel(), columns.ravel())), shape=(count * axes,) * 2).tocsc()
    free = np.setdiff1d(np.arange(count * axes), fixed)
    moved = np.zeros(count * axes)
    moved[free] = spsolve(matrix[free][:, free], loads.ravel()[free])
    return moved.reshape(count, axes), stiffness * (both * moved[freedoms]).sum(axis=1)


def resistance(force, length, area, gyration):
    """Yield in tension, flexural buckling in compression (EN 1993-1-1, 6.3.1.2, with gamma = 1), N."""
    slenderness = length / gyration / (np.pi * np.sqrt(E / STRENGTH))
    phi = 0.5 * (1 + IMPERFECTION * (slenderness - 0.2) + slenderness**2)
    chi = np.minimum(1.0, 1 / (phi + np.sqrt(np.maximum(phi**2 - slenderness**2, 0))))
    return np.where(force < 0, chi, 1.0) * area * STRENGTH


def tubes(starts, ends, radii, sides=6):
    """Vertices and faces of one closed prism a bar."""
    axis = (ends - starts) / np.linalg.norm(ends - starts, axis=1, keepdims=True)
    helper = np.where(np.abs(axis[:, 2:]) < 0.9, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
    first = np.cross(axis, helper)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(axis, first)
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)[:, None]
    ring = radii[:, None, None] * (np.cos(turn) * first[:, None] + np.sin(turn) * second[:, None])
    vertices = np.concatenate([starts[:, None] + ring, ends[:, None] + ring], axis=1)
    i, j = np.arange(sides), np.roll(np.arange(sides), -1)
    side = [np.column_stack(face) for face in ((i, j, j + sides), (i, j + sides, i + sides))]
    cap = np.array([(0, k + 1, k) for k in range(1, sides - 1)])
    faces = np.concatenate([*side, cap, cap[:, ::-1] + sides])
    offset = 2 * sides * np.arange(len(starts))[:, None, None]
    return vertices.reshape(-1, 3), (faces + offset).reshape(-1, 3)


def evaluate(p):
    bays_x, bays_y = p["bays_x"], p["bays_y"]
    nodes, ends, chords, upper = grid(p["length"], p["width"], p["depth"], bays_x, bays_y)
    diameters = np.full(len(ends), p["web"] / 1000)
    diameters[:chords] = p["chord"] / 1000
    areas, gyrations = tube(diameters)
    lengths = np.linalg.norm(nodes[ends[:, 1]] - nodes[ends[:, 0]], axis=1)
    masses = DENSITY * areas * lengths

    # Each upper node carries the roof half a bay around it, every node half of its bars.
    share = np.full(upper.shape, p["length"] * p["width"] / (bays_x * bays_y))
    share[[0, -1]] /= 2
    share[:, [0, -1]] /= 2
    loads = np.zeros_like(nodes)
    loads[: upper.size, 2] = -1000 * p["load"] * share.ravel()
    np.add.at(loads[:, 2], ends.ravel(), np.repeat(-GRAVITY * masses / 2, 2))

    # Held in height everywhere, sideways at three corners only, so that the frame may spread freely.
    corners = upper[[0, 0, -1, -1], [0, -1, 0, -1]]
    edge = np.unique(np.concatenate([upper[0], upper[-1], upper[:, 0], upper[:, -1]]))
    held = edge if p["supports"] == "edges" else corners
    sideways = [3 * corners[0], 3 * corners[0] + 1, 3 * corners[1] + 1]
    moved, forces = analyse(nodes, ends, areas, loads, fixed=[*(3 * held + 2), *sideways])

    utilisation = np.abs(forces) / resistance(forces, lengths, areas, gyrations)
    deflection = -moved[:, 2].min()
    kinds = {"grids": slice(chords), "diagonals": slice(chords, None)}
    parts = {
        kind: {"mesh": tubes(nodes[ends[bars, 0]], nodes[ends[bars, 1]], diameters[bars] / 2), "color": color}
        for (kind, bars), color in zip(kinds.items(), ("#3d5a80", "#98c1d9"), strict=True)
    }
    return {
        "metrics": {
            "mass": masses.sum(),
            "mass_per_area": masses.sum() / (p["length"] * p["width"]),
            "members": len(ends),
            "nodes": len(nodes),
            "deflection": 1000 * deflection,
            "deflection_ratio": min(p["length"], p["width"]) / deflection,
            "utilisation": utilisation.max(),
        },
        "tables": {
            "groups": [
                {"group": kind, "members": len(lengths[bars]), "mass [kg]": masses[bars].sum(),
                 "tension [kN]": max(forces[bars].max(), 0.0) / 1000,
                 "compression [kN]": min(forces[bars].min(), 0.0) / 1000, "utilisation": utilisation[bars].max()}
                for kind, bars in kinds.items()
            ],
        },
        "geometry": {"roof": {"parts": parts}},
    }  # fmt: skip
