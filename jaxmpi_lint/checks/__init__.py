"""What finds the places of one defect and says why, one package for each family of rules."""
