from pathlib import Path

from pipeline.upkeep.doctor import ADVICE, Ailment

TEXT = (Path(__file__).parents[3] / "docs" / "operations.md").read_text(encoding="utf-8")


def test_the_table_of_findings_is_that_of_the_code():
    written = [line for line in TEXT.splitlines() if line.startswith("| `")]
    advice = [(ailment, ADVICE[ailment]) for ailment in Ailment]
    assert written == [
        f"| `{ailment}` | {said.severity} | {said.means} | {said.do} | {said.mends or 'nothing'} |"
        for ailment, said in advice
    ]
