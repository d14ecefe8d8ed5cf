"""Monte Carlo transport of neutrons through a layered slab."""
