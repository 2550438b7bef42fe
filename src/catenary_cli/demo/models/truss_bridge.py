"""A footbridge on two Pratt trusses, analysed by the direct stiffness method.

Each truss is a plane frame of bars with pinned ends (Przemieniecki, "Theory of Matrix Structural Analysis", 1968,
chapter 5): a bar of length L and area A has the axial stiffness EA/L, in global axes EA/L * d d^T with d its direction
at one end and -d at the other. Members are circular steel tubes, checked for yield and for buckling between nodes
(EN 1993-1-1, 6.2.3, 6.2.4, 6.3.1). Lengths in metres, forces in newtons.
"""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve

PARAMETERS = [
    {"name": "span", "type": "number", "default": 40.0, "min": 10.0, "max": 90.0, "step": 1.0, "unit": "m",
     "group": "Geometry"},
    {"name": "depth", "type": "number", "default": 4.0, "min": 1.0, "max": 12.0, "step": 0.1, "unit": "m",
     "group": "Geometry", "description": "Between the axes of the chords."},
    {"name": "panels", "type": "integer", "default": 8, "min": 4, "max": 20, "step": 2, "group": "Geometry"},
    {"name": "chord", "type": "number", "default": 194.0, "min": 76.0, "max": 711.0, "step": 1.0, "unit": "mm",
     "group": "Steel", "description": "Outer diameter of the chords' tubes; the wall is a twentieth of it."},
    {"name": "web", "type": "number", "default": 114.0, "min": 42.0, "max": 508.0, "step": 1.0, "unit": "mm",
     "group": "Steel", "description": "Outer diameter of the posts' and diagonals' tubes."},
    {"name": "grade", "type": "choice", "default": "S355", "choices": ["S235", "S275", "S355"], "group": "Steel"},
    {"name": "paint", "type": "color", "default": "#a33b2e", "group": "Steel", "order": 1},
    {"name": "load", "type": "number", "default": 18.0, "min": 1.0, "max": 80.0, "step": 0.5, "unit": "kN/m",
     "group": "Load", "description": "Design load on the lower chord of one truss, its own weight aside."},
]  # fmt: skip

METRICS = [
    {"name": "mass", "unit": "kg", "description": "Steel of both trusses."},
    {"name": "deflection", "unit": "mm", "description": "Largest downward displacement of a node."},
    {"name": "deflection_ratio", "description": "Span over deflection."},
    {"name": "utilisation", "description": "Largest force over resistance."},
]

CONSTRAINTS = [
    {"name": "strength", "metric": "utilisation", "op": "<=", "value": 1.0},
    {"name": "stiffness", "metric": "deflection_ratio", "op": ">=", "value": 300.0},
]

E = 210e9  # Pa, EN 1993-1-1, 3.2.6
DENSITY = 7850.0  # kg/m3, EN 1991-1-1, table A.4
GRAVITY = 9.81
YIELD = {"S235": 235e6, "S275": 275e6, "S355": 355e6}  # Pa, EN 1993-1-1, table 3.1, t <= 40 mm
IMPERFECTION = 0.21  # buckling curve a, hot finished hollow sections: EN 1993-1-1, tables 6.1 and 6.2
WIDTH = 3.0  # between the trusses, m


def tube(diameter):
    """Area and radius of gyration of a tube whose wall is a twentieth of its diameter."""
    inner = 0.9 * diameter
    return np.pi / 4 * (diameter**2 - inner**2), np.hypot(diameter, inner) / 4


def pratt(span, depth, panels):
    """Nodes (x, z) and bars (start, end, kind); diagonals fall towards midspan, so that they are in tension."""
    x = np.linspace(0, span, panels + 1)
    nodes = [(at, 0.0) for at in x] + [(at, depth) for at in x[1:-1]]
    low, high = range(panels + 1), [None, *range(panels + 1, 2 * panels), None]
    bars = [(low[i], low[i + 1], "chord") for i in range(panels)]
    bars += [(high[i], high[i + 1], "chord") for i in range(1, panels - 1)]
    bars += [(low[0], high[1], "chord"), (high[panels - 1], low[panels], "chord")]
    bars += [(low[i], high[i], "web") for i in range(1, panels)]
    half = panels // 2
    bars += [(high[i], low[i + 1], "web") for i in range(1, half)]
    bars += [(high[i], low[i - 1], "web") for i in range(half + 1, panels)]
    return np.array(nodes), bars


