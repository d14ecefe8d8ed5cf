from __future__ import annotations

import logging

import numpy as np
from mpi4py import MPI

from recorder import Recorder, Session, Summary
from stations import Station, all_stations, assigned

log = logging.getLogger("rain")


def measure(session: Session, stations: list[Station]) -> None:
    rain = session.open("rain")
    for station in stations:
        rain.add(station.series())


def run(comm: MPI.Intracomm) -> Summary:
    with Session(comm) as session:
        stations = list(assigned(comm.rank, comm.size))
        measure(session, stations)
    return session.recorders.get("rain", Recorder(comm, "rain")).summary


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    comm = MPI.COMM_WORLD
    summary = run(comm)
    comm.Barrier()
    if comm.rank == 0:
        reference = np.concatenate([s.series() for s in all_stations()])
        log.info("%d samples, mean %.4f, max %.4f",
                 summary.count, summary.mean, summary.maximum)
        assert summary.count == reference.size
        assert np.isclose(summary.mean, reference.mean())


if __name__ == "__main__":
    main()
