import argparse
import logging

from mpi4py import MPI

from bfs import BreadthFirst
from exchange import VertexExchange
from graph import LocalGraph, rmat_edges
from layout import BlockLayout


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--scale", type=int, default=10)
    p.add_argument("--degree", type=int, default=6)
    p.add_argument("--root", type=int, default=0)
    p.add_argument("--seed", type=int, default=20)
    return p.parse_args()


def main():
    opt = options()
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    layout = BlockLayout(1 << opt.scale, comm.size)
    src, dst = rmat_edges(opt.scale, opt.degree, opt.seed)
    graph = LocalGraph(src, dst, *layout.bounds(comm.rank))
    exchange = VertexExchange(comm, layout)
    search = BreadthFirst(comm, graph, layout, exchange)
    depth = search.run(opt.root)
    levels = search.histogram()
    moved = comm.reduce(exchange.volume, op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"depth {depth}, reached {levels.sum()} vertices, levels {levels.tolist()}, {moved} bytes moved")


if __name__ == "__main__":
    main()
