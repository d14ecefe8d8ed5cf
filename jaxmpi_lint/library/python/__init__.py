"""Facts about functions of Python, numpy and the operating system, by name; handwritten."""
