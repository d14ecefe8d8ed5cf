"""Findings from the differences that ranks detected: which ranks are the majority, which are odd, what differs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.catalogue import CODES
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.judging.histories import History, find_call, past
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, RawFinding, Signature, Site, Snapshot

_BY_DIFFERENCE = {difference: entry.code for entry in CODES.values() for difference in entry.differences}
_BY_KIND = {kind: entry.code for entry in CODES.values() for kind in entry.kinds}
OF_A_COLLECTIVE = ("mismatch", "announced")
"""Kinds that are merged into one finding with all others about the same collective."""
_AHEAD = "detected before the call: a compiled function is compared with those of the other ranks at its first launch"
_ONE_TYPE = "Pass elements of the same type on both ranks: the counts agree in bytes, the types do not."


@dataclass(frozen=True, slots=True)
class Entered:
    """One rank's call of the collective in question."""

    rank: int
    signature: Signature
    site: Site | None
    label: str


def mismatch(raw: Sequence[RawFinding], snapshot: Snapshot, history: History) -> Finding:
    """One finding from all differences that were detected in one collective."""
    first = raw[0]
    difference = first.difference
    entered = _entered(raw, snapshot, history)
    groups = _groups(entered, difference)
    if len(groups) < 2:
        groups = [[one] for one in entered.values() if one.rank in (first.rank, first.other)]
    majority = len(groups) < 2 or len(groups[0]) > len(groups[1])
    communicator = _communicator(snapshot, first.communicator)
    ahead = all(one.kind == "announced" for one in raw)
    sides = tuple(_sides(groups, majority))
    ordered = groups[1:] + groups[:1] if majority else groups
    said = [_says(group, difference) for group in ordered]
    name = wording.communicator(communicator)
    message = f"{'; '.join(said)}: collective {first.ordinal + 1} on {name}"
    return Finding(
        code(first),
        message,
        tuple(sorted(entered)),
        sides,
        name,
        past=past([_ranks(group) for group in groups], communicator, first.ordinal, history),
        notes=(_AHEAD,) if ahead else tuple(_late(communicator, first.ordinal, entered)),
        when=first.when,
    )


def _entered(raw: Sequence[RawFinding], snapshot: Snapshot, history: History) -> dict[int, Entered]:
    """Every rank that is known to have entered the collective."""
    first, found = raw[0], dict[int, Entered]()
    for rank in snapshot.ranks:
        for thread in rank.threads:
            if (thread.communicator, thread.ordinal) == (first.communicator, first.ordinal) and thread.signature:
                found[rank.rank] = Entered(rank.rank, thread.signature, thread.site, thread.label)

    def label(rank: int) -> str:
        called = find_call(history(rank), first.communicator, first.ordinal)
        return found[rank].label if rank in found else called.label if called is not None else ""

    for one in raw:
        if one.mine is not None:
            found[one.rank] = Entered(one.rank, one.mine, one.site, _labels(one)[0] or label(one.rank))
    communicator = _communicator(snapshot, first.communicator)
    for lane in communicator.lanes if communicator else ():
        if lane.rank not in found and lane.count > first.ordinal:
            called = find_call(history(lane.rank), first.communicator, first.ordinal)
            if called is not None:
                found[lane.rank] = Entered(lane.rank, called.signature, called.site, called.label)
    for one in raw:
        if one.other is not None and one.theirs is not None and one.other not in found:
            found[one.other] = Entered(one.other, one.theirs, one.other_site, _labels(one)[1] or label(one.other))
    return found


def _labels(raw: RawFinding) -> tuple[str, str]:
    """The names of an announced collective on the two sides."""
    mine, _, theirs = raw.text.partition(" ") if raw.kind == "announced" else ("", "", "")
    return mine, theirs


def _aspect(one: Entered, difference: str) -> Hashable:
    """The value that is compared; None if it is not known of this rank."""
    signature = one.signature
    if difference in ("count", "type", "byte_note") and not signature.count_known:
        return None
    aspects: Mapping[str, Hashable] = {
        "kind": wording.form(signature, one.label if signature.pickled else ""),
        "blocking": (signature.non_blocking, signature.persistent),
        "root": signature.root,
        "reduction": signature.reduction,
        "reduction_site": signature.reduction_site,
        "type": (signature.base, signature.width) if signature.base != "mixed" else signature.type_hash,
        "byte_note": (signature.base, signature.width),
        "count": (signature.bytes, signature.elements),
        "in_place": signature.in_place,
        "note": (signature.note, one.label if signature.pickled else ""),
    }
    return aspects.get(difference, one.rank)


def _groups(entered: Mapping[int, Entered], difference: str) -> list[list[Entered]]:
    """The ranks that agree, the largest group first."""
    by_aspect: dict[Hashable, list[Entered]] = defaultdict(list)
    for rank in sorted(entered):
        aspect = _aspect(entered[rank], difference)
        if aspect is not None:
            by_aspect[aspect].append(entered[rank])
    return sorted(by_aspect.values(), key=lambda group: (-len(group), group[0].rank))


