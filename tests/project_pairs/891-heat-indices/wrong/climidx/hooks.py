import logging
import time

log = logging.getLogger("climidx")


class HookChain:
    def __init__(self, hooks):
        self.hooks = list(hooks)

    def fire(self, event, stage):
        for hook in self.hooks:
            handler = getattr(hook, f"on_{event}", None)
            if handler is not None:
                handler(stage)


class TimingHook:
    def __init__(self):
        self._start = {}

    def on_before(self, stage):
        self._start[stage] = time.perf_counter()

    def on_after(self, stage):
        log.debug("%s took %.3f s", stage, time.perf_counter() - self._start[stage])


class ProgressHook:
    """Shows the state of the table after every stage."""

    def __init__(self, table):
        self.table = table

    def on_after(self, stage):
        log.info("after %s: %s", stage, self.table)
