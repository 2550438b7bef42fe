"""A tower whose floor plates turn and shrink on the way up.

The envelope is a regular polygon, extruded with a linear taper and a linear twist. Areas and volume come from the
solid itself. Lengths in metres, angles in degrees.
"""

from manifold3d import CrossSection, Manifold

PARAMETERS = [
    {"name": "storeys", "type": "integer", "default": 48, "min": 8, "max": 120, "group": "Height"},
    {"name": "storey_height", "type": "number", "default": 3.6, "min": 2.8, "max": 5.0, "step": 0.1, "unit": "m",
     "group": "Height", "description": "From floor to floor."},
    {"name": "width", "type": "number", "default": 36.0, "min": 15.0, "max": 80.0, "step": 0.5, "unit": "m",
     "positive": True, "group": "Plan", "description": "Diameter of the circle around the lowest floor."},
    {"name": "sides", "type": "integer", "default": 5, "min": 3, "max": 12, "group": "Plan"},
    {"name": "taper", "type": "number", "default": 0.65, "min": 0.3, "max": 1.0, "step": 0.01, "group": "Plan",
     "description": "Width of the roof over the width of the lowest floor."},
    {"name": "twist", "type": "number", "default": 120.0, "min": 0.0, "max": 360.0, "step": 1.0, "unit": "deg",
     "group": "Plan", "description": "Turn of the roof against the lowest floor."},
]  # fmt: skip

METRICS = [
    {"name": "height", "unit": "m"},
    {"name": "floor_area", "unit": "m2", "description": "Sum of all floor plates, core included."},
    {"name": "facade_area", "unit": "m2", "description": "The envelope without roof and base."},
    {"name": "volume", "unit": "m3", "description": "Enclosed by the envelope."},
    {"name": "slenderness", "description": "Height over base width."},
    {"name": "wall_to_floor", "description": "Facade area over floor area: low is cheap and warm."},
    {"name": "twist_per_storey", "unit": "deg"},
]

# Towers over 10:1 count as slender and need special measures against wind (The Skyscraper Museum, New York, "Sky High
# & the Logic of Luxury", 2013). The Evolution Tower in Moscow turns by 3 degrees a storey.
CONSTRAINTS = [
    {"name": "not_slender", "metric": "slenderness", "op": "<=", "value": 10.0},
    {"name": "buildable_twist", "metric": "twist_per_storey", "op": "<=", "value": 3.0},
    {"name": "compact", "metric": "wall_to_floor", "op": "<=", "value": 0.6},
]

SLAB = 0.35  # thickness, m
INSET = 0.97  # slab width over envelope width
CORE = 0.3  # core width over roof width
CONCRETE = 2400.0  # kg/m3


def evaluate(p):
    storeys = p["storeys"]
    height = storeys * p["storey_height"]
    plan = CrossSection.circle(p["width"] / 2, p["sides"])
    top = (p["taper"], p["taper"])
    envelope = plan.extrude(height, n_divisions=storeys - 1, twist_degrees=p["twist"], scale_top=top)

    def plate(storey):
        at = storey / storeys
        size = 1 - (1 - p["taper"]) * at
        return plan.scale((size, size)).rotate(p["twist"] * at)

    plates = [plate(storey) for storey in range(storeys)]
    floor_area = sum(plate.area() for plate in plates)
    facade_area = envelope.surface_area() - plan.area() - plate(storeys).area()
    slabs = Manifold.compose(
        [
            plate.scale((INSET, INSET)).extrude(SLAB).translate((0, 0, storey * p["storey_height"]))
            for storey, plate in enumerate(plates)
        ]
    )
    core = CrossSection.circle(CORE * p["taper"] * p["width"] / 2, 24).extrude(height)
    return {
        "metrics": {
            "height": height,
            "floor_area": floor_area,
            "facade_area": facade_area,
            "volume": envelope.volume(),
            "slenderness": height / p["width"],
            "wall_to_floor": facade_area / floor_area,
            "twist_per_storey": p["twist"] / storeys,
        },
        "geometry": {
            "tower": {
                "parts": {
                    "slabs": {"mesh": slabs, "density": CONCRETE, "color": "#d9d4c7"},
                    "core": {"mesh": core, "color": "#8c8577"},
                }
            },
            "envelope": {"mesh": envelope, "color": "#7fb2d1"},
        },
    }
