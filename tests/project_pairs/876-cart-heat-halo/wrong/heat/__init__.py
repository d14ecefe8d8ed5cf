"""Heat conduction on a rectangle, decomposed in both directions."""
