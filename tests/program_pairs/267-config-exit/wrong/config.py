"""Defaults and sanity checks of the advection configuration."""

DEFAULTS = {
    "cells": 400,
    "steps": 100,
    "cfl": 0.8,
    "velocity": 1.0,
}


def check(cfg, nprocs):
    problems = []
    if cfg["cells"] % nprocs:
        problems.append(f"{cfg['cells']} cells do not divide over {nprocs} ranks")
    if not 0 < cfg["cfl"] <= 1:
        problems.append(f"cfl {cfg['cfl']} out of range")
    if cfg["velocity"] <= 0:
        problems.append("only positive velocities are supported")
    unknown = set(cfg) - set(DEFAULTS)
    if unknown:
        problems.append(f"unknown keys {sorted(unknown)}")
    return problems
