from collections import defaultdict


class EventBus:
    """Handlers are called in the order in which they were attached."""

    def __init__(self):
        self._handlers = defaultdict(list)

    def on(self, event, handler):
        self._handlers[event].append(handler)
        return handler

    def emit(self, event, **info):
        for handler in self._handlers[event]:
            handler(**info)
