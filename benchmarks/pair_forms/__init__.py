"""The forms in which `pairs.py` shows a program to the linter: different layouts and ways to start the same code."""
