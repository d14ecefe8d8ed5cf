"""Data-parallel fitting on a mesh that spans several processes."""
