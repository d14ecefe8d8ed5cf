"""Names that come from a library as a whole."""

from contextlib import *
from math import *

show(sqrt(4.0), floor(2.5), gcd(12, 18))


@contextmanager
def numbered():
    yield 3


with numbered() as number:
    show(number)
