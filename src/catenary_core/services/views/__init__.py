"""The views service: saved views of projects, with their charts, controls and 3D settings."""
