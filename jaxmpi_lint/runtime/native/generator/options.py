"""The options that the core reads, from the table of options."""

from __future__ import annotations

from collections.abc import Iterable

from jaxmpi_lint.runtime.native.generator.words import constant
from jaxmpi_lint.runtime.settings.options import Option


def header(options: Iterable[Option]) -> str:
    """The text of `core_options.hpp`."""
    chosen = [option for option in options if option.in_core]
    fields = "".join(f"  {_field(option)}\n" for option in chosen)
    sets = "".join(f'  if (name == "{one.name}") read_option(text, options.{one.name});\n' for one in chosen)
    words = "".join(_words(option) for option in chosen if option.domain.words)
    return (
        "// Generated from the table of options by generate.py.\n#pragma once\n\n"
        "#include <array>\n#include <charconv>\n#include <cstdint>\n#include <string>\n#include <string_view>\n\n"
        "namespace jaxmpi {\n\n"
        f"struct CoreOptions {{\n{fields}}};\n\n"
        "template <class Number>\nvoid read_option(std::string_view text, Number& value) {\n"
        "  std::from_chars(text.data(), text.data() + text.size(), value);\n}\n"
        "inline void read_option(std::string_view text, std::string& value) { value = text; }\n"
        f"{words}\n"
        "// Names that are not of the core (they are the monitor's) change nothing.\n"
        "inline void set_option(CoreOptions& options, std::string_view name, std::string_view text) {\n"
        f"{sets}}}\n\n}}  // namespace jaxmpi\n"
    )


def _type(option: Option) -> str:
    """The name of the enumeration: `on_error` as `OnError`."""
    return constant(option.name).removeprefix("k")


def _field(option: Option) -> str:
    if option.domain.words:
        values = ", ".join(map(constant, option.domain.words))
        default = f"{_type(option)}::{constant(str(option.default))}"
        return f"enum class {_type(option)} {{ {values} }} {option.name} = {default};"
    if isinstance(option.default, float):
        return f"double {option.name} = {option.default!r};"
    if isinstance(option.default, int):
        return f"std::uint32_t {option.name} = {option.default};"
    return f'std::string {option.name} = "{option.default}";'


def _words(option: Option) -> str:
    kind = f"CoreOptions::{_type(option)}"
    tests = "".join(f'  if (text == "{word}") value = {kind}::{constant(word)};\n' for word in option.domain.words)
    return f"inline void read_option(std::string_view text, {kind}& value) {{\n{tests}}}\n"
