"""Loops over sets of texts, whose order is another one in each process: the same program launched with other arrays."""

from __future__ import annotations

import pytest

from .correct import PROGRAMS
from .jobs import lines_of, run
from .test_hosts import FOUR, SECONDS, TWO_HOSTS

pytestmark = pytest.mark.runs_jax

SALTS = ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"})
ARRAYS = (
    "letters = 'abcdefgh'\n"
    "def made():\n    return {name: spread(np.full(2, float(place))) for place, name in enumerate(letters)}\n"
    "def summed():\n    return mapped(lambda x: jax.lax.psum(x, 'x'))\n"
    "arrays, names = made(), {*letters}\n"
)
FORMS = {
    "a set": "f = summed()\nfor name in {*arrays}:\n    f(arrays[name])  # {form}\n",
    "a name of a set": "f = summed()\nfor name in names:\n    f(arrays[name])  # {form}\n",
    "a comprehension": "f = summed()\ndone = {key: f(arrays[key]) for key in names}  # {form}\n",
    "a generator": "f = summed()\ndone = dict((key, f(arrays[key])) for key in names)  # {form}\n",
    "in a function": (
        "def within(arrays, f):\n"
        "    mine = set(arrays)\n"
        "    for name in mine | {'a'}:\n"
        "        array = arrays[name]\n"
        "        f(array)  # {form}\n"
        "within(arrays, summed())\n"
    ),
    "a comprehension in a function": (
        "def listed(arrays, f):\n    chosen = frozenset(arrays)\n"
        "    return [f(arrays[one]) for one in chosen]  # {form}\n"
        "done = listed(arrays, summed())\n"
    ),
    "a function that takes the name": (
        "f = summed()\ndef work(name):\n    return f(arrays[name])  # {form}\nfor key in names:\n    work(key)\n"
    ),
    "a function that takes the array": (
        "f = summed()\n"
        "def apply(array, times):\n    return f(array)  # {form}\n"
        "for key in names:\n    apply(arrays[key], 2)\n"
    ),
    "a method": (
        "class Model:\n"
        "    def __init__(self):\n        self.arrays, self.f = made(), summed()\n"
        "    def step(self, name):\n        self.arrays[name] = self.f(self.arrays[name])  # {form}\n"
        "model = Model()\n"
        "for key in names:\n    model.step(key)\n"
    ),
    "a list of a set": "f = summed()\norder = list(names)\nfor key in order:\n    f(arrays[key])  # {form}\n",
    "keys of a set": "f = summed()\nfor key in dict.fromkeys(names):\n    f(arrays[key])  # {form}\n",
    "items in the order of a set": (
        "f = summed()\nchosen = {key: arrays[key] for key in names}\n"
        "for key, array in chosen.items():\n    f(array)  # {form}\n"
    ),
    "values in the order of a set": (
        "f = summed()\npicked = {key: arrays[key] for key in names}\n"
        "for array in picked.values():\n    f(array)  # {form}\n"
    ),
    "a difference of keys": "f = summed()\nfor key in arrays.keys() - {'a'}:\n    f(arrays[key])  # {form}\n",
    "numbered": "f = summed()\nfor place, key in enumerate(set(arrays)):\n    f(arrays[key])  # {form}\n",
    "an eager operation": (
        "parts = {key: jax.numpy.stack([array, array]) for key, array in arrays.items()}\n"
        "for key in names:\n    parts[key].sum()  # {form}\n"
    ),
    "trees": (
        "step = jax.jit(lambda tree: tree['w'].sum() + tree['b'].sum())\n"
        "trees = {key: {'w': arrays[key], 'b': arrays[key]} for key in sorted(arrays)}\n"
        "for key in names:\n    step(trees[key])  # {form}\n"
    ),
    "gathered by a helper": (
        "for key in names:\n    multihost_utils.process_allgather(arrays[key], tiled=True)  # {form}\n"
    ),
}


def test_every_form_is_named() -> None:
    program = ARRAYS + "".join(text.replace("{form}", name) for name, text in FORMS.items())
    result = run(program, each=SALTS, options={"on_error": "continue", "max_reports": 100}, seconds=SECONDS)
    assert result.statuses == (0, 0), result
    assert result.codes == {"JS507"}, result
    found = {tuple(place.line for place in finding.places) for finding in result.findings}
    assert found == {(line, line) for form in FORMS for line in lines_of(program, form)}, result


@pytest.mark.soak
@pytest.mark.parametrize("sanitize", ["1", "strict"])
@pytest.mark.parametrize("hosts", [pytest.param(TWO_HOSTS, id="two"), pytest.param(FOUR, id="two of two")])
def test_on_several_hosts(hosts: tuple[str, ...], sanitize: str) -> None:
    program = ARRAYS + FORMS["a name of a set"].replace("{form}", "here") + "import time\ntime.sleep(3)\n"
    result = run(program, len(hosts), sanitize=sanitize, hosts=hosts, each=SALTS * 2, seconds=SECONDS)
    assert set(result.statuses) == {66}, result
    (finding,) = result.findings
    assert finding.code == "JS507", result
    assert {place.line for place in finding.places} == set(lines_of(program, "here")), result
    assert len({place.rank for place in finding.places}) > 1, result  # others may not have come to it yet


def test_with_strict_nobody_begins() -> None:
    program = ARRAYS + (
        "f = summed()\ntry:\n    for name in names:\n        print(f(arrays[name]), flush=True)\n"
        "except RuntimeError as error:\n    print('caught', str(error)[:5], flush=True)\n    os._exit(5)\n"
    )
    first = ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"})
    result = run(program, sanitize="strict", options={"on_error": "raise"}, each=first)
    assert result.codes == {"JS507"}, result
    assert all(text.splitlines()[-1] == "caught JS507" for text in result.out), result


@pytest.mark.soak
def test_one_salt_is_one_order() -> None:
    program = ARRAYS + "".join(text.replace("{form}", name) for name, text in FORMS.items())
    result = run(program, each=({"PYTHONHASHSEED": "7"},) * 2)
    assert result.statuses == (0, 0), result
    assert result.findings == (), result


def test_what_is_right_is_left_alone() -> None:
    _, program = PROGRAMS["loops over sets"]
    result = run(program, each=SALTS, seconds=SECONDS)
    assert result.statuses == (0, 0), result
    assert result.findings == (), result
