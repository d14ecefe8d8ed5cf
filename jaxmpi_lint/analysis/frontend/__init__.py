"""Translation of source text, parsed by LibCST, to the intermediate representation."""
