"""Checks of results, requests, communicators and files of mpi4py programs."""
