"""The kinds of defects: each makes the edit of a site, or None where the site does not have what it needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

import libcst as cst

from planting.edits import Edit
from planting.messages import lost_request, unequal_tags
from planting.operations import BUFFERS, COLLECTIVES, REDUCTIONS, ROOTED, argument, has_stars, with_argument
from planting.results import dropped_result, lost_broadcast
from planting.sites import File, Site

Kind = Callable[[File, Site, Random], Edit | None]
_SUITE = "{statement}"


def _may_part(site: Site) -> bool:
    return site.collective and not site.ranked


def guard(file: File, site: Site, random: Random) -> Edit | None:
    """Put the collective into a branch on the rank."""
    if not _may_part(site):
        return None
    test = random.choice((f"{site.rank} == 0", f"{site.rank} != 0", f"{site.rank} % 2 == 0"))
    return Edit(site.call, f"if {test}:\n    {_SUITE}", form=test)


def early_return(file: File, site: Site, random: Random) -> Edit | None:
    """Let some ranks return before the collective."""
    if not _may_part(site) or site.function is None or _yields(site.function):
        return None
    test = random.choice((f"{site.rank} == 0", f"{site.rank} > 0", f"{site.rank} == 1"))
    return Edit(site.call, f"if {test}:\n    return\n{_SUITE}", form=test)


def _yields(function: cst.FunctionDef) -> bool:
    return bool(re.search(r"\byield\b", cst.Module([]).code_for_node(function.body)))


def own_break(file: File, site: Site, random: Random) -> Edit | None:
    """Leave a loop that communicates on data of the rank."""
    if not _may_part(site) or not site.loops:
        return None
    loop = site.loops[-1]
    forms = [("random.random() < 0.1", "import random\n")]
    if isinstance(loop, cst.For) and isinstance(loop.target, cst.Name) and _is_range(loop.iter):
        forms += [(f"{loop.target.value} > {site.rank}", "")] * 2
    test, imports = random.choice(forms)
    return Edit(site.call, f"if {test}:\n    break\n{_SUITE}", imports=imports, form=test, by_rank=not imports)


def _is_range(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "range"


def in_handler(file: File, site: Site, random: Random) -> Edit | None:
    """Skip the collective where an operation of some ranks fails."""
    if not _may_part(site):
        return None
    own = f'part = open("part" + str({site.rank}))\n    part.close()'
    first = f'if {site.rank} == 0:\n        open("settings.txt").close()'
    operation = random.choice((own, first))
    text = f'try:\n    {operation}\n    {_SUITE}\nexcept OSError:\n    print("no file")'
    return Edit(site.call, text, form=operation.partition("\n")[0], by_rank=False)


def swapped_order(file: File, site: Site, random: Random) -> Edit | None:
    """Call two collectives in the opposite order on odd ranks."""
    if not _may_part(site) or isinstance(site.statement.body[0], cst.Return):
        return None
    neighbour = _next_collective(file, site)
    other = neighbour[1] if neighbour else f"{site.communicator}.{_different(site.method)}"
    text = f"if {site.rank} % 2 == 0:\n    {_SUITE}\n    {other}\nelse:\n    {other}\n    {_SUITE}"
    nodes = ((neighbour[0], None),) if neighbour else ()
    return Edit(site.call, text, nodes, form="two of the tree" if neighbour else "one of the tree")


def _different(method: str) -> str:
    return "allreduce(1)" if method in {"Barrier", "barrier"} else "Barrier()"


def _next_collective(file: File, site: Site) -> tuple[cst.BaseStatement, str] | None:
    """The statement after the site if it is a different collective that does not need its result."""
    places = [place for place, one in enumerate(site.siblings) if one is site.statement]
    if site.depth or not places or places[0] + 1 >= len(site.siblings):
        return None
    following = site.siblings[places[0] + 1]
    other = next((one for one in file.sites if one.statement is following), None)
    if other is None or not other.collective or other.method == site.method or other.communicator != site.communicator:
        return None
    if isinstance(other.statement.body[0], cst.Return) or not isinstance(site.statement.body[0], cst.Expr):
        return None
    text = file.module.code_for_node(other.statement.with_changes(leading_lines=[])).strip()
    return None if "\n" in text else (following, text)


def other_root(file: File, site: Site, random: Random) -> Edit | None:
    """Let each rank be its own root."""
    if not _may_part(site) or site.depth or site.method not in ROOTED or has_stars(site.call):
        return None
    call = with_argument(site.call, "root", ROOTED[site.method], site.rank)
    return Edit(call, _SUITE)


def other_communicator(file: File, site: Site, random: Random) -> Edit | None:
    """Let odd ranks call the collective on a part of the communicator."""
    if not _may_part(site) or site.depth or site.method not in COLLECTIVES:
        return None
    receiver = cst.ensure_type(site.call.func, cst.Attribute)
    call = site.call.with_changes(func=receiver.with_changes(value=cst.Name("group")))
    rank, whole = site.rank, site.communicator
    before = random.choice(
        (
            f"group = {whole}.Split({rank} % 2, {rank})\nif {rank} % 2 == 0:\n    group = {whole}\n",
            f"half = {whole}.Split({rank} % 2, {rank})\ngroup = {whole} if {rank} == 0 else half\n",
        )
    )
    return Edit(call, _SUITE, first=before)


def fewer_iterations(file: File, site: Site, random: Random) -> Edit | None:
    """Let rank 0 run one iteration fewer."""
    if not _may_part(site) or not site.loops or not isinstance(site.loops[-1], cst.For):
        return None
    loop = site.loops[-1]
    old = file.module.code_for_node(loop.iter)
    if "\n" in old:
        return None
    if isinstance(loop.iter, cst.Call) and _is_range(loop.iter) and len(loop.iter.args) <= 2:
        last = loop.iter.args[-1]
        end = file.module.code_for_node(last.value)
        new = cst.parse_expression(f"({end}) - 1 if {site.rank} == 0 else {end}")
        arguments = [*loop.iter.args[:-1], last.with_changes(value=new)]
        return Edit(site.call, _SUITE, ((loop.iter, loop.iter.with_changes(args=arguments)),), form="range")
    text = f"list({old})[1:] if {site.rank} == 0 else {old}"
    return Edit(site.call, _SUITE, ((loop.iter, cst.parse_expression(text)),), form="sequence")


def other_operator(file: File, site: Site, random: Random) -> Edit | None:
    """Reduce with a different operator on rank 0."""
    if site.depth or site.ranked or site.method not in REDUCTIONS or not file.imports_mpi or has_stars(site.call):
        return None
    given = argument(site.call, "op", REDUCTIONS[site.method])
    old = file.module.code_for_node(given.value) if given is not None else "MPI.SUM"
    if not re.fullmatch(r"MPI\.[A-Z]+", old):
        return None
    new = "MPI.MIN" if old == "MPI.MAX" else "MPI.MAX"
    value = f"{new} if {site.rank} == 0 else {old}"
    return Edit(with_argument(site.call, "op", REDUCTIONS[site.method], value), _SUITE)


def other_count(file: File, site: Site, random: Random) -> Edit | None:
    """Pass fewer elements on higher ranks."""
    if site.depth or site.ranked or site.method not in BUFFERS or has_stars(site.call):
        return None
    buffers = site.call.args[: BUFFERS[site.method]]
    if not buffers or any(one.keyword is not None for one in buffers):
        return None
    changed = [_cut(file, one, site.rank) for one in buffers]
    if all(new is old for new, old in zip(changed, buffers, strict=True)):
        return None
    return Edit(site.call.with_changes(args=[*changed, *site.call.args[len(buffers) :]]), _SUITE)


def _cut(file: File, given: cst.Arg, rank: str) -> cst.Arg:
    text = file.module.code_for_node(given.value)
    if re.fullmatch(r"[A-Za-z_][\w.]*", text) and not text.startswith(("MPI.", "None")):
        return given.with_changes(value=cst.parse_expression(f"{text}[{rank}:]"))
    listed = re.fullmatch(r"([\[(])([A-Za-z_][\w.]*)(, *MPI\.\w+[\])])", text)
    if listed is not None:
        return given.with_changes(value=cst.parse_expression(f"{listed[1]}{listed[2]}[{rank}:]{listed[3]}"))
    return given


KINDS: Mapping[str, Kind] = {
    "guard": guard,
    "early return": early_return,
    "break on own data": own_break,
    "skipped in handler": in_handler,
    "swapped order": swapped_order,
    "other root": other_root,
    "other communicator": other_communicator,
    "dropped result": dropped_result,
    "one iteration fewer": fewer_iterations,
    "lost broadcast": lost_broadcast,
    "unequal tags": unequal_tags,
    "lost request": lost_request,
    "other operator": other_operator,
    "other count": other_count,
}
