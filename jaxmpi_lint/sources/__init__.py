"""Input files: discovery, bytes, encodings, notebooks, comments, and imports found by a scan."""
