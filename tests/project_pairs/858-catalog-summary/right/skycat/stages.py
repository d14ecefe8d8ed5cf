"""Stages of the catalogue pipeline."""
import logging

import numpy as np
from scipy.spatial import cKDTree

from .logutil import log_stage
from .zones import to_zones

log = logging.getLogger("skycat")


@log_stage
def threshold(catalog, limit=2.0):
    """Drop faint detections."""
    return catalog.select(catalog.flux > limit)


@log_stage
def rezone(catalog):
    return to_zones(catalog)


@log_stage
def merge(catalog, radius=0.004):
    """Keep the brighter one of each close pair of the zone."""
    if len(catalog) == 0:
        return catalog
    points = np.column_stack([catalog.rows["ra"], catalog.rows["dec"]])
    keep = np.ones(len(catalog), bool)
    for i, j in cKDTree(points).query_pairs(radius):
        keep[i if catalog.flux[i] < catalog.flux[j] else j] = False
    return catalog.select(keep)


def describe(catalog, label):
    """Log the key numbers of a catalogue."""
    log.info("%s: mean flux %.4f, brightest %.2f",
             label, catalog.mean_flux, catalog.brightest)