def _ranks(group: Sequence[Entered]) -> tuple[int, ...]:
    return tuple(one.rank for one in group)


def _sides(groups: Sequence[Sequence[Entered]], majority: bool) -> Iterator[Side]:
    for position, group in enumerate(groups):
        by_path: dict[tuple[Site | None, str], list[Entered]] = defaultdict(list)
        for one in group:
            by_path[one.site, wording.collective(one.signature, one.label)].append(one)
        odd = majority and position > 0
        for (site, call), ones in by_path.items():
            yield Side(_ranks(ones), call, site, "differs" if odd else "", odd)


def _says(group: Sequence[Entered], difference: str) -> str:
    who, signature, label = wording.ranks(_ranks(group)), group[0].signature, group[0].label
    call = wording.form(signature, label)
    one, many = {
        "root": (f"passes root={signature.root} to {call}", f"pass root={signature.root} to {call}"),
        "reduction": (f"reduces with {wording.reduction(signature)}", f"reduce with {wording.reduction(signature)}"),
        "reduction_site": ("reduces with a separately created operator", "reduce with a separately created operator"),
        "count": (f"passes {wording.amount(signature)} to {call}", f"pass {wording.amount(signature)} to {call}"),
        "type": (f"passes {wording.dtype(signature)} to {call}", f"pass {wording.dtype(signature)} to {call}"),
        "byte_note": (f"passes {wording.dtype(signature)} to {call}", f"pass {wording.dtype(signature)} to {call}"),
        "in_place": (_in_place(signature, "passes", call), _in_place(signature, "pass", call)),
        "part": (f"passes different counts to {call}", f"pass different counts to {call}"),
        "note": (f"passes different arguments to {call}", f"pass different arguments to {call}"),
    }.get(difference, (f"is in {call}", f"are in {call}"))
    return f"{who} {wording.verb(_ranks(group), one, many)}"


def _in_place(signature: Signature, word: str, call: str) -> str:
    return f"{word} {'IN_PLACE' if signature.in_place else 'two buffers'} to {call}"


def _late(communicator: Communicator | None, ordinal: int, entered: Mapping[int, Entered]) -> Iterator[str]:
    lanes = communicator.lanes if communicator else ()
    out = [lane.rank for lane in lanes if lane.state == "member" and lane.count <= ordinal]
    late = [rank for rank in out if rank not in entered]
    if late:
        yield f"{wording.ranks(late)} had not reached this collective yet"


def _communicator(snapshot: Snapshot, index: int | None) -> Communicator | None:
    return next((entry for entry in snapshot.communicators if entry.index == index), None)


def parts(raw: RawFinding, snapshot: Snapshot, history: History) -> Finding:
    """A part of a collective with counts for which two ranks pass different sizes."""
    found = single(raw, snapshot)
    entered = _entered([replace(raw, mine=None, theirs=None)], snapshot, history)
    pair = [number for number in (raw.rank, raw.other) if number is not None]
    record = find_call(history(raw.rank), raw.communicator, raw.ordinal)
    if raw.mine is not None:  # it has not entered the collective yet
        entered[raw.rank] = Entered(raw.rank, raw.mine, raw.site, record.label if record else "")
    remarks = dict(zip(pair, _part_remarks(raw), strict=False))
    sides = []
    for number in pair:
        known = entered.get(number)
        call = wording.collective(known.signature, known.label) if known else ""
        sides.append(Side((number,), call, known.site if known else raw.other_site, remarks[number]))
    communicator = _communicator(snapshot, raw.communicator)
    shown = past([(number,) for number in pair], communicator, raw.ordinal, history)
    remedy = _ONE_TYPE if raw.mine_bytes == raw.theirs_bytes else ""
    return replace(found, sides=tuple(sides), past=shown, remedy=remedy)


def _part_remarks(raw: RawFinding) -> tuple[str, str]:
    """What the two ranks pass for one part."""
    mine, theirs = _contents(raw.mine, raw.mine_bytes), _contents(raw.theirs, raw.theirs_bytes)
    if raw.other is None:
        return f"sends {mine}, its own entry in the counts is {theirs}", ""
    return (f"sends {mine}", f"expects {theirs}") if raw.text == "sends" else (f"expects {mine}", f"sends {theirs}")


def _part_message(raw: RawFinding, where: str) -> str:
    mine, theirs = _part_remarks(raw)
    at = f"collective {raw.ordinal + 1}{where}"
    if raw.other is None:
        return f"rank {raw.rank} {mine}: {at}"
    if raw.text == "sends":
        return f"rank {raw.rank} {mine} to rank {raw.other}, which {theirs}: {at}"
    return f"rank {raw.other} {theirs} to rank {raw.rank}, which {mine}: {at}"


