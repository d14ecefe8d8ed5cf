"""Where processes that a test divides communicate differently."""
