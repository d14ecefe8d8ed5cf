"""What to do when the data of a sample cannot be used."""
import logging
from contextlib import contextmanager

log = logging.getLogger("popvar")


class SampleError(ValueError):
    """The sample does not hold what the stage needs."""


@contextmanager
def tolerate(failures, label):
    """Note a sample error and carry on behind the block."""
    try:
        yield
    except SampleError as exc:
        log.warning("%s: %s", label, exc)
        failures.append((label, str(exc)))
