"""Which item of a dictionary a call works on in a loop over a set, as it is read from the frames of a program."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from places import LIBRARIES, folder_of

np = pytest.importorskip("numpy")
pytest.importorskip("jaxmpi_lint.runtime._native")

from jaxmpi_lint.runtime.xla.checks import items  # noqa: E402
from jaxmpi_lint.runtime.xla.checks.items import NO_ITEM, Item  # noqa: E402

LAUNCH = "def f(*arguments, **named):\n    told.append(look())\n    return arguments[0] if arguments else None\n"
JAX = str(folder_of("jax") / "_src" / "launch.py")
KEYS = "abc"
EACH = {f"arrays[{key!r}]" for key in KEYS}
NAMED = {
    "a set display": "for name in {'a', 'b', 'c'}:\n    f(arrays[name])\n",
    "a name": "names = set(arrays)\nfor name in names:\n    f(arrays[name])\n",
    "an expression": "names = set(arrays)\nfor name in names | {'a'} - {'x'}:\n    f(arrays[name])\n",
    "methods": "for name in set(arrays).union({'a'}):\n    f(arrays[name])\n",
    "views": "for name in arrays.keys() & {'a', 'b', 'c'}:\n    f(arrays[name])\n",
    "a keyword": "for name in {*arrays}:\n    f(1, x=arrays[name])\n",
    "in a tuple": "for name in {*arrays}:\n    f((arrays[name], 1))\n",
    "in an expression": "for name in {*arrays}:\n    f(-arrays[name] * 2)\n",
    "transposed": "for name in {*arrays}:\n    f(arrays[name].T)\n",
    "spread": "for name in {*arrays}:\n    f(*[arrays[name]])\n",
    "in blocks": "for name in {*arrays}:\n    if name:\n        with open(__file__):\n            f(arrays[name])\n",
    "a loop inside": "for name in {*arrays}:\n    for part in range(2):\n        f(arrays[name])\n",
    "bytes and numbers": "for place, name in enumerate(tuple({*arrays})):\n    f(arrays[name])\n",
    "reversed": "order = [*{*arrays}]\nfor name in reversed(order):\n    f(arrays[name])\n",
    "mapped": "for name in map(str, {*arrays}):\n    f(arrays[name])\n",
    "sorted and then a set": "order = sorted(arrays)\nfor name in set(order):\n    f(arrays[name])\n",
    "a nested comprehension": "done = [[f(arrays[name]) for part in range(2)] for name in {*arrays}]\n",
    "a closure": (
        "def outer():\n"
        "    mine, names = arrays, {*arrays}\n"
        "    def inner():\n        return [f(mine[name]) for name in names]\n"
        "    return inner()\n"
        "outer()\n"
    ),
    "a generator function": (
        "def produced(names):\n    for name in names:\n        yield f(arrays[name])\n"
        "done = list(produced({*arrays}))\n"
    ),
    "slots": (
        "class Holder:\n    __slots__ = ('arrays',)\n"
        "one = Holder()\none.arrays = arrays\n"
        "for name in {*arrays}:\n    f(one.arrays[name])\n"
    ),
    "a function far below": (
        "def far(key, depth):\n    return far(key, depth - 1) if depth else f(arrays[key])\n"
        "for name in {*arrays}:\n    far(name, 9)\n"
    ),
}
LEFT_ALONE = {
    "sorted": "for name in sorted({*arrays}):\n    f(arrays[name])\n",
    "the order of a dictionary": "for name in arrays:\n    f(arrays[name])\n",
    "a list that is a parameter": (
        "def over(names):\n    for name in names:\n        f(arrays[name])\nover(list({*arrays}))\n"
    ),
    "defined in two ways": "order = list({*arrays})\norder = sorted(order)\nfor name in order:\n    f(arrays[name])\n",
    "a set of another name": "set = sorted\nfor name in set(arrays):\n    f(arrays[name])\n",
    "no loop any more": "for name in {*arrays}:\n    pass\nf(arrays[name])\n",
    "what the loop is over": "for name in {*f(arrays)}:\n    pass\n",
    "after the loop": "for name in {*arrays}:\n    pass\nelse:\n    f(arrays[name])\n",
    "a function without a loop": "def once(name):\n    f(arrays[name])\nonce('a')\n",
}
WITHOUT_ITEM = {
    "another array": "for name in {*arrays}:\n    f(arrays['a'])\n",
    "a label": "for name in {*arrays}:\n    f(arrays['a'], name)\n",
    "numbers": "numbered = dict(enumerate(arrays.values()))\nfor name in {*numbered}:\n    f(numbered[name])\n",
    "one array under all keys": "same = dict.fromkeys(arrays, arrays['a'])\nfor name in {*same}:\n    f(same[name])\n",
    "a function in between": "for name in {*arrays}:\n    f(np.zeros_like(arrays[name]))\n",
    "a shape": "for name in {*arrays}:\n    f(arrays[name].shape)\n",
    "all of them": "for name in {*arrays}:\n    f(arrays)\n",
    "no arrays": "sizes = {'a': 1, 'b': 2}\nfor name in {*sizes}:\n    f(sizes[name])\n",
    "one item": "single = {'a': arrays['a']}\nfor name in {*single}:\n    f(single[name])\n",
    "keys of this process": "own = {object(): one for one in arrays.values()}\nfor key in {*own}:\n    f(own[key])\n",
    "a dictionary with items of its own": (
        "class Lazy(dict):\n    def __getitem__(self, key):\n        raise RuntimeError('this was run')\n"
        "lazy = Lazy(arrays)\n"
        "for name in {*lazy}:\n    f(dict.get(lazy, name))\n"
    ),
    "a property": (
        "class Holder:\n"
        "    @property\n    def arrays(self):\n        ran.append(1)\n        return arrays\n"
        "holder, ran = Holder(), []\n"
        "for name in {*arrays}:\n    array = holder.arrays[name]\n    before = len(ran)\n    f(array)\n"
        "    assert len(ran) == before\n"
    ),
}  # fmt: skip


def arrays(size: int = 2) -> dict[str, Any]:
    return {key: np.ones(size + (key == "c")) for key in KEYS}


def told(text: str, folder: Path, values: Mapping[str, Any] | None = None, name: str = "program") -> list[Item | None]:
    """What `look` says at each call of `f`, which stands for a launch of JAX."""
    answers: list[Item | None] = []
    jax: dict[str, Any] = {"look": items.look, "told": answers}
    exec(compile(LAUNCH, JAX, "exec"), jax)
    path = folder / f"{name}.py"
    path.write_text(text)
    load(path, {"f": jax["f"], "arrays": arrays() if values is None else values, "np": np})
    return answers


def load(path: Path, names: Mapping[str, object]) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update(names)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("form", NAMED)
def test_item_is_named(form: str, tmp_path: Path) -> None:
    answers = told(NAMED[form], tmp_path)
    assert all(answers), answers
    assert {answer[0].replace("mine", "arrays").replace("one.", "") for answer in answers if answer} == EACH
    assert len({answer[1] for answer in answers if answer}) == 1


@pytest.mark.parametrize("form", LEFT_ALONE)
def test_other_loops_are_left_alone(form: str, tmp_path: Path) -> None:
    answers = told(LEFT_ALONE[form], tmp_path)
    assert answers
    assert set(answers) == {None}


@pytest.mark.parametrize("form", WITHOUT_ITEM)
def test_what_is_not_certain_has_no_item(form: str, tmp_path: Path) -> None:
    answers = told(WITHOUT_ITEM[form], tmp_path)
    assert answers
    assert set(answers) == {NO_ITEM}


def test_choices_are_the_same_only_among_the_same_items(tmp_path: Path) -> None:
    text = NAMED["a name"]
    (usual,) = {answer[1] for answer in told(text, tmp_path) if answer}
    (again,) = {answer[1] for answer in told(text, tmp_path, arrays()) if answer}
    (larger,) = {answer[1] for answer in told(text, tmp_path, arrays(3)) if answer}
    (other,) = {
        answer[1] for answer in told(text, tmp_path, {f"own {key}": x for key, x in arrays().items()}) if answer
    }
    (below,) = {answer[1] for answer in told(f"\n{text}", tmp_path, name="below") if answer}
    assert usual == again
    assert len({usual, larger, other, below}) == 4


def test_a_file_that_is_not_what_runs_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    path.write_text("def run(f, arrays):\n    for name in {*arrays}:\n        f(arrays[name])\n")
    answers: list[Item | None] = []
    space: dict[str, Any] = {"look": items.look, "told": answers}
    exec(compile(LAUNCH, JAX, "exec"), space)
    run = load(path, {}).run
    path.write_text("def run(f, arrays):\n    for name in {*arrays}:\n        f(arrays['a'])\n")
    run(space["f"], arrays())
    assert answers == [None] * len(KEYS)


def test_libraries_that_launch_are_not_judged(tmp_path: Path) -> None:
    answers: list[Item | None] = []
    space: dict[str, Any] = {"look": items.look, "told": answers}
    exec(compile(LAUNCH, f"{LIBRARIES}/a_library/launch.py", "exec"), space)
    path = tmp_path / "program.py"
    path.write_text(NAMED["a name"])
    load(path, {"f": space["f"], "arrays": arrays()})
    assert answers == [None] * len(KEYS)


def test_what_locals_returned_stays_as_it_was(tmp_path: Path) -> None:
    text = (
        "def run():\n    names, before = {*arrays}, locals()\n    known = {*before}\n"
        "    for name in names:\n        f(arrays[name])\n    assert {*before} == known, before\n"
        "run()\n"
    )
    assert all(told(text, tmp_path))


def test_frames_are_given_back(tmp_path: Path) -> None:
    class Marked:
        """Something that the frame of a program holds."""

    gone: list[int] = []
    text = (
        "import weakref\n"
        "def run():\n    marked = Marked()\n    weakref.finalize(marked, gone.append, 1)\n"
        "    for name in {*arrays}:\n        f(arrays[name])\n"
        "run()\nassert gone == [1]\n"
    )
    answers: list[Item | None] = []
    space: dict[str, Any] = {"look": items.look, "told": answers}
    exec(compile(LAUNCH, JAX, "exec"), space)
    path = tmp_path / "program.py"
    path.write_text(text)
    load(path, {"f": space["f"], "arrays": arrays(), "Marked": Marked, "gone": gone})
    assert all(answers)


def test_a_thread_has_frames_of_its_own(tmp_path: Path) -> None:
    text = (
        "import threading\n"
        "def work(name):\n    f(arrays[name])\n"
        "for name in {*arrays}:\n"
        "    thread = threading.Thread(target=work, args=(name,))\n    thread.start()\n    thread.join()\n"
    )
    assert set(told(text, tmp_path)) == {None}


def test_looking_never_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(frame: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(items, "_item", broken)
    look: Callable[[], Item | None] = items.look
    assert look() is None
    assert sys.exc_info() == (None, None, None)
