"""Values that only some ranks have, and that others use."""
