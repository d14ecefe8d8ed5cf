"""Defects that `planted.py` plants: the sites, the kinds, the chains of calls, and the findings about them."""
