"""Detection of defects and the reasons for them: one package for each family of rules."""
