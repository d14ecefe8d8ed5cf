"""Tags.  A result carries its tile number on top of RESULT."""
WORK = 1
STOP = 2
RESULT = 100
