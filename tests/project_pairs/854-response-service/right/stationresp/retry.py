"""Retry decorator for calls to a service that may be slow."""
import functools
import logging

log = logging.getLogger("stationresp")


def retry(times, on):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return func(*args, **kwargs)
                except on as exc:
                    if attempt == times:
                        raise
                    log.info("%s, attempt %d of %d", exc, attempt, times)
        return wrapper
    return decorate
