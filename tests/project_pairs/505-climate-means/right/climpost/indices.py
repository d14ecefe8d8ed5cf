import numpy as np


def anomalies(ds):
    for m in range(ds.months):
        yield m, ds.read(m) - ds.climatology[m % 12]


def annual_anomaly(ds):
    """Global mean anomaly for each year of the record."""
    years = np.zeros(ds.months // 12)
    for m, field in anomalies(ds):
        years[m // 12] += ds.global_mean(field) / 12.0
    return years


def trend(series):
    x = np.arange(series.size)
    slope, _ = np.polyfit(x, series, 1)
    return float(slope)
