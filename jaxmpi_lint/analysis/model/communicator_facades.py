"""Classes of the project with the interface of a communicator: their methods may differ from mpi4py's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.library.mpi.mpi4py_names import MEMBERS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


_UNBOUND = re.compile(r"\bMPI\.(?:File|Comm|Intracomm|Cartcomm|Intercomm|Win)\.(?!Open$|Delete$|Create|Allocate)\w+$")
"""Methods on a class of mpi4py, called with the object as the first argument; the others make an object."""


def is_mpi4py_call(project: Program, bound: BoundCall, caller: Function | None = None) -> bool:
    """Whether a call provably is mpi4py's own operation.

    It is not if it passes keywords that mpi4py does not know, if it is made on the class with the object as the first
    argument (`MPI.File.Write_at(file, offset, buffer)`), or if the communicator is known only by its name and a
    class of the project has a method with this name: one other than that of the ``caller``, which delegates the call.
    """
    operation, communicator = bound.operation, bound.communicator
    if operation is None or not operation.name.startswith(MEMBERS) or _UNBOUND.search(ir.dotted(bound.call.func) or ""):
        return False
    keywords = {argument.keyword for argument in bound.call.args} - {None}
    if not keywords <= set(operation.parameters):
        return False
    if communicator is None or communicator.origin is not None or communicator.context.startswith(MEMBERS):
        return True
    delegates = caller is not None and caller.ir.qualname.rpartition(".")[2] == operation.method
    return not _is_defined(project, operation.method, caller.ir.owner if caller is not None and delegates else None)


def _is_defined(project: Program, method: str, besides: str | None) -> bool:
    return any(
        method in definition.methods and qualname != besides
        for model in project.modules()
        for qualname, definition in model.ir.classes.items()
    )
