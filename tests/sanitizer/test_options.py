from __future__ import annotations

from pathlib import Path

import pytest

from jaxmpi_lint.runtime.settings import options, options_page

ON = {options.SWITCH: "1"}


def canonical(text: str, mode: str = "1") -> str:
    return options.canonical({options.SWITCH: mode, options.OPTIONS: text})


def test_defaults_are_written_out() -> None:
    values = options.read_canonical(options.canonical(ON))
    assert values == {option.name: option.default for option in options.TABLE} | {"strict": 0}


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "known").write_text("")
    text = canonical(f"on_error=raise:exitcode=3:stall_seconds=0.5:suppressions={tmp_path}/known", "strict")
    values = options.read_canonical(text)
    assert (values["on_error"], values["exitcode"], values["stall_seconds"]) == ("raise", 3, 0.5)
    assert (values["suppressions"], values["strict"]) == (f"{tmp_path}/known", 1)


def test_paths_are_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert options.read_canonical(canonical("log_dir=kept"))["log_dir"] == f"{tmp_path}/kept"


def test_the_last_of_two_counts_and_empty_parts_do_not_matter() -> None:
    assert options.read_canonical(canonical(":exitcode=3::exitcode=4:"))["exitcode"] == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("frobnicate=1", "frobnicate is not an option; the options are on_error, exitcode"),
        ("exitcode", "exitcode needs a value: exitcode=66"),
        ("suppressions", "suppressions needs a value: suppressions=PATH"),
        ("exitcode=0", "exitcode=0: expected a whole number from 1 to 255"),
        ("exitcode=256", "expected a whole number"),
        ("exitcode=+3", "expected a whole number"),
        ("exitcode=٣", "expected a whole number"),
        ("stall_seconds=nan", "expected a number"),
        ("stall_seconds=soon", "expected a number"),
        ("buffering=maybe", "buffering=maybe: expected warn or error or off"),
        ("on_error=", "on_error=: expected abort or raise or continue"),
        ("suppressions=/nowhere/at/all", "expected a readable file"),
        ("log_dir=" + "d" * 1200, "longer than"),
    ],
)
def test_mistakes_are_named(text: str, said: str) -> None:
    with pytest.raises(options.OptionError, match=said):
        canonical(text)


@pytest.mark.parametrize("mode", ["yes", "2", "Strict"])
def test_the_switch_has_three_positions(mode: str) -> None:
    with pytest.raises(options.OptionError, match="expected 1, strict or 0"):
        canonical("", mode)


def test_every_default_is_a_value_that_one_may_write() -> None:
    for option in options.TABLE:
        if option.default != "":
            written = f"{option.default:g}" if isinstance(option.default, float) else str(option.default)
            assert option.value(written) == option.default


def test_page_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert options_page.main(["--check"]) == 0
