"""Exceptions of a program: their fields, arguments and causes."""


class Stop(Exception):
    level = 3

    def __init__(self, code, *more):
        super().__init__("stop", code)
        self.code = code
        self.more = more

    def doubled(self):
        return 2 * self.code

    @property
    def half(self):
        return self.code // 2


class Later(Stop):
    def __init__(self, code):
        Stop.__init__(self, code, 7)
        self.extra = 1


class Plain(ValueError):
    pass


try:
    raise Stop(4, 5)
except Stop as e:
    show(e.code, e.more, e.args, e.doubled(), e.half, e.level)
try:
    raise Later(6)
except Exception as e:
    show(e.code, e.more, e.extra, e.args, type(e) is Later)
try:
    raise Plain(1, "a")
except ValueError as e:
    show(e.args, e.args[0])
try:
    try:
        raise KeyError("k")
    except KeyError as inner:
        raise Plain(2) from inner
except Plain as e:
    show(e.__cause__.args, type(e.__cause__) is KeyError)
try:
    raise Plain(3).with_traceback(None)
except Plain as e:
    show(e.args, e.__cause__)


def made():
    yield 1
    return 9


running = made()
next(running)
try:
    next(running)
except StopIteration as e:
    show(e.value)
try:
    next(running)
except StopIteration as e:
    show(e.value)
try:
    raise SystemExit(3)
except SystemExit as e:
    show(e.code)


try:
    raise Plain("gone")
except Plain as gone:
    show(gone.args)
show("gone" in globals())


def handled(values):
    found = []
    for value in values:
        try:
            if value % 2:
                raise Plain(value)
        except Plain as error:
            for part in error.args:
                if part > 1:
                    found.append(error.args)
            if value > 4:
                return found, error.args, "error" in locals()
    return found, "error" in locals()


show(handled([1, 2]), handled([1, 3, 5]))


def nested():
    try:
        try:
            raise Plain(1)
        except Plain as first:
            raise Stop(first.args[0] + 1) from first
        finally:
            show("first" in locals())
    except Stop as second:
        try:
            raise KeyError(3)
        except KeyError as third:
            show(second.code, third.args)
        show("third" in locals(), second.code)
    return sorted(locals())


show(nested())
