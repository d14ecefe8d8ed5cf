"""Streams processed microscope tiles to the rank that builds the mosaic."""
