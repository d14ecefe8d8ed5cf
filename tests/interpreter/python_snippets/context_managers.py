"""Exit stacks, context managers as decorators, context variables."""

from contextlib import AbstractContextManager, ContextDecorator, ExitStack, contextmanager
from contextvars import ContextVar

events = []


class Note(AbstractContextManager):
    def __init__(self, name, suppresses=False):
        self.name = name
        self.suppresses = suppresses

    def __exit__(self, kind, error, trace):
        events.append((self.name, kind is not None))
        return self.suppresses


def ended(name):
    events.append((name, None))


with ExitStack() as stack:
    stack.enter_context(Note("a"))
    stack.callback(ended, "b")
    stack.enter_context(Note("c"))
show(events[:])
events.clear()
try:
    with ExitStack() as stack:
        stack.callback(ended, "d")
        stack.enter_context(Note("e", suppresses=True))
        stack.enter_context(Note("f"))
        raise ValueError("x")
    events.append("after")
except ValueError:
    events.append("caught")
show(events[:])
events.clear()
try:
    with ExitStack() as stack:
        stack.enter_context(Note("g"))
        raise KeyError("x")
except KeyError:
    events.append("caught")
show(events[:])
events.clear()


class Session(ExitStack):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def __enter__(self):
        events.append("enter")
        return super().__enter__()

    def open(self, name):
        self.callback(ended, self.name + name)
        return len(events)


with Session("s") as session:
    show(session.open("1"), session.open("2"), session.name)
show(events[:])
events.clear()


class Closing(ExitStack):
    def __exit__(self, *details):
        events.append("exit")
        return super().__exit__(*details)


with Closing() as closing:
    closing.enter_context(Note("n"))
closing.close()
show(events[:])
events.clear()


@contextmanager
def timed(name):
    events.append(("start", name))
    try:
        yield name
    finally:
        events.append(("end", name))


@timed("one")
def work(value):
    events.append(value)
    return value + 1


show(work(1), work(2), events[:])
events.clear()


class Guard(ContextDecorator):
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        events.append(self.name)
        return self

    def __exit__(self, kind, error, trace):
        events.append(kind is None)
        return True


class Worker:
    factor = 3

    @Guard("g")
    def scale(self, value):
        return self.factor * value

    @Guard("h")
    def fail(self):
        raise ValueError("y")


show(Worker().scale(2), Worker().fail(), events[:])
level = ContextVar("level", default=1)
token = level.set(5)
show(level.get())
level.reset(token)
show(level.get())
missing = ContextVar("missing")
show(missing.get(3))
try:
    missing.get()
except LookupError:
    show("none")
