import os

from mpi4py import MPI

from climpost.bands import BandDataset
from climpost.indices import annual_anomaly, trend
from climpost.report import Report

DEFAULTS = {"NLAT": 36, "NLON": 48, "MONTHS": 60}


def setting(name):
    return int(os.environ.get(f"CLIMPOST_{name}", DEFAULTS[name]))


def main():
    comm = MPI.COMM_WORLD
    ds = BandDataset(comm, setting("NLAT"), setting("NLON"), setting("MONTHS"))
    report = Report(comm)
    report.header("surface temperature", ds)

    first = ds.global_mean(ds.read(0))
    report.add("first_month_mean", round(first, 4))

    seasonal = [ds.global_mean(ds.climatology[m]) for m in range(12)]
    report.add("seasonal_cycle", [round(v, 3) for v in seasonal])

    years = annual_anomaly(ds)
    report.add("annual_anomaly", [round(float(v), 4) for v in years])
    report.add("trend_per_year", round(trend(years), 5))
    report.close()


if __name__ == "__main__":
    main()
