"""The generator of the native sources."""
