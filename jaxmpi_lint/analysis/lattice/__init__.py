"""Values, uniformity, communicators, bound calls: data only."""
