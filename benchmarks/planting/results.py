"""Kinds of defects of results: a result that is not kept, a broadcast that is gone."""

from __future__ import annotations

import re
from random import Random

import libcst as cst

from planting.edits import Edit
from planting.sites import File, Site

_RANK_BRANCH = re.compile(r"( *)if .*(?:rank|root|master).*:$")


def dropped_result(file: File, site: Site, random: Random) -> Edit | None:
    """Call a collective and keep the variable of before."""
    target = _target(file, site)
    if target is None or site.method not in {"bcast", "allreduce"}:
        return None
    by_root = site.method == "bcast"
    if by_root and not (_of_root(file, site, target) and _given(file, site) == target):
        return None
    if not by_root and target not in re.findall(r"\w+", _given(file, site)):
        return None
    return Edit(site.call, "{statement}", drops_target=True, by_rank=by_root)


def lost_broadcast(file: File, site: Site, random: Random) -> Edit | None:
    """Remove the broadcast of what only the root has."""
    name = _target(file, site) if site.method == "bcast" else _given(file, site)
    if site.depth or site.ranked or name is None or site.method not in {"bcast", "Bcast"}:
        return None
    if not re.fullmatch(r"\w+", name) or _given(file, site) != name or not _of_root(file, site, name):
        return None
    return Edit(site.call, "{statement}", forgets=True, form=site.method)


def _target(file: File, site: Site) -> str | None:
    """The one name that the statement assigns, None if it assigns something else."""
    first = site.statement.body[0]
    if site.depth or not isinstance(first, cst.Assign) or len(first.targets) != 1 or first.value is not site.call:
        return None
    target = first.targets[0].target
    return target.value if isinstance(target, cst.Name) else None


def _given(file: File, site: Site) -> str:
    return file.module.code_for_node(site.call.args[0].value) if site.call.args else ""


def _of_root(file: File, site: Site, name: str) -> bool:
    """Whether a branch on the rank in front of the statement assigns the name."""
    whole = file.module.code_for_node(site.function.body) if site.function is not None else file.module.code
    before = whole.partition(file.module.code_for_node(site.statement.with_changes(leading_lines=[])).strip())[0]
    assigns = re.compile(rf" +{re.escape(name)}(?:, *\w+)* *=")
    depth: int | None = None  # of the branch on the rank in which a line stands
    for line in before.splitlines():
        if not line:
            continue
        if depth is not None and len(line) - len(line.lstrip(" ")) <= depth:
            depth = None
        branch = _RANK_BRANCH.match(line)
        if depth is None and branch is not None:
            depth = len(branch[1])
        elif depth is not None and assigns.match(line):
            return True
    return False
