import numpy as np
from mpi4py import MPI


def seismogram(station: int, n: int = 400) -> np.ndarray:
    rng = np.random.default_rng(station)
    noise = 0.05 * rng.normal(size=n)
    onset = 100 + 10 * station
    t = np.arange(n)
    pulse = np.where(t > onset, np.exp(-(t - onset) / 40.0) * np.sin(0.3 * (t - onset)), 0.0)
    return noise + pulse / (1 + station)


def main():
    world = MPI.COMM_WORLD
    me, many = world.Get_rank(), world.Get_size()

    stations = list(range(me, 9, many))
    traces = {s: seismogram(s) for s in stations}
    local_peak = max(float(np.abs(trace).max()) for trace in traces.values())

    peak = world.reduce(local_peak, op=MPI.MAX, root=many - 1)
    number = world.reduce(len(stations), op=MPI.SUM, root=0)
    if me == 0:
        summary = {"stations": number, "peak": peak}
        print("stations:", summary["stations"])
        print("peak:", f"{summary['peak']}"[:6])


if __name__ == "__main__":
    main()
