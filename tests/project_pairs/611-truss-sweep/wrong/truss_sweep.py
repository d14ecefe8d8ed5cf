"""Parameter sweep over braced frames: tip displacement versus brace area.

Each pass evaluates one design per process.  After every pass all processes know
the best design so far and the sweep ends as soon as the weight target is met.
"""
import itertools
import numpy as np
from mpi4py import MPI
from scipy.linalg import cho_factor, cho_solve

E_STEEL = 210e9
WIDTH, HEIGHT = 3.0, 4.0
LOAD = 40e3
LIMIT = 35.0e-3
TARGET = 1500.0


class MechanismError(ValueError):
    """The frame has too few members to be rigid (Maxwell count)."""


def nodes(nstorey):
    return np.array([(x * WIDTH, y * HEIGHT) for y in range(nstorey + 1) for x in (0, 1)])


def members(nstorey, a_col, a_beam, a_brace):
    out = []
    for s in range(nstorey):
        b = 2 * s
        out += [(b, b + 2, a_col), (b + 1, b + 3, a_col), (b + 2, b + 3, a_beam)]
        if a_brace > 0.0:
            out.append((b, b + 3, a_brace))
    return out


def assemble(xy, elems):
    k = np.zeros((2 * len(xy), 2 * len(xy)))
    weight = 0.0
    for i, j, area in elems:
        d = xy[j] - xy[i]
        length = np.hypot(*d)
        c = d / length
        ke = E_STEEL * area / length * np.outer(c, c)
        dof_i, dof_j = [2 * i, 2 * i + 1], [2 * j, 2 * j + 1]
        k[np.ix_(dof_i, dof_i)] += ke
        k[np.ix_(dof_j, dof_j)] += ke
        k[np.ix_(dof_i, dof_j)] -= ke
        k[np.ix_(dof_j, dof_i)] -= ke
        weight += 7850.0 * area * length
    return k, weight


def analyse(design, nstorey=4):
    xy = nodes(nstorey)
    elems = members(nstorey, *design)
    if len(elems) + 4 < 2 * len(xy):
        raise MechanismError(f"{len(elems)} members for {len(xy)} nodes")
    k, weight = assemble(xy, elems)
    free = slice(4, None)                      # both ground nodes are pinned
    f = np.zeros(2 * len(xy))
    f[4::4] = LOAD                             # wind on the left nodes
    u = cho_solve(cho_factor(k[free, free]), f[free])
    return abs(u[-2]), weight


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    cols = (4e-3, 6e-3, 8e-3)
    beams = (2e-3, 4e-3)
    braces = (0.0, 1e-3, 2e-3, 4e-3)
    designs = list(itertools.product(cols, beams, braces))
    npass = -(-len(designs) // size)

    best = (np.inf, None)
    for p in range(npass):
        idx = p * size + rank
        candidate = (np.inf, None)
        if idx < len(designs):
            try:
                tip, weight = analyse(designs[idx])
            except MechanismError as err:
                print(f"[{rank}] skipped {designs[idx]}: {err}", flush=True)
                continue
            else:
                if tip <= LIMIT:
                    candidate = (weight, designs[idx])
        found = comm.allgather(candidate)
        best = min([best] + found, key=lambda wd: wd[0])
        if best[0] < TARGET:
            break

    if rank == 0:
        if best[1] is None:
            print("no design meets the limit")
        else:
            print(f"best after {p + 1} passes: {best[0]:.1f} kg, areas {best[1]}")


if __name__ == "__main__":
    main()
