import jax
from jax.sharding import NamedSharding, PartitionSpec as P
def main(init, mesh, seed):
    rng = jax.random.PRNGKey(seed + jax.process_index())
    init_jit = jax.jit(init, in_shardings=(NamedSharding(mesh, P()),), out_shardings=NamedSharding(mesh, P()))
    return init_jit(rng)
