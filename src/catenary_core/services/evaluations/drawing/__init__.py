"""Pictures of geometry: a rasteriser, shading, and the PNG format."""
