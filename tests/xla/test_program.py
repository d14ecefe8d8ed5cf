"""Whether two programs are one, and what is said of two that are not."""

from __future__ import annotations

import pytest
from places import LIBRARIES

from jaxmpi_lint.runtime.xla.programs import stablehlo
from jaxmpi_lint.runtime.xla.programs.program import MOST_DIFFERENCES, difference, program_hash

from .conftest import PROGRAMS, line_of

Texts = dict[str, dict[str, str]]
PROGRAM = str(PROGRAMS / "compiled.py")


def program(*operations: str, name: str = "f", argument: str = "tensor<4xf32>") -> str:
    """A module that holds these operations."""
    body = "".join(f"    {operation}\n" for operation in operations)
    return (
        f"module @jit_{name} attributes {{mhlo.num_partitions = 4 : i32}} {{\n"
        f'  func.func public @main(%arg0: {argument}) -> ({argument} {{jax.result_info = "{name}"}}) {{\n'
        f"{body}    return %0 : {argument}\n  }}\n}}\n"
    )


@pytest.mark.runs_jax
def test_a_program_is_known_again_by_its_operations(compiled: Texts) -> None:
    def hashed(name: str, kind: str = "stablehlo") -> int:
        return program_hash(compiled[name][kind])

    assert hashed("times_two") == hashed("times_two_elsewhere") == hashed("times_two", "located")
    names = ("times_two", "times_three", "squared", "psum", "pmax", "psum_of_int", "five_turns", "six_turns", "printed")
    assert len({hashed(name) for name in names}) == len(names)
    assert 0 <= hashed("psum") < 2**64


@pytest.mark.runs_jax
def test_another_constant_is_named_with_the_line_that_uses_it(compiled: Texts) -> None:
    line = line_of("times three")
    located = difference(compiled["times_three"]["located"], compiled["times_two"]["located"])
    assert located == (f"a constant of type float32[] is 3.0 here, 2.0 there, traced at {PROGRAM}:{line}",)
    bare = difference(compiled["times_three"]["stablehlo"], compiled["times_two"]["stablehlo"])
    assert bare == ("a constant of type float32[] is 3.0 here, 2.0 there",)


@pytest.mark.runs_jax
def test_other_operations_are_named(compiled: Texts) -> None:
    (told,) = difference(compiled["psum"]["stablehlo"], compiled["pmax"]["stablehlo"])
    assert told.startswith("`add ")
    assert "here, `maximum " in told
    (told,) = difference(compiled["times_two"]["stablehlo"], compiled["printed"]["stablehlo"])
    assert told.startswith("only there: `custom_call @xla_ffi_python_cpu_callback")


@pytest.mark.runs_jax
def test_other_arguments_are_told_instead_of_all_that_follows_from_them(compiled: Texts) -> None:
    told = difference(compiled["psum"]["stablehlo"], compiled["psum_of_int"]["stablehlo"])
    assert told == ("the arguments are (float32[8]) here, (int32[8]) there",)


@pytest.mark.runs_jax
@pytest.mark.parametrize("other", ["times_two", "times_two_elsewhere"])
def test_equal_programs_have_no_difference(compiled: Texts, other: str) -> None:
    assert difference(compiled["times_two"]["located"], compiled[other]["located"]) == ()
    assert difference(compiled["times_two"]["stablehlo"], compiled[other]["located"]) == ()


def test_the_name_of_the_function_does_not_matter() -> None:
    one, other = program("%0 = stablehlo.abs %arg0 : tensor<4xf32>"), "%0 = stablehlo.abs %arg0 : tensor<4xf32>"
    assert program_hash(one) == program_hash(program(other, name="_lambda"))
    assert difference(one, program(other, name="_lambda")) == ()


def test_whether_two_calls_share_a_function_does_not_matter() -> None:
    def called(*bodies: str, calls: tuple[str, str]) -> str:
        main = program(*(f"%{at} = call @{name}(%arg0)" for at, name in enumerate(calls))).removesuffix("}\n")
        return main + "".join(
            f"  func.func private @{name}(%arg0: tensor<4xf32>) -> tensor<4xf32> {{\n    {body}\n  }}\n"
            for name, body in zip(dict.fromkeys(calls), bodies, strict=True)
        ) + "}\n"  # fmt: skip

    select, other = "return %arg0 : tensor<4xf32>", "%0 = stablehlo.abs %arg0 : tensor<4xf32>"
    shared = called(select, calls=("_where", "_where"))
    assert program_hash(shared) == program_hash(called(select, select, calls=("_where", "_where_0")))
    assert program_hash(shared) == program_hash(called(select, select, calls=("_where_7", "_where")))
    assert program_hash(shared) != program_hash(called(select, other, calls=("_where", "_where_0")))
    assert program_hash(called(other, select, calls=("a", "b"))) != program_hash(
        called(select, other, calls=("a", "b"))
    )


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        # Callbacks and communicators are named by numbers of the process.
        ("@xla_python_cpu_callback(%arg0) {descriptor = 94123412341234 : ui64}",
         "@xla_python_cpu_callback(%arg0) {descriptor = 94123412349999 : ui64}", True),
        ("@xla_ffi_python_cpu_callback(%arg0) {mhlo.backend_config = {index = 0 : ui64}}",
         "@xla_ffi_python_cpu_callback(%arg0) {mhlo.backend_config = {index = 3 : ui64}}", True),
        ("@mpi_allreduce_ffi(%arg0) {comm = 139872398 : i64, op = 17 : i64}",
         "@mpi_allreduce_ffi(%arg0) {comm = 139875555 : i64, op = 18 : i64}", True),
        ('@CustomSPMDPartitioning(%arg0) {backend_config = "140231231231"}',
         '@CustomSPMDPartitioning(%arg0) {backend_config = "140231239999"}', True),
        ('@somebody(%arg0) {backend_config = "140231231231"}', '@somebody(%arg0) {backend_config = "140231239"}', True),
        ("@somebody(%arg0) {mode = 1 : i64}", "@somebody(%arg0) {mode = 2 : i64}", False),
        ("@mpi_allreduce_ffi(%arg0)", "@mpi_bcast_ffi(%arg0)", False),
    ],
)  # fmt: skip
def test_numbers_of_one_process_do_not_matter(one: str, other: str, equal: bool) -> None:
    texts = [program(f"%0 = stablehlo.custom_call {call} : (tensor<4xf32>) -> tensor<4xf32>") for call in (one, other)]
    assert (program_hash(texts[0]) == program_hash(texts[1])) is equal
    assert (difference(*texts) == ()) is equal


