"""The command ``jaxmpi-sanitize``."""
