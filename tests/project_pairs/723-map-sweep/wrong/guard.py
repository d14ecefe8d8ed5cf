"""Decorators for runs that may blow up."""
import functools
import sys


def tolerant(default=None):
    def decorate(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            try:
                return fn(*args, **kwargs)
            except FloatingPointError as err:
                print(f"{fn.__name__}: {err}", file=sys.stderr)
                return default
        return inner
    return decorate
