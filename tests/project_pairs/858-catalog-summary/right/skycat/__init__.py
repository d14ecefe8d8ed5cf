"""Source catalogues spread over the ranks by declination zone."""
