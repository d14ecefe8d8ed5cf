"""Assertions with several operands, of which the first one or a later one does not hold."""


def check(one, other):
    try:
        assert one > 0 and other > 0
    except AssertionError:
        return "failed"
    return "held"


def either(one, other):
    try:
        assert one > 0 or other > 0, "neither"
    except AssertionError as error:
        return str(error)
    return "held"


show(check(1, 1), check(0, 1), check(1, 0), check(0, 0))
show(either(1, 0), either(0, 1))
