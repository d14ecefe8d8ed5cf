"""What the library tables say, read as facts of the MPI standard and of the libraries' documentation."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from places import ROOT

from jaxmpi_lint.library import transforms
from jaxmpi_lint.library.aliases import ALIASES
from jaxmpi_lint.library.catalogue import Catalogue
from jaxmpi_lint.library.constants import datatype_of
from jaxmpi_lint.library.model import Kind, Operation, Relation, Result
from jaxmpi_lint.library.names import COMMUNICATOR_CLASSES
from jaxmpi_lint.settings.settings import Wrapper

SIGNATURES = ROOT / "tools" / "library" / "signatures"
ANY = Catalogue()


def only(dotted: str, catalogue: Catalogue = ANY) -> Operation:
    (operation,) = catalogue.function(dotted)
    return operation


# --- mpi4py ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind", "result"),
    [
        ("bcast", Kind.COLLECTIVE, Result.SAME),
        ("allreduce", Kind.COLLECTIVE, Result.SAME),
        ("allgather", Kind.COLLECTIVE, Result.SAME),
        ("reduce", Kind.COLLECTIVE, Result.ROOT),
        ("gather", Kind.COLLECTIVE, Result.ROOT),
        ("scatter", Kind.COLLECTIVE, Result.OWN),
        ("alltoall", Kind.COLLECTIVE, Result.OWN),
        ("scan", Kind.COLLECTIVE, Result.OWN),
        ("barrier", Kind.COLLECTIVE, Result.NONE),
        ("send", Kind.SEND, Result.NONE),
        ("recv", Kind.RECEIVE, Result.OWN),
        ("sendrecv", Kind.SENDRECV, Result.OWN),
        ("isend", Kind.SEND, Result.REQUEST),
        ("irecv", Kind.RECEIVE, Result.REQUEST),
        ("Iallreduce", Kind.COLLECTIVE, Result.REQUEST),
        ("Bcast_init", Kind.COLLECTIVE, Result.REQUEST),
        ("Iprobe", Kind.PROBE, Result.OWN),
        ("Split", Kind.CONSTRUCTOR, Result.COMMUNICATOR),
        ("Create_cart", Kind.CONSTRUCTOR, Result.COMMUNICATOR),
        ("Free", Kind.FREE, Result.NONE),
        ("Disconnect", Kind.FREE, Result.NONE),
        ("Abort", Kind.ABORT, Result.NONE),
        ("Get_rank", Kind.QUERY, Result.RANK),
        ("Get_size", Kind.QUERY, Result.SIZE),
    ],
)
def test_methods_of_a_communicator(name: str, kind: Kind, result: Result) -> None:
    operation = only(f"mpi4py.MPI.COMM_WORLD.{name}", Catalogue({"mpi4py": (4, 1)}))
    assert (operation.kind, operation.result, operation.communicator) == (kind, result, "self")


@pytest.mark.parametrize(
    ("name", "received"),
    [
        ("Bcast", Result.SAME),
        ("Allreduce", Result.SAME),
        ("Iallgatherv", Result.SAME),
        ("Gather", Result.ROOT),
        ("Scatterv", Result.OWN),
        ("Recv", Result.OWN),
        ("Reduce_scatter_block", Result.OWN),
    ],
)
def test_what_receive_buffers_hold(name: str, received: Result) -> None:
    operation = only(f"mpi4py.MPI.Comm.{name}")
    assert operation.buffer
    assert operation.received is received
    assert operation.receives


def test_bcast_reads_its_buffer_at_the_root_and_writes_it_elsewhere() -> None:
    bcast = only("mpi4py.MPI.Comm.Bcast")
    assert (bcast.sends, bcast.receives, bcast.root) == (("buf",), ("buf",), "root")
    assert bcast.position("root") == 1
    assert bcast.default("root") == "0"


def test_root_operator_peer_and_tag_are_found_by_position() -> None:
    reduce, sendrecv = only("mpi4py.MPI.Comm.reduce"), only("mpi4py.MPI.Comm.sendrecv")
    assert (reduce.position("op"), reduce.position("root"), reduce.default("op")) == (1, 2, "SUM")
    assert (sendrecv.destination, sendrecv.source, sendrecv.tag) == ("dest", "source", "sendtag")
    assert sendrecv.position("source") == 4


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("mpi4py.MPI.COMM_SELF.bcast", "mpi4py.MPI.Comm.bcast"),
        ("mpi4py.MPI.Intracomm.bcast", "mpi4py.MPI.Comm.bcast"),
        ("mpi4py.MPI.Cartcomm.Scan", "mpi4py.MPI.Intracomm.Scan"),
        ("mpi4py.MPI.Cartcomm.Neighbor_alltoall", "mpi4py.MPI.Topocomm.Neighbor_alltoall"),
        ("mpi4py.MPI.Prequest.Wait", "mpi4py.MPI.Request.Wait"),
        ("mpi4py.util.pkl5.Intracomm.bcast", "mpi4py.MPI.Comm.bcast"),
        ("mpi4py.MPI.DOUBLE.Get_size", "mpi4py.MPI.Datatype.Get_size"),
    ],
)
def test_inherited_methods_and_constants_lead_to_one_name(written: str, canonical: str) -> None:
    assert ANY.canonical(written) == canonical
    assert ANY.function(written)[0].name == canonical


@pytest.mark.parametrize(
    ("name", "relation"),
    [
        ("Comm.Dup", Relation.SAME),
        ("Comm.Clone", Relation.SAME),
        ("Comm.Split", Relation.PART),
        ("Cartcomm.Sub", Relation.PART),
        ("Intercomm.Merge", Relation.LARGER),
        ("Intracomm.Spawn", Relation.OTHER),
        ("Intracomm", Relation.ALIAS),
    ],
)
def test_group_of_a_new_communicator(name: str, relation: Relation) -> None:
    operation = only(f"mpi4py.MPI.{name}")
    assert operation.relation is relation
    assert operation.result is Result.COMMUNICATOR


def test_create_group_needs_the_members_of_the_group_only() -> None:
    assert {operation.kind for operation in ANY.communicator_method("Create_group")} == {Kind.GROUP_CONSTRUCTOR}


def test_properties_are_attributes() -> None:
    assert only("mpi4py.MPI.Comm.rank").attribute
    assert not only("mpi4py.MPI.Comm.Get_rank").attribute
    assert only("mpi4py.MPI.Cartcomm.coords").result is Result.RANK


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Win.Allocate", Kind.COLLECTIVE),
        ("Win.Fence", Kind.COLLECTIVE),
        ("Win.Free", Kind.COLLECTIVE),
        ("Win.Lock_all", Kind.EPOCH),
        ("Win.Put", Kind.ONE_SIDED),
        ("File.Open", Kind.COLLECTIVE),
        ("File.Close", Kind.COLLECTIVE),
        ("File.Write_at_all", Kind.COLLECTIVE),
        ("File.Write_ordered", Kind.COLLECTIVE),
        ("File.Write_at", Kind.LOCAL),
        ("File.Set_view", Kind.COLLECTIVE),
        ("Request.Waitall", Kind.COMPLETION),
        ("Prequest.Start", Kind.START),
        ("Init", Kind.INITIALIZE),
        ("Finalize", Kind.FINALIZE),
    ],
)
def test_windows_files_requests_and_the_environment(name: str, kind: Kind) -> None:
    assert only(f"mpi4py.MPI.{name}").kind is kind


def test_collectives_of_windows_and_files_name_their_group() -> None:
    assert only("mpi4py.MPI.Win.Create").communicator == "comm"
    assert only("mpi4py.MPI.File.Open").communicator == "comm"
    assert only("mpi4py.MPI.Win.Fence").communicator == "handle"


@pytest.mark.parametrize("name", ["Comm.Free", "Win.Free", "File.Close", "Request.Free", "Group.Free"])
def test_what_gives_a_handle_back(name: str) -> None:
    assert only(f"mpi4py.MPI.{name}").releases


def test_releases_of_mpi4py_differ() -> None:
    old, new = Catalogue({"mpi4py": (3, 1, 6)}), Catalogue({"mpi4py": (4, 1)})
    assert old.function("mpi4py.MPI.Comm.Bcast_init") == ()
    assert only("mpi4py.MPI.Comm.Bcast_init", new).blocking is False
    assert only("mpi4py.MPI.Comm.Compare", old).parameters == ("comm1", "comm2")
    assert only("mpi4py.MPI.Comm.Compare", new).parameters == ("comm",)
    assert len(ANY.function("mpi4py.MPI.Comm.Compare")) == 2


def test_every_member_of_a_communicator_has_an_entry() -> None:
    stub = json.loads((SIGNATURES / "mpi4py-4.1.2.json").read_text())
    members = [name for name in stub if name.split(".")[0] in COMMUNICATOR_CLASSES and "__" not in name]
    assert [name for name in members if f"mpi4py.MPI.{name}" not in ANY.operation_names] == []


@pytest.mark.parametrize("name", ["Get_rank", "Get_size", "Allreduce", "Bcast", "Isend", "Sendrecv", "Create_cart"])
def test_methods_that_only_communicators_have(name: str) -> None:
    assert ANY.unmistakable(name)


@pytest.mark.parametrize("name", ["Barrier", "Split", "Free", "Send", "Clone", "reduce", "send", "rank", "Frobnicate"])
def test_methods_that_prove_nothing(name: str) -> None:
    assert not ANY.unmistakable(name)


# --- constants ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("DOUBLE", "float64"), ("FLOAT", "float32"), ("INT", "int32"), ("LONG", "int64"), ("UNSIGNED_CHAR", "uint8"),
     ("C_DOUBLE_COMPLEX", "complex128"), ("BOOL", "bool"), ("DOUBLE_INT", None)],
)  # fmt: skip
def test_datatypes_have_numpy_equivalents(name: str, dtype: str | None) -> None:
    constant = ANY.constant(f"mpi4py.MPI.{name}")
    assert constant is not None
    assert (constant.type, constant.dtype) == ("Datatype", dtype)


def test_equal_datatypes() -> None:
    assert {"DOUBLE", "FLOAT64_T", "REAL8"} <= set(datatype_of("float64"))


@pytest.mark.parametrize(
    ("name", "type_"),
    [("COMM_WORLD", "Intracomm"), ("COMM_NULL", "Comm"), ("SUM", "Op"), ("PROC_NULL", "int"), ("ANY_SOURCE", "int"),
     ("ROOT", "int"), ("IN_PLACE", "InPlaceType"), ("REQUEST_NULL", "Request")],
)  # fmt: skip
def test_constants_know_their_class(name: str, type_: str) -> None:
    constant = ANY.constant(f"mpi4py.MPI.{name}")
    assert constant is not None
    assert constant.type == type_


def test_location_operators_take_pairs() -> None:
    maximum, summation = ANY.constant("mpi4py.MPI.MAXLOC"), ANY.constant("mpi4py.MPI.SUM")
    assert maximum is not None
    assert summation is not None
    assert maximum.reduces == {"pair"}
    assert "complex" in summation.reduces


def test_unknown_names_are_no_constants() -> None:
    assert ANY.constant("mpi4py.MPI.Comm") is None
    assert ANY.constant("numpy.DOUBLE") is None


# --- mpi4jax -----------------------------------------------------------------------------------------------


def test_tokens_until_0_7() -> None:
    old = only("mpi4jax.allreduce", Catalogue({"mpi4jax": (0, 7, 1)}))
    assert old.token
    assert old.position("token") is None
    assert "token" in old.parameters


def test_tokens_were_positional_before_0_3() -> None:
    assert only("mpi4jax.allreduce", Catalogue({"mpi4jax": (0, 2, 18)})).position("token") == 3


def test_arrays_only_since_0_8_which_is_the_default() -> None:
    new = only("mpi4jax.allreduce")
    assert not new.token
    assert new.versions is not None
    assert new.versions.since == (0, 8, 0)
    assert new == only("mpi4jax.allreduce", Catalogue({"mpi4jax": (0, 9, 1)}))


def test_removed_names_are_found_unless_the_release_is_known() -> None:
    assert only("mpi4jax.experimental.notoken.allreduce").kind is Kind.COLLECTIVE
    assert Catalogue({"mpi4jax": (0, 9)}).function("mpi4jax.experimental.notoken.allreduce") == ()
    assert Catalogue({"mpi4jax": (0, 9)}).function("mpi4jax.Allreduce") == ()
    assert [entry.token for entry in ANY.history("mpi4jax.allreduce")] == [True, True, False]


@pytest.mark.parametrize(
    ("name", "result", "template"),
    [
        ("bcast", Result.SAME, "x"),
        ("reduce", Result.ROOT_ELSE_INPUT, None),
        ("gather", Result.ROOT_ELSE_INPUT, None),
        ("scatter", Result.OWN, "x"),
        ("recv", Result.OWN, "x"),
        ("sendrecv", Result.OWN, "recvbuf"),
        ("send", Result.NONE, None),
    ],
)
def test_results_of_mpi4jax(name: str, result: Result, template: str | None) -> None:
    operation = only(f"mpi4jax.{name}")
    assert (operation.result, operation.template) == (result, template)
    assert (operation.communicator, operation.communicator_default) == ("comm", "world-clone")


# --- what a project adds -------------------------------------------------------------------------------------


def test_a_wrapper_is_the_operation_with_its_own_parameters() -> None:
    wrapper = Wrapper("tools.my_reduce", "mpi4py.MPI.Comm.reduce", communicator=1, root="to", value=0)
    operation = only("tools.my_reduce", Catalogue(wrappers=[wrapper]))
    assert operation.event == "reduce"
    assert operation.communicator is not None
    assert operation.position(operation.communicator) == 1
    assert (operation.root, operation.position("to")) == ("to", None)
    assert operation.sends == ("argument0",)


def test_a_wrapper_of_a_method_without_a_communicator_is_on_the_world() -> None:
    wrapper = Wrapper("tools.barrier", "mpi4py.MPI.Comm.Barrier")
    operation = only("tools.barrier", Catalogue(wrappers=[wrapper]))
    assert (operation.communicator, operation.communicator_default) == (None, "world")


def test_a_tracing_function_of_the_project() -> None:
    transform = Catalogue(traced=["tools.compile"]).transform("tools.compile")
    assert transform is not None
    assert transform.functions == (("function", 0),)


# --- the tables as a whole -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "communicator", "given"),
    [
        ("pfft.core.ProcMesh", "comm", None),
        ("mpsort.sort", "comm", None),
        ("bigfile.BigFileMPI.open", "handle", "handle"),
        ("h5py.File", "comm", "comm"),
        ("h5py.File.create_dataset", "handle", "handle"),
        ("netCDF4.Dataset", "comm", "comm"),
        ("mpi4py_fft.mpifft.PFFT.forward", "handle", "handle"),
    ],
)
def test_libraries_that_are_given_a_communicator(written: str, communicator: str, given: str | None) -> None:
    operation = only(written)
    assert (operation.kind, operation.communicator, operation.given) == (Kind.COLLECTIVE, communicator, given)


def test_every_row_can_be_read_and_names_parameters_that_exist() -> None:
    for name in sorted(ANY.operation_names):
        for operation in ANY.history(name):
            named = [*operation.sends, *operation.receives, operation.root, operation.reduction, operation.template,
                     operation.destination, operation.source, operation.tag, operation.axis]  # fmt: skip
            absent = {part for part in named if part is not None} - set(operation.parameters)
            assert absent == set(), name
            if operation.communicator not in (None, "self", "handle", "processes", "world"):
                assert operation.communicator in operation.parameters, name


def test_every_transform_can_be_read() -> None:
    for name in transforms.ROWS:
        assert ANY.transform(name) is not None


def test_aliases_lead_to_entries() -> None:
    known = ANY.operation_names | set(transforms.ROWS)
    for alias, target in ALIASES.items():
        is_known = target in known or ANY.constant(target) is not None
        assert is_known or any(name.startswith(f"{target}.") for name in known), alias


@pytest.mark.jobs
def test_data_modules_are_what_the_generator_writes() -> None:
    command = [sys.executable, str(ROOT / "tools" / "generate_library_tables.py"), "--check"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.jobs
def test_the_catalogue_imports_no_parser_and_no_library() -> None:
    program = "import sys, jaxmpi_lint.library.catalogue; print(*sorted(sys.modules))"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, env=environment)
    assert not {"jax", "mpi4py", "numpy", "libcst", "networkx", "rich"} & set(run.stdout.split())