def test_other_operands_of_the_same_operations_are_a_difference() -> None:
    first = ("%0 = stablehlo.abs %arg0 : tensor<4xf32>", "%1 = stablehlo.subtract %0, %arg0 : tensor<4xf32>")
    second = (first[0], "%1 = stablehlo.subtract %arg0, %0 : tensor<4xf32>")
    (told,) = difference(program(*first), program(*second))
    assert told == "`subtract %0, %arg0 : float32[4]` here, `subtract %arg0, %0 : float32[4]` there"
    assert program_hash(program(*first)) != program_hash(program(*second))


def test_an_operation_more_is_told_once_and_not_all_that_comes_after_it() -> None:
    one = ("%0 = stablehlo.abs %arg0 : tensor<4xf32>", "%1 = stablehlo.cosine %0 : tensor<4xf32>")
    more = (one[0], "%1 = stablehlo.sine %0 : tensor<4xf32>", "%2 = stablehlo.cosine %1 : tensor<4xf32>")
    assert difference(program(*one), program(*more)) == ("only there: `sine %0 : float32[4]`",)
    assert difference(program(*more), program(*one)) == ("only here: `sine %0 : float32[4]`",)


def test_what_is_told_is_bounded() -> None:
    first = [f"%{n} = stablehlo.constant dense<{n}> : tensor<4xi32>" for n in range(3000)]
    second = [f"%{n} = stablehlo.constant dense<{n + 1}> : tensor<4xi32>" for n in range(3000)]
    told = difference(program(*first), program(*second))
    assert len(told) == MOST_DIFFERENCES + 1
    assert told[0] == "a constant of type int32[4] is 0 here, 1 there"
    assert told[-1] == f"and {3000 - MOST_DIFFERENCES} more"
    long = program(f'%0 = stablehlo.constant dense<"0x{"AB" * 4000}"> : tensor<1000xf32>')
    (one,) = difference(long, long.replace("ABAB", "ABAC"))
    assert one == "a constant of type float32[1000] is data of 4000 bytes here, data of 4000 bytes there"


def test_a_place_inside_a_library_gives_way_to_the_users() -> None:
    operation = "%0 = stablehlo.{} %arg0 : tensor<4xf32> loc(#loc5)"
    table = (
        '#loc = loc(unknown)\n#loc1 = loc("'
        f'{LIBRARIES}/optax/a.py":9:0 to :5)\n'
        '#loc2 = loc("/home/me/train (1).py":30:4 to :9)\n#loc3 = loc("update"(#loc1))\n#loc4 = loc("step"(#loc2))\n'
        '#loc5 = loc("jit(step)/abs"(callsite(#loc3 at #loc4)))\n'
    )
    one, other = (program(operation.format(name)) + table for name in ("abs", "sine"))
    (told,) = difference(one, other)
    assert told == "`abs %arg0 : float32[4]` here, `sine %arg0 : float32[4]` there, traced at /home/me/train (1).py:30"


def test_places_may_hold_brackets_and_quotes() -> None:
    line = (
        '    %0 = stablehlo.abs %arg0 : tensor<4xf32> loc("f(\\"x\\")"(callsite("a)"("b.py":1:2) at "c"("d.py":3:4))))'
    )
    assert stablehlo.neutral(line) == "%0 = stablehlo.abs %arg0 : tensor<4xf32>"
    assert stablehlo.lines(line)[0].place == "b.py:1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tensor<8x2xf32>", "float32[8,2]"),
        ("tensor<f64>", "float64[]"),
        ("tensor<3xi1>", "bool[3]"),
        ("tensor<3xui8>", "uint8[3]"),
        ("tensor<?xi64>", "int64[?]"),
        ("tensor<2xcomplex<f32>>", "complex64[2]"),
        ("tensor<2xbf16>", "bfloat16[2]"),
        ("(tensor<2xf32>, tensor<i32>)", "(float32[2], int32[])"),
    ],
)
def test_types_are_named_as_numpy_does(text: str, expected: str) -> None:
    assert stablehlo.tensor(text) == expected


def test_nonsense_is_compared_as_text() -> None:
    assert difference("", "") == ()
    assert difference("one", "one\ntwo") == ("only there: `two`",)
