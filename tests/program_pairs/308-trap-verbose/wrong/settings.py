"""Command line and run settings."""
import argparse


def read_settings(comm):
    parser = argparse.ArgumentParser()
    parser.add_argument("--ions", type=int, default=60)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--dt", type=float, default=2e-3)
    parser.add_argument("--report-every", type=int, default=50)
    parser.add_argument("--quiet", action="store_true")
    settings = parser.parse_args()
    settings.verbose = not settings.quiet and comm.rank == 0
    return settings
