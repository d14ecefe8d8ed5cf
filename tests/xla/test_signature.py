"""The collectives of executables: of real ones, and of texts as other platforms and releases write them."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from importlib.metadata import version

import pytest
from places import LIBRARIES

from jaxmpi_lint.runtime.settings.ownership import is_library
from jaxmpi_lint.runtime.xla.programs import groups, hlo
from jaxmpi_lint.runtime.xla.programs.signature import Collective, collectives, signature

from .conftest import PROGRAMS, line_of

Texts = dict[str, dict[str, str]]
PROGRAM = str(PROGRAMS / "compiled.py")

HEAD = "HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[8]{0})->f32[8]{0}}, num_partitions=4\n\n"
ADD = """\
%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %sum = f32[] add(%x, %y)
}

"""
ENTRY = "ENTRY %main (p: f32[8]) -> f32[8] {\n  %p = f32[8]{0} parameter(0)\n"


def module(*lines: str) -> str:
    """A module whose entry holds these instructions."""
    return HEAD + ADD + ENTRY + "".join(f"  {line}\n" for line in lines) + "}\n"


def inside_loops() -> bool:
    """Whether an instruction inside of a loop names its own line: before jax 0.9 it names that of the loop."""
    return tuple(map(int, version("jax").split(".")[:2])) >= (0, 9)


@pytest.mark.runs_jax
def test_kinds_reductions_groups_and_lines_come_in_the_order_of_execution(compiled: Texts) -> None:
    found = collectives(compiled["all_kinds"]["hlo"])
    rows, columns, everybody = "{0,1},{2,3}", "{0,2},{1,3}", "{0,1,2,3}"
    turn, condition = ("while",), ("condition of while",)
    assert [(one.kind, one.reduction, one.groups, one.within) for one in found] == [
        ("all-reduce", "add", rows, ()),
        ("all-gather", "", columns, ()),
        ("reduce-scatter", "add", columns, ()),
        ("collective-permute", "", "{0,2},{1,3},{2,0},{3,1}", ()),
        ("all-to-all", "", columns, ()),
        ("all-reduce", "minimum", everybody, condition),
        ("all-reduce", "maximum", columns, turn),
        ("all-reduce", "add", columns, ("branch 1",)),
    ]
    comments = ("psum", "all_gather", "psum_scatter", "ppermute", "all_to_all", "pmin in condition", "pmax in while",
                "psum in branch")  # fmt: skip
    told = len(comments) if inside_loops() else 5
    assert [(one.file, one.line) for one in found[:told]] == [(PROGRAM, line_of(name)) for name in comments[:told]]
    assert found[0].shapes == ("float32[4,4]",)
    assert found[4].shapes == ("float32[4,2]", "float32[4,2]")


@pytest.mark.runs_jax
def test_a_frame_names_its_function_where_the_module_has_tables(compiled: Texts) -> None:
    text = compiled["all_kinds"]["hlo"]
    functions = [one.function for one in collectives(text)]
    if "\nFunctionNames\n" not in text:  # before jaxlib 0.8.3
        assert not any(functions)
        return
    assert functions[0] == "all_kinds"
    inner = ["all_kinds.<locals>.unfinished", "all_kinds.<locals>.body"] if inside_loops() else ["all_kinds"] * 2
    assert functions[5:7] == inner


@pytest.mark.runs_jax
def test_what_the_partitioner_inserts_is_found_and_located(compiled: Texts) -> None:
    found = collectives(compiled["automatic"]["hlo"])
    assert {one.kind for one in found} == {"all-gather", "all-reduce"}
    places = {(one.file, one.line) for one in found}
    assert places - {("", 0)} == {(PROGRAM, line_of("automatic"))}  # jax 0.12 may not say it
    assert all(one.file for one in found if one.kind == "all-reduce")
    assert [one.groups for one in found if one.kind == "all-gather"] == ["{0,2},{1,3}", "{0,1},{2,3}"]


@pytest.mark.runs_jax
def test_a_sum_over_all_devices_has_a_collective_and_elementwise_arithmetic_none(compiled: Texts) -> None:
    assert [str(one) for one in collectives(compiled["eager_sum"]["hlo"])] == [
        "all-reduce(add) of float32[] in groups {0,1},{2,3}",
        "all-reduce(add) of float32[] in groups {0,2},{1,3}",
    ]
    assert collectives(compiled["none"]["hlo"]) == ()


@pytest.mark.runs_jax
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("psum", "pmax"),
        ("psum", "psum_of_int"),
        ("psum", "psum_of_more"),
        ("psum", "psum_in_pairs"),
        ("psum", "none"),
        ("psum", "psum_then_pmax"),
        ("psum_then_pmax", "pmax_then_psum"),
        ("five_turns", "six_turns"),
        ("psum", "five_turns"),
    ],
)
def test_programs_that_exchange_something_else_differ(compiled: Texts, one: str, other: str) -> None:
    assert signature_of(compiled, one) != signature_of(compiled, other)


@pytest.mark.runs_jax
@pytest.mark.parametrize("other", ["times_three", "times_two_elsewhere", "squared", "psum"])
def test_programs_that_exchange_the_same_are_equal(compiled: Texts, other: str) -> None:
    assert signature_of(compiled, "times_two") == signature_of(compiled, other)


def signature_of(compiled: Texts, name: str) -> int:
    return signature(collectives(compiled[name]["hlo"]))


@pytest.mark.jobs
def test_the_signature_is_the_same_in_every_process() -> None:
    program = (
        "from jaxmpi_lint.runtime.xla.programs.signature import *\n"
        "print(signature([Collective('all-reduce', 'add', ('float32[4]',), '{0,1}', file=__name__)]))"
    )
    environments = [os.environ | {"PYTHONHASHSEED": seed} for seed in ("1", "2")]
    said = {subprocess.check_output([sys.executable, "-c", program], env=one, text=True) for one in environments}
    assert said == {f"{signature([Collective('all-reduce', 'add', ('float32[4]',), '{0,1}')])}\n"}
    assert 0 <= int(said.pop()) < 2**64


def test_an_operation_that_starts_and_ends_apart_is_one() -> None:
    at_once = module("ROOT %r = f32[8]{0} all-reduce(%p), replica_groups={{0,1,2,3}}, to_apply=%add")
    apart = module(
        "%s = f32[8]{0} all-reduce-start(%p), replica_groups={{0,1,2,3}}, to_apply=%add",
        "ROOT %r = f32[8]{0} all-reduce-done(%s)",
    )
    assert collectives(apart) == (Collective("all-reduce", "add", ("float32[8]",), "{0,1,2,3}"),)
    assert collectives(at_once) == collectives(apart)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%s = (f32[8]{0}, f32[32]{0}) all-gather-start(%p), replica_groups=[1,4]<=[4], dimensions={0}",
         Collective("all-gather", "", ("float32[32]",), "{0,1,2,3}")),
        ("%s = ((f32[8]{0}, s32[2]{0}), (f32[32]{0}, s32[8]{0})) all-gather-start(%p, %q), replica_groups={}",
         Collective("all-gather", "", ("float32[32]", "int32[8]"), "{0,1,2,3}")),
        ("%s = (bf16[8]{0}, bf16[8]{0}, u32[], u32[]) collective-permute-start(%p), source_target_pairs={{0,1},{1,0}}",
         Collective("collective-permute", "", ("bfloat16[8]",), "{0,1},{1,0}")),
        ("%s = ((f32[8]{0}), f32[2]{0}) reduce-scatter-start(%p), replica_groups={{3,2,1,0}}, to_apply=%add",
         Collective("reduce-scatter", "add", ("float32[2]",), "{3,2,1,0}")),
    ],
    ids=["all-gather", "two arrays", "collective-permute", "reduce-scatter"],
)  # fmt: skip
def test_what_is_started_has_the_shape_of_its_result(line: str, expected: Collective) -> None:
    assert collectives(module(line)) == (expected,)


def test_a_started_computation_is_entered() -> None:
    text = HEAD + ADD + (
        "%wrapped (q: f32[8]) -> f32[2] {\n  %q = f32[8]{0} parameter(0)\n"
        "  ROOT %r = f32[2]{0} reduce-scatter(%q), replica_groups={{0,1,2,3}}, dimensions={0}, to_apply=%add\n}\n\n"
    ) + ENTRY + (
        "  %s = ((f32[8]{0}), f32[2]{0}) async-start(%p), calls=%wrapped\n"
        "  ROOT %d = f32[2]{0} async-done(%s), calls=%wrapped\n}\n"
    )  # fmt: skip
    assert collectives(text) == (Collective("reduce-scatter", "add", ("float32[2]",), "{0,1,2,3}"),)


def test_branches_of_a_condition_are_told_apart() -> None:
    def text(first: str, second: str) -> str:
        branches = (
            f"%{name} (q: f32[8]) -> f32[8] {{\n  %q = f32[8]{{0}} parameter(0)\n"
            f"  ROOT %r.{name} = f32[8]{{0}} all-reduce(%q), replica_groups={{}}, to_apply=%{operation}\n}}\n\n"
            for name, operation in (("one", first), ("two", second))
        )
        largest = ADD.replace("%add", "%largest").replace(" add(", " maximum(")
        return HEAD + ADD + largest + "".join(branches) + ENTRY + (
            "  ROOT %c = f32[8]{0} conditional(%b, %p, %p), true_computation=%one, false_computation=%two\n}\n"
        )  # fmt: skip

    found = collectives(text("add", "largest"))
    assert [(one.reduction, one.within) for one in found] == [("add", ("branch 0",)), ("maximum", ("branch 1",))]
    assert signature(found) != signature(collectives(text("largest", "add")))


@pytest.mark.parametrize(
    ("target", "counts"),
    [
        ("mpi_allreduce_ffi", True),
        ("jaxmpi_bcast", True),
        ("cusolvermp_potrf_execute", True),
        ("potrs_mg", True),
        ("mpi_send_ffi", False),  # of one rank only: where it is exchanged it is checked
        ("jaxmpi_recv", False),
        ("xla_ffi_python_cpu_callback", False),
        ("lapack_spotrf_ffi", False),
        ("__cublas$gemm", False),
    ],
)
def test_a_custom_call_counts_if_it_is_a_collective(target: str, counts: bool) -> None:
    found = collectives(module(f'ROOT %c = f32[8]{{0}} custom-call(%p), custom_call_target="{target}"'))
    assert [one.target for one in found] == [target] * counts


def test_an_exchange_with_the_host_is_no_communication() -> None:
    line = "%s = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=3"
    assert [one.shapes for one in collectives(module(line))] == [("float32[8]",)]
    assert collectives(module(line + ", is_host_transfer=true")) == ()


def test_a_collective_of_single_devices_is_none() -> None:
    alone = "replica_groups={{0},{1},{2},{3}}"
    assert collectives(module(f"ROOT %r = f32[8]{{0}} all-reduce(%p), {alone}, to_apply=%add")) == ()


def test_channel_ids_and_names_do_not_matter() -> None:
    line = "ROOT %r = f32[8]{0} all-reduce(%p), channel_id=1, replica_groups={{0,1,2,3}}, to_apply=%add"
    other = line.replace("channel_id=1", "channel_id=7").replace("%r ", "%psum.3 ")
    assert signature(collectives(module(line))) == signature(collectives(module(other)))


def test_words_of_the_user_are_no_instructions() -> None:
    scope = 'metadata={op_name="jit(f)/ all-reduce(x), calls=%main, body=%main" source_file="a.py" source_line=3}'
    text = module(f"%n = f32[8]{{0}} negate(%p), {scope}", f"ROOT %m = f32[8]{{0}} call(%n), to_apply=%add, {scope}")
    assert collectives(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("replica_groups={{0,1},{2,3}}", "{0,1},{2,3}"),
        ("replica_groups={{2,3},{0,1}}", "{0,1},{2,3}"),
        ("replica_groups={{3,1},{2,0}}", "{2,0},{3,1}"),
        ("replica_groups={}", "{0,1,2,3}"),
        ("replica_groups=[2,2]<=[4]", "{0,1},{2,3}"),
        ("replica_groups=[2,2]<=[2,2]T(1,0)", "{0,2},{1,3}"),
        ("replica_groups=[4,2]<=[2,2,2]T(0,2,1)", "{0,2},{1,3},{4,6},{5,7}"),
        ("replica_groups=mesh['x'=2,'y'=2] {'y'}", "{0,1},{2,3}"),
        ("replica_groups=mesh['x'=2,'y'=2] {'x'}", "{0,2},{1,3}"),
        ("replica_groups=mesh['x'=2,'y'=2] {'x','y'}", "{0,1,2,3}"),
        ("replica_groups=mesh['x'=2,'y'=2] {'y','x'}", "{0,2,1,3}"),
        ("replica_groups=mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)) {'x'}", "{0,1},{2,3}"),
        ("replica_groups=mesh['x'=4], device_ids=(3,1,2,0) {'x'}", "{3,1,2,0}"),
        ("replica_groups=mesh['x'=8] {'x':(1)2}", "{0,4},{1,5},{2,6},{3,7}"),
        ("replica_groups=mesh['x'=8] {'x':(2)2}", "{0,2},{1,3},{4,6},{5,7}"),
        ("replica_groups=lattice<4>", "lattice<4>, use_global_device_ids=true"),
        ("source_target_pairs={{1,0},{0,1}}", "{0,1},{1,0}"),
        ("channel_id=1", ""),
    ],
)  # fmt: skip
def test_groups_are_written_in_one_way(text: str, expected: str) -> None:
    found = groups.groups_of(f"%p), channel_id=1, {text}, use_global_device_ids=true", 4)
    assert groups.written(found) == expected


def test_many_devices_stay_as_they_are_written() -> None:
    assert groups.groups_of("replica_groups=[64,128]<=[8192]", 8192) == "[64,128]<=[8192]"


FRAMES = """\

