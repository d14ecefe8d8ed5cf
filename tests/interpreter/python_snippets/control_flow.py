"""Contexts, exceptions, generators, decorators and patterns."""

import contextlib
import functools
import sys


class Guard:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        show("left", kind is ZeroDivisionError)
        return kind is ZeroDivisionError


@contextlib.contextmanager
def step(name):
    try:
        yield name
    finally:
        show("end", name)


def run():
    with Guard():
        with step("a") as name:
            show(name)
            raise ZeroDivisionError
    return "on"


show(run())

done = []
with contextlib.ExitStack() as stack:
    stack.callback(done.append, 1)

    @stack.callback
    def last():
        done.append(2)

    stack.enter_context(step("b"))
show(done)


class Repeat:
    def __init__(self, times):
        self.times = times

    def __call__(self, function):
        @functools.wraps(function)
        def repeated(value):
            return [function(value)] * self.times

        return repeated


@Repeat(2)
def double(value):
    return value * 2


show(double(3))


def numbers():
    received = yield 1
    try:
        yield received
    finally:
        show("closed")


generator = numbers()
show(next(generator), generator.send(5))
generator.close()


def counted(made=[]):
    made.append(len(made))
    return made[-1]


match counted():
    case 1:
        show("second")
    case 0:
        show("first")
show(counted())


order = []


def noted(value):
    order.append(value)
    return value


places = [0, 0, 0]
places[noted(1)] += noted(5)
for places[noted(2)] in (7, 8):
    pass
del places[noted(0)]
show(places, order)


def kind(value):
    match value:
        case False:
            return "false"
        case 0:
            return "zero"
        case "x" | "y":
            return "text"
        case None:
            return "none"
    return "other"


show(kind(0), kind(False), kind("y"), kind(None), kind(3))

try:
    {}["missing"]
except KeyError as error:
    show(error.args[0], sys.exc_info()[0] is KeyError, type(error) is KeyError)

label = "module"


class Scopes:
    def comprehension(self):
        table = {label: None for number in range(2) for label in range(number * 2)}
        return label, len(table)


show(Scopes().comprehension())


class Lines:
    def __init__(self):
        self.written = 0

    def write(self, text):
        self.written += 1


lines = Lines()
print("a", file=lines)
show(lines.written > 0)
