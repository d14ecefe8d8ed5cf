"""From text over LibCST to the intermediate representation."""
