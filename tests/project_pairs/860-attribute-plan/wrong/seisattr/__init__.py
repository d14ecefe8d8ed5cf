"""Seismic attributes of a section, traces spread over the ranks."""
from . import plugins  # noqa: F401
