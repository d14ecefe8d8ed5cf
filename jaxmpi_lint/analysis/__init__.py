"""From the text of a project to a model that rules can query."""
