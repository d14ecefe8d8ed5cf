"""Field calibration of wide-angle survey frames."""

__version__ = "0.9.2"