def analyse(nodes, ends, areas, loads, fixed):
    """Displacements of the nodes (m) and axial forces of the bars (N, tension positive).

    `ends` has the two nodes of each bar, `loads` the force on each node, `fixed` the held degrees of freedom, node by
    node. Works in the plane and in space.
    """
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


def resistance(force, length, area, gyration, strength):
    """Yield in tension, flexural buckling in compression (EN 1993-1-1, 6.3.1.2, with gamma = 1), N."""
    slenderness = length / gyration / (np.pi * np.sqrt(E / strength))
    phi = 0.5 * (1 + IMPERFECTION * (slenderness - 0.2) + slenderness**2)
    chi = np.minimum(1.0, 1 / (phi + np.sqrt(np.maximum(phi**2 - slenderness**2, 0))))
    return np.where(force < 0, chi, 1.0) * area * strength


def tubes(starts, ends, radii, sides=8):
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
    nodes, bars = pratt(p["span"], p["depth"], p["panels"])
    ends = np.array([bar[:2] for bar in bars])
    diameters = np.array([p[kind] / 1000 for _, _, kind in bars])
    areas, gyrations = tube(diameters)
    lengths = np.linalg.norm(nodes[ends[:, 1]] - nodes[ends[:, 0]], axis=1)
    masses = DENSITY * areas * lengths

    loads = np.zeros_like(nodes)
    np.add.at(loads[:, 1], ends.ravel(), np.repeat(-GRAVITY * masses / 2, 2))
    panels = p["panels"]
    loads[: panels + 1, 1] -= 1000 * p["load"] * p["span"] / panels
    loads[[0, panels], 1] += 1000 * p["load"] * p["span"] / panels / 2
    moved, forces = analyse(nodes, ends, areas, loads, fixed=[0, 1, 2 * panels + 1])

    limits = resistance(forces, lengths, areas, gyrations, YIELD[p["grade"]])
    utilisation = np.abs(forces) / limits
    deflection = -moved[:, 1].min()

    flat = np.column_stack([nodes[:, 0], np.zeros(len(nodes)), nodes[:, 1]])
    shift = np.array([0.0, WIDTH, 0.0])
    members = [
        {"member": i + 1, "kind": bars[i][2], "length [m]": lengths[i], "force [kN]": forces[i] / 1000,
         "resistance [kN]": limits[i] / 1000, "utilisation": utilisation[i]}
        for i in range(len(bars))
    ]  # fmt: skip
    schedule = [",".join(members[0]), *(",".join(map(str, member.values())) for member in members)]
    vertices, faces = tubes(flat[ends[:, 0]], flat[ends[:, 1]], diameters / 2)
    cross = [(flat[i], flat[i] + shift) for i in range(panels + 1)]
    beams = tubes(*(np.array(side) for side in zip(*cross, strict=True)), np.full(panels + 1, p["web"] / 2000))
    return {
        "metrics": {
            "mass": 2 * masses.sum(),
            "deflection": 1000 * deflection,
            "deflection_ratio": p["span"] / deflection,
            "utilisation": utilisation.max(),
        },
        "tables": {"members": members},
        "charts": {"utilisation": {"kind": "bar", "table": "members", "x": "member", "y": ["utilisation"]}},
        "files": {"members.csv": "\n".join([*schedule, ""]).encode()},
        "geometry": {
            "bridge": {"parts": {
                "left": {"mesh": (vertices, faces), "color": p["paint"]},
                "right": {"mesh": (vertices + shift, faces), "color": p["paint"]},
                "cross_beams": {"mesh": beams, "color": "#5b5b5b"},
            }},
        },
    }  # fmt: skip
