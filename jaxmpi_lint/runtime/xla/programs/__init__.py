"""Texts of compiled programs: their collectives, their lines, and how two programs differ."""