FileNames
1 "{LIBRARIES}/flax/linen/module.py"
2 "/home/me/tr\\303\\244in.py"

FunctionNames
1 "Module.apply"
2 "loss"

FileLocations
1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=1 end_column=1}
2 {file_name_id=2 function_name_id=2 line=30 end_line=30 column=1 end_column=1}

StackFrames
""".replace("{LIBRARIES}", LIBRARIES)
LOCATED = (
    'ROOT %r = f32[8]{0} all-reduce(%p), replica_groups={}, to_apply=%add, metadata={op_name="psum" stack_frame_id=2}'
)


@pytest.mark.parametrize(
    "frames",
    [
        "1 {file_location_id=2 parent_frame_id=1}\n2 {file_location_id=1 parent_frame_id=2}\n",  # one too high
        "1 {file_location_id=2 parent_frame_id=0}\n2 {file_location_id=1 parent_frame_id=1}\n",
        "1 {file_location_id=2}\n2 {file_location_id=1 parent_frame_id=1}\n",
    ],
)
def test_the_place_is_the_users_own_frame(frames: str) -> None:
    text = module(LOCATED).replace("\n\n", FRAMES + frames + "\n", 1)
    (found,) = collectives(text)
    assert (found.file, found.line, found.function) == ("/home/me/träin.py", 30, "loss")


def test_a_library_is_named_if_no_frame_is_the_users() -> None:
    text = module(LOCATED).replace("\n\n", FRAMES + "1 {file_location_id=1}\n2 {file_location_id=1}\n\n", 1)
    assert collectives(text)[0].function == "Module.apply"


def test_older_text_has_the_line_in_the_instruction() -> None:
    place = 'metadata={op_name="psum" source_file="/home/me/a \\"b\\".py" source_line=12}'
    (found,) = collectives(module(f"ROOT %r = f32[8]{{0}} all-reduce(%p), replica_groups={{}}, to_apply=%add, {place}"))
    assert found.site is not None
    assert (found.site.file, found.site.line) == ('/home/me/a "b".py', 12)


@pytest.mark.parametrize(
    ("file", "library"),
    [
        ("/home/me/train.py", False),
        ("/home/me/lib/model.py", False),
        (f"{LIBRARIES}/optax/_src/base.py", True),
        (contextlib.__file__, True),
        ("<frozen runpy>", True),
        ("<stdin>", False),
    ],
)
def test_what_a_library_is(file: str, library: bool) -> None:
    assert is_library(file) is library


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ("f32[4,8]{1,0}", ("float32[4,8]",)),
        ("(f32[], /*index=1*/s32[4]{0:T(256)})", ("float32[]", "int32[4]")),
        ("pred[2]{0}", ("bool[2]",)),
        ("f8e4m3fn[8]{0}", ("f8e4m3fn[8]",)),
        ("u8[<=16]{0}", ("uint8[16]",)),
        ("token[]", ("token[]",)),
    ],
)
def test_arrays_are_named_as_numpy_does(shape: str, expected: tuple[str, ...]) -> None:
    assert hlo.arrays(shape) == expected


def test_a_text_that_is_no_module_has_no_collectives() -> None:
    for text in ("", "nonsense all-reduce(", "HloModule x\n", ENTRY, "ENTRY all-reduce( {\n"):
        assert collectives(text) == ()
