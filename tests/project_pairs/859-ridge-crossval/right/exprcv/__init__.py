"""Cross-validated prediction of a phenotype from gene expression."""
