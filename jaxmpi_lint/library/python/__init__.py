"""What functions of Python, numpy and the operating system do, by their names; written by hand."""
