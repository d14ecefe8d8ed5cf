"""One-dimensional electrostatic particle-in-cell code, periodic."""