def single(raw: RawFinding, snapshot: Snapshot) -> Finding:
    """A finding that one rank detected on its own."""
    communicator = _communicator(snapshot, raw.communicator)
    name = wording.communicator(communicator) if communicator else ""
    own = code(raw)
    sides = [Side((raw.rank,), own_call(raw), raw.site)] if raw.kind != "unreceived" else []
    if raw.other is not None and (raw.other_site is not None or raw.theirs is not None):
        sides.append(Side((raw.other,), _other_call(raw), raw.other_site))
    involved = tuple(sorted({raw.rank} if raw.other is None else {raw.rank, raw.other}))
    overtook = raw.kind == "unordered" and raw.difference == "kind"
    message = _message(raw, own, name)
    return Finding(own, message, involved, tuple(sides), name, when=raw.when, error=True if overtook else None)


def own_call(raw: RawFinding) -> str:
    """The call of the rank that detected the difference."""
    if raw.kind == "message":
        return f"receives {_contents(raw.mine, raw.mine_bytes)}"
    if raw.kind == "unordered":
        return raw.text.partition(": ")[2].partition(" ")[0]
    return wording.collective(raw.mine) if raw.mine is not None and raw.mine.function else ""


def _other_call(raw: RawFinding) -> str:
    if raw.kind == "message":
        return f"sent {_contents(raw.theirs, raw.theirs_bytes)}"
    if raw.kind == "unordered":
        return raw.text.partition(":")[0]
    if raw.kind == "unreceived":
        return f"sent {wording.plural(raw.mine_bytes, 'message')} that no rank received"
    return wording.collective(raw.theirs) if raw.theirs is not None and raw.theirs.function else ""


def _contents(signature: Signature | None, size: int) -> str:
    if signature is not None and signature.elements and signature.base not in ("nothing", ""):
        return f"{wording.amount(signature)} ({wording.plural(signature.bytes or size, 'byte')})"
    return wording.plural(size, "byte")


def code(raw: RawFinding) -> str:
    """The code of the finding."""
    if raw.kind in OF_A_COLLECTIVE:
        return _BY_DIFFERENCE.get(raw.difference, "JS109")
    if raw.text[:2] == "JS" and raw.text[2:5].isdigit():
        return raw.text[:5]
    return _BY_KIND.get(raw.kind, "JS000")


def _message(raw: RawFinding, code: str, name: str) -> str:
    text = raw.text.removeprefix(code).lstrip(": ")
    where = f" on {name}" if name else ""
    count = raw.mine_bytes
    if raw.kind == "message":
        sent, asked = _contents(raw.theirs, raw.theirs_bytes), _contents(raw.mine, raw.mine_bytes)
        if raw.difference == "part":
            rest = f"but its template has {asked}: the rest of the result is undefined"
        else:
            rest = f"but {'has room for only' if raw.difference == 'count' else 'reads it as'} {asked}"
        return f"rank {raw.rank} receives {sent} from rank {raw.other}{where}, {rest}"
    if raw.kind == "unreceived":
        tail = f" ({text})" if text else ""
        lay = wording.verb(range(count), "was", "were")
        sent = f"{wording.plural(count, 'message')} from rank {raw.other} to rank {raw.rank}"
        return f"{sent}{where} {lay} never received{tail}"
    if raw.kind == "unfinished":
        of = f" of {wording.spelled(text, raw.site)}" if text else ""
        return f"rank {raw.rank}: {wording.plural(count, 'request')}{of} never completed"
    if raw.kind == "counts":
        return _part_message(raw, where)
    return f"rank {raw.rank}: {text or name or code}"


def merged(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, with those of one defect that several ranks detected merged into one."""
    by_key: dict[tuple[object, ...], Finding] = {}
    for one in findings:
        before = by_key.get(one.key)
        by_key[one.key] = one if before is None else _united(before, one)
    return list(by_key.values())


def _united(first: Finding, second: Finding) -> Finding:
    involved = tuple(sorted({*first.ranks, *second.ranks}))
    sides = list(first.sides)
    for side in second.sides:
        for position, known in enumerate(sides):
            if (known.site, known.call) == (side.site, side.call):
                sides[position] = replace(known, ranks=tuple(sorted({*known.ranks, *side.ranks})))
                break
        else:
            sides.append(side)
    own, text = first.message.partition(": ")[::2]
    if first.ranks == second.ranks and second.message.partition(": ")[0] != own:
        return first  # both ranks of a pair have detected that their parts differ
    of_ranks = own.startswith("rank") or own == wording.ranks(first.ranks)
    same = text and second.message.partition(": ")[2] == text and of_ranks
    message = f"{wording.ranks(involved)}: {text}" if same else first.message
    error = True if first.error or second.error else first.error
    return replace(first, ranks=involved, sides=tuple(sides), message=message, error=error)


def by_collective(raw: Sequence[RawFinding]) -> list[list[RawFinding]]:
    """Mismatches of one collective together, the earliest first."""
    groups: dict[tuple[int | None, int], list[RawFinding]] = defaultdict(list)
    for one in sorted(raw, key=lambda one: one.when):
        groups[one.communicator, one.ordinal].append(one)
    return list(groups.values())
