"""Which files there are, their bytes, encodings, notebooks, comments, and imports by a scan."""
