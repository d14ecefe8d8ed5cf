"""Remove the instrument sensitivity from the amplitudes of one event."""
import csv
import logging
import sys

from mpi4py import MPI

from stationresp.client import InventoryClient
from stationresp.inventory import InventoryServer
from stationresp.waveforms import raw_amplitudes


def correct(comm):
    rows = []
    with InventoryClient(comm) as inventory:
        for network, station, counts in raw_amplitudes(comm.rank - 1,
                                                       comm.size - 1):
            gain, corner = inventory.response(network, station)
            rows.append((network, station, counts / gain, corner))
    return rows


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        sys.exit("needs one rank for the inventory and one for waveforms")
    logging.basicConfig(level=logging.INFO,
                        format=f"[{comm.rank}] %(message)s")
    if comm.rank == 0:
        InventoryServer(comm, n_clients=comm.size - 1).serve()
        rows = []
    else:
        rows = correct(comm)
    tables = comm.gather(rows, root=0)
    if comm.rank == 0:
        writer = csv.writer(sys.stdout)
        writer.writerow(["network", "station", "velocity_mm_s", "corner_hz"])
        for network, station, velocity, corner in sorted(sum(tables, [])):
            writer.writerow([network, station, f"{velocity:.3f}",
                             f"{corner:.2f}"])


if __name__ == "__main__":
    main()
