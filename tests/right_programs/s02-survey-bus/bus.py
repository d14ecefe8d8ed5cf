"""A small event bus. Handlers of a topic run by (priority, name)."""
from bisect import insort
from collections import defaultdict
from operator import itemgetter


class EventBus(defaultdict):
    def __init__(self):
        super().__init__(list)

    def on(self, topic, *, priority=0, when=True):
        def register(handler):
            if when:
                insort(self[topic], (priority, handler.__name__, handler),
                       key=itemgetter(0, 1))
            return handler
        return register

    def publish(self, topic, /, **payload):
        answers = {}
        for _, name, handler in self[topic]:
            answers[name] = handler(**payload)
        return answers
