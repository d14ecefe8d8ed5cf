import jax
import jax.numpy as jnp

from runner import Runner


def main():
    jax.distributed.initialize(cluster_detection_method="mpi4py")
    runner = Runner(points=2400)
    for name, function in (("exp", jnp.exp), ("sin", jnp.sin)):
        value = runner.integrate(function)
        if runner.index == 0:
            print(f"integral of {name}: {value:.5f}")


if __name__ == "__main__":
    main()
