"""Population based search: each rank trains one learner, the best parameters are passed on to all."""
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI


@dataclass
class Options:
    generations: int = 5
    width: int = 16
    lr: float = 0.05
    jitter: float = 0.05
    seed: int = 3


def init(key, width):
    k1, k2 = jax.random.split(key)
    return {"w1": jax.random.normal(k1, (1, width)), "b1": jnp.zeros(width),
            "w2": jax.random.normal(k2, (width, 1)) / jnp.sqrt(width)}


def predict(p, x):
    return jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"]


def loss(p, x, y):
    return jnp.mean((predict(p, x) - y) ** 2)


@jax.jit
def train(p, x, y, lr):
    def body(_, p):
        g = jax.grad(loss)(p, x, y)
        return jax.tree.map(lambda a, b: a - lr * b, p, g)
    return jax.lax.fori_loop(0, 30, body, p)


class Population:
    def __init__(self, comm, opt):
        self.comm, self.opt = comm, opt
        self.key = jax.random.fold_in(jax.random.PRNGKey(opt.seed), comm.rank)
        self.params = init(self.key, opt.width)
        self.x = jnp.linspace(-2, 2, 64)[:, None]
        self.y = jnp.sin(2 * self.x)

    def mutate(self, generation):
        key = jax.random.fold_in(self.key, generation)
        leaves, tree = jax.tree.flatten(self.params)
        keys = jax.random.split(key, len(leaves))
        leaves = [a + self.opt.jitter * jax.random.normal(k, a.shape) for a, k in zip(leaves, keys)]
        self.params = jax.tree.unflatten(tree, leaves)

    def compete(self):
        """Replace the parameters by those of the rank with the smallest loss."""
        score = loss(self.params, self.x, self.y)
        scores = mpi4jax.gather(score, root=0, comm=self.comm)
        best = int(jnp.argmin(scores))
        self.params = jax.tree.map(
            lambda a: mpi4jax.bcast(a, root=best, comm=self.comm), self.params)
        return best

    def run(self):
        winners = []
        for generation in range(self.opt.generations):
            lr = self.opt.lr * (1.0 + 0.3 * ((self.comm.rank + generation) % self.comm.size))
            self.params = train(self.params, self.x, self.y, lr)
            winners.append(self.compete())
            if generation + 1 < self.opt.generations:
                self.mutate(generation)
        return winners


def main():
    comm = MPI.COMM_WORLD
    pop = Population(comm, Options())
    winners = pop.run()
    final = float(loss(pop.params, pop.x, pop.y))
    if comm.rank == 0:
        print("winners", winners, f"final loss {final:.5f}")


if __name__ == "__main__":
    main()
