"""Failures that concern a single target, and how to log them."""
import functools
import logging

log = logging.getLogger("starspot")


class TargetError(Exception):
    """The data of a target do not support a measurement."""


def quarantine(func):
    """Log a TargetError of the call and give None instead of a result."""
    @functools.wraps(func)
    def guarded(*args, **kwargs):
        try:
            return func(*args, **kwargs)
        except TargetError as err:
            log.warning("%s: skipped (%s)", func.__name__, err)
            return None
    return guarded
