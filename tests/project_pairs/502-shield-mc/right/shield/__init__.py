"""Monte Carlo transport of photons through a layered slab."""
