"""Kinds of defects of messages between two ranks."""

from __future__ import annotations

import re
from random import Random

import libcst as cst
import libcst.matchers as m

from planting.edits import Edit
from planting.operations import RECEIVES, REQUESTS, SENDS, TAG, UNBLOCKED, has_stars, with_argument
from planting.sites import File, Site


def unequal_tags(file: File, site: Site, random: Random) -> Edit | None:
    """Receive with a tag that nothing sends."""
    sending = any(one.place == site.place and one.method in SENDS for one in file.sites)
    if site.depth or site.method not in RECEIVES or not sending or has_stars(site.call):
        return None
    known = [int(tag) for tag in re.findall(r"tag *= *(\d+)", file.module.code)]
    call = with_argument(site.call, "tag", TAG, str(max([10, *known]) + 1))
    return Edit(call, "{statement}", by_rank=False)


def lost_request(file: File, site: Site, random: Random) -> Edit | None:
    """Start a message and do not wait for it."""
    if site.depth:
        return None
    first = site.statement.body[0]
    if site.method in UNBLOCKED and isinstance(first, cst.Expr) and first.value is site.call:
        function = cst.ensure_type(site.call.func, cst.Attribute)
        changed = function.with_changes(attr=cst.Name(UNBLOCKED[site.method]))
        call = site.call.with_changes(func=changed)
        return Edit(call, "{statement}", form="not blocking any more", by_rank=False)
    if site.method not in REQUESTS or not isinstance(first, cst.Assign):
        return None
    request = file.module.code_for_node(first.targets[0].target)
    waits = _waits(site, request) if _assigned_once(file, site, request) else []
    nodes = tuple((wait, None) for wait in waits)
    return Edit(site.call, "{statement}", nodes, form="wait removed", by_rank=False) if waits else None


def _assigned_once(file: File, site: Site, request: str) -> bool:
    whole = file.module.code_for_node(site.function) if site.function is not None else file.module.code
    return len(re.findall(rf"(?<![\w.]){re.escape(request)} *=[^=]", whole)) == 1


def _waits(site: Site, request: str) -> list[cst.CSTNode]:
    """The statements of the function that wait for a request by its name."""
    wait = m.Call(func=m.Attribute(value=m.Name(request), attr=m.Name("wait") | m.Name("Wait")))
    statement = m.SimpleStatementLine(body=[m.Expr(value=wait)])
    roots = [site.function] if site.function is not None else site.siblings
    return [cst.ensure_type(one, cst.SimpleStatementLine) for root in roots for one in m.findall(root, statement)]
