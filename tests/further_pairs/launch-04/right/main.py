import os

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

SAMPLES = 53


class LeastSquares:
    """Normal equations of a polynomial fit; the samples are spread over the processes."""

    def __init__(self, mesh: Mesh, degree: int = 3):
        self.sharding = NamedSharding(mesh, P("rows"))
        self.degree = degree

    def local_rows(self, x, y):
        index, count = jax.process_index(), jax.process_count()
        table = np.column_stack([x**k for k in range(self.degree + 1)] + [y])
        table = np.pad(table, ((0, -len(x) % jax.device_count()), (0, 0)))
        return np.array_split(table.astype(np.float32), count)[index]

    def fit(self, x, y):
        rows = jax.make_array_from_process_local_data(self.sharding, self.local_rows(x, y))
        gram = np.asarray(jax.jit(lambda t: t.T @ t)(rows), dtype=np.float64)
        solution = np.linalg.solve(gram[:-1, :-1], gram[:-1, -1])
        combination = np.append(solution, -1.0).astype(np.float32)
        everywhere = NamedSharding(self.sharding.mesh, P())
        residuals = jax.jit(lambda t, c: t @ c, out_shardings=everywhere)(rows, combination)
        return solution, np.sort(np.abs(np.asarray(residuals)))


def main() -> None:
    jax.distributed.initialize(
        os.environ["COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["WORLD_SIZE"]),
        process_id=int(os.environ["RANK"]),
    )
    mesh = Mesh(np.array(jax.devices()), ("rows",))
    x = np.linspace(-1.0, 1.0, SAMPLES)
    y = np.exp(x)
    solution, residuals = LeastSquares(mesh).fit(x, y)
    if jax.process_index() == 0:
        print("coefficients", np.round(solution, 3), "largest errors", residuals[-3:].round(4))


if __name__ == "__main__":
    main()
