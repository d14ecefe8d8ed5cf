"""select c.region, sum(o.amount) from orders o join customers c using (id) group by c.region"""
import numpy as np
from mpi4py import MPI

from shuffle import repartition

CUSTOMERS, ORDERS, REGIONS = 5000, 60000, 4


def my_slice(n, comm):
    return slice(n * comm.rank // comm.size, n * (comm.rank + 1) // comm.size)


def load_customers(comm):
    ids = np.random.default_rng(3).permutation(10 * CUSTOMERS)[:CUSTOMERS].astype(np.int64)
    region = (ids % REGIONS).astype(float)
    part = my_slice(CUSTOMERS, comm)
    return ids[part], region[part]


def load_orders(comm):
    ids = np.random.default_rng(3).permutation(10 * CUSTOMERS)[:CUSTOMERS].astype(np.int64)
    rng = np.random.default_rng(4)
    buyer = ids[rng.integers(0, CUSTOMERS, ORDERS)]
    amount = np.round(rng.gamma(2.0, 30.0, ORDERS), 2)
    part = my_slice(ORDERS, comm)
    return buyer[part], amount[part]


def join(left_keys, left_values, right_keys, right_values):
    """Values of both sides for each right row that has a partner (left keys are unique)."""
    order = np.argsort(left_keys)
    at = np.searchsorted(left_keys[order], right_keys)
    at = np.minimum(at, len(order) - 1)
    ok = left_keys[order][at] == right_keys
    return left_values[order][at[ok]], right_values[ok]


def main():
    comm = MPI.COMM_WORLD
    customers = repartition(comm, *load_customers(comm))
    orders = repartition(comm, *load_orders(comm))
    region, amount = join(*customers, *orders)

    local = np.bincount(region.astype(int), weights=amount, minlength=REGIONS)
    total = np.empty_like(local)
    comm.Allreduce(local, total)
    joined = comm.allreduce(len(amount))
    if comm.rank == 0:
        print(f"{joined} rows joined")
        for r, t in enumerate(total):
            print(f"region {r}: {t:14.2f}")


if __name__ == "__main__":
    main()
