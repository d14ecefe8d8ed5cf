"""The operations are tested in the environments of the sanitizer's tests."""

from sanitizer.conftest import mpi, pytest_generate_tests

__all__ = ["mpi", "pytest_generate_tests"]
