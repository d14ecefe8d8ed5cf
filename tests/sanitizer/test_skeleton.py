"""What is certain of a compiled program, read from the text that XLA gives of it."""

from __future__ import annotations

import pytest

from jaxmpi_lint.runtime.process import operation_order

HEAD = "HloModule jit_step, is_scheduled=true, entry_computation_layout={(token[], f32[4]{0})->(token[], f32[4]{0})}\n"
SUM = """
%region_0.1 (a.1: f32[], b.1: f32[]) -> f32[] {
  %a.1 = f32[] parameter(0)
  %b.1 = f32[] parameter(1)
  ROOT %add.1 = f32[] add(%a.1, %b.1), metadata={op_name="jit(step)/while(body)/add"}
}
"""


def operation(number: int) -> str:
    return (
        f"  %allreduce_mpi.{abs(number)} = (f32[4]{{0}}, token[]) custom-call(%x.1, %token.1), "
        'custom_call_target="mpi_allreduce_ffi", custom_call_has_side_effect=true, api_version=API_VERSION_TYPED_FFI, '
        'metadata={op_name="jit(step)/while(body)/allreduce_mpi" stack_frame_id=6}, '
        f"backend_config={{comm = 1409 : i64, jaxmpi_operation = {number} : i64, nitems = 4 : i64}}"
    )


def part(name: str, *lines: str, entry: bool = False) -> str:
    head = f"{'ENTRY ' if entry else ''}%{name} (token.1: token[], x.1: f32[4]) -> (token[], f32[4]) {{"
    return "\n".join([head, "  %x.1 = f32[4]{0} parameter(1)", *lines, "}", "", ""])


def loop(body: str, trips: int | None, condition: str = "test.1") -> str:
    config = f', backend_config={{"known_trip_count":{{"n":"{trips}"}},"known_init_step":{{}}}}' if trips else ""
    called = f"condition=%{condition}, body=%{body}"
    return f"  %while.6 = (token[], s32[], /*index=2*/f32[4]{{0}}) while(%tuple.2), {called}{config}"


TEST = part("test.1", "  ROOT %lt.1 = pred[] compare(%i.1, %n.1), direction=LT")
REDUCE = "  %sum.1 = f32[] reduce(%x.1, %zero.1), dimensions={0}, to_apply=%region_0.1"
CHOICE = "  %cond.7 = (token[], f32[4]{0}) conditional(%p.1, %t.1, %t.1), branch_computations={%no.1, %yes.1}"
NO, YES = part("no.1"), part("yes.1", operation(7))
CALL = "  %call.1 = (token[], f32[4]{0}) call(%token.1, %x.1), to_apply=%inner.1"

STARTED = CALL.replace(" call(", " async-start(").replace("to_apply", "calls")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param([part("main", operation(1), operation(2), operation(1), entry=True)], (1, 2, 1), id="one_by_one"),
        pytest.param([part("main", operation(-1), entry=True)], ((1 << 64) - 1,), id="unsigned"),
        pytest.param([SUM, part("main", REDUCE, operation(1), entry=True)], (1,), id="parts_without_operations"),
        pytest.param(
            [part("body.1", operation(2), operation(3)), TEST,
             part("main", operation(1), loop("body.1", 2), operation(4), entry=True)],
            (1, 2, 3, 2, 3, 4), id="loop_of_known_length",
        ),
        pytest.param(
            [part("body.1", operation(2)), TEST, part("main", operation(1), loop("body.1", None), entry=True)],
            (1,), id="loop_of_unknown_length",
        ),
        pytest.param(
            [part("body.1", operation(2)), part("test.1", operation(3)),
             part("main", operation(1), loop("body.1", 2), entry=True)],
            (1,), id="loop_that_communicates_to_know_whether_it_ends",
        ),
        pytest.param([NO, part("yes.1"), part("main", CHOICE, operation(1), entry=True)], (1,), id="silent_branches"),
        pytest.param(
            [NO, YES, part("main", operation(1), CHOICE, operation(2), entry=True)], (1,), id="branch_that_communicates"
        ),
        pytest.param(
            [NO, YES, part("body.1", operation(2), CHOICE), TEST,
             part("main", loop("body.1", 3), operation(9), entry=True)],
            (2,), id="branch_in_a_loop",
        ),
        pytest.param(
            [part("inner.1", operation(2)), part("main", CALL, operation(3), CALL, entry=True)], (2, 3, 2), id="call"
        ),
        pytest.param(
            [part("inner.1", operation(2)),
             part("main", operation(1), STARTED, entry=True)],
            (1,), id="anything_else_that_calls",
        ),
        pytest.param([part("alone", operation(1))], (), id="no_entry"),
    ],
)  # fmt: skip
def test_operations_that_come_whatever_the_data_are(parts: list[str], expected: tuple[int, ...]) -> None:
    assert operation_order.certain(HEAD + "".join(parts), "jaxmpi_operation") == expected


@pytest.mark.parametrize(
    ("line", "is_known"),
    [
        ('  %qr.0 = (f32[4,4]{0,1}) custom-call(%x.1), custom_call_target="lapack_sgeqrf_ffi"', True),
        ('  %print.1 = () custom-call(%x.1), custom_call_target="xla_ffi_python_cpu_callback"', False),
        ('  %other.1 = f32[4]{0} custom-call(%x.1), custom_call_target="somebodys_mpi_exchange"', False),
        ("  %send.1 = (f32[4]{0}, u32[], token[]) send(%x.1, %token.1), channel_id=1, is_host_transfer=true", False),
    ],
)
def test_nothing_is_known_of_a_program_that_may_communicate_unseen(line: str, is_known: bool) -> None:
    text = HEAD + part("main", operation(1), operation(2), line, entry=True)
    assert operation_order.certain(text, "jaxmpi_operation") == ((1, 2) if is_known else ())


def test_a_long_loop_is_cut() -> None:
    text = HEAD + part("body.1", operation(2)) + TEST + part("main", loop("body.1", 10**9), entry=True)
    assert operation_order.certain(text, "jaxmpi_operation") == (2,) * operation_order.LIMIT
