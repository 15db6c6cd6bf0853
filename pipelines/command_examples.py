"""What `--help` teaches by: one or two calls of every subcommand, as somebody in the checkout types them.

Belongs here: the examples. Each is carried out by a test, on a page of the documentation or in a reader's folder after
the demonstration. Does not belong here: what options mean, which stands beside each option.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_AGENTS: Final = "warehouse/demo/agents"
_PANEL: Final = f"{_AGENTS}/panel.yaml"
_MAPS: Final = (f"{_AGENTS}/repair-map.yaml", f"{_AGENTS}/desk-map.yaml")
_JUDGMENTS: Final = "warehouse/demo/judgments.csv warehouse/demo/judgments.yaml"
_NEW: Final = "--modality text --scorer rule --objective non_inferiority --risk low"
_WIDTH: Final = 76

EXAMPLES: Final[dict[str, tuple[str, ...]]] = {
    "run": ("run --demo", "run --offline --as-of 2026-10-20"),
    "sync": ("sync", "sync --dry-run crossword-50"),
    "backfill": ("backfill --from mirror", "backfill --from git --source my-board --since 2025-01-01"),
    "scores": ("scores --category reasoning --limit 5", "scores --category math --limit 3"),
    "explain": ("explain GPT-5.2 reasoning", "explain GPT-5.2 reasoning --json"),
    "backtest": ("backtest --quick", "backtest --repetitions 1 --json"),
    "diff": ("diff FORMER RELEASE", "diff FORMER RELEASE GPT-5.2 reasoning"),
    "verify": ("verify current", "verify release.zip"),
    "freeze": ("freeze --out frozen", "freeze --out frozen --register oct-2026"),
    "pair": ("pair", "pair 3f69ce2e4c7330e3~5d1cf592aea53ec4"),
    "protocol": (
        "protocol losses.csv",
        "protocol losses.csv --growth linear,forest,boosted,persistence --page protocols.html",
    ),
    "decide": (
        "decide assistant.yaml assistant.csv",
        "decide assistant.yaml assistant.csv --junit decision.xml --markdown decision.md --page decision.html",
    ),
    "plan": (
        "plan assistant.yaml --baseline-rate 0.72 --pairing 0.6",
        "plan --baseline-rate 0.7 --expected-pp 0 --margin-pp -5 --pairing 0.6",
    ),
    "harness": (
        f"harness {_AGENTS}/attempts.csv --panel {_PANEL} --map {_MAPS[0]} --map {_MAPS[1]}",
        "harness --show-map loca-bench",
    ),
    "export": ("export current --archive release.zip", "export current --format csv --out tables"),
    "import": (
        "import candidate.json --format swebench --model m-2 --as samples --unscored zero --out samples.jsonl",
        "import logs --leaderboard crossword-50 --out my-board/from-logs.json",
    ),
    "site": ("site --home data/demo --out demo-site",),
    "status": ("status", "status --json"),
    "affected": ("affected", "affected mmmu-gpt-3.5-turbo-not-run"),
    "withdraw": ('withdraw RELEASE --reason "built on a board that was taken back"',),
    "rollback": ('rollback --reason "the newest catalog moved ranks it should not have"',),
    "ui": ("ui",),
    "triage": ("triage ours theirs", "triage static rolling"),
    "catalog check": ("catalog check", "catalog check --catalog warehouse/catalog --json"),
    "catalog preview": ("catalog preview --catalog warehouse/catalog",),
    "models unresolved": ("models unresolved --limit 5",),
    "models suggest": ("models suggest --limit 5",),
    "review queue": ("review queue --limit 5",),
    "review export": ("review export --out pairs.csv --catalog my-catalog --sources warehouse/demo/sources.yaml",),
    "review import": (
        "review import pairs.csv --catalog my-catalog --sources warehouse/demo/sources.yaml"
        ' --reviewer "YOUR NAME"',
    ),
    "review serve": ('review serve --reviewer "YOUR NAME" --catalog my-catalog',),
    "judge": (f"judge {_JUDGMENTS} --fallback large",),
    "judge report": (f"judge report {_JUDGMENTS}", f"judge report {_JUDGMENTS} --fallback large --queue queue.csv"),
    "judge fit": (f"judge fit {_JUDGMENTS} --judge small --fallback large --out policy.yaml",),
    "judge evaluate": (f"judge evaluate policy.yaml {_JUDGMENTS}",),
    "judge apply": (f"judge apply policy.yaml {_JUDGMENTS} --out decided.csv",),
    "judge risk": ("judge risk", "judge risk --items 200 --draws 500"),
    "contract new": (
        f"contract new assistant.yaml {_NEW} --baseline assistant-6 --candidate assistant-7",
        f"contract new shadowed.yaml {_NEW} --made-sure are_write_tools_off",
    ),
    "contract check": ("contract check assistant.yaml",),
    "contract seal": ("contract seal assistant.yaml",),
    "manifest capture": ("manifest capture --set dtype=bfloat16 --set batch_size=4 --out manifest.yaml",),
    "manifest compare": (
        "manifest compare ours theirs",
        "manifest compare ours theirs --register stacks --home data/stacks",
    ),
    "register freeze": ("register freeze oct-2026 frozen",),
    "register attempts": (f"register attempts repairs {_AGENTS}/attempts.csv {_PANEL} {' '.join(_MAPS)}",),
    "register judgments": (f"register judgments votes {_JUDGMENTS} --known-since 2026-10-01",),
    "register losses": ("register losses stations-2026 losses.csv",),
    "register manifests": ("register manifests stacks ours.yaml theirs.yaml",),
    "register regression": ("register regression assistant regression.jsonl",),
    "register samples": ("register samples assistant contract.yaml samples.csv samples.yaml",),
    "shadow start": ("shadow start assistant assistant.yaml",),
    "shadow add": ("shadow add assistant copied.csv",),
    "shadow status": ("shadow status assistant", "shadow status"),
    "shadow decide": ("shadow decide assistant --junit shadow.xml",),
    "shadow register": ("shadow register assistant --as assistant-shadow",),
    "canary start": ("canary start assistant assistant.yaml",),
    "canary add": ("canary add assistant day-1.csv day-2.csv",),
    "canary status": ("canary status assistant",),
    "canary decide": ("canary decide assistant",),
    "canary register": ("canary register assistant",),
    "regression check": ("regression check regression.jsonl",),
    "regression add": ("regression add regression.jsonl failures.jsonl",),
    "docs dictionary": ("docs dictionary",),
}  # fmt: skip
"""By the words of the subcommand; without the name of the program."""


def shown(words: str) -> str | None:
    """The examples of a subcommand as its help shows them; None where there are none.

    A long call goes over several lines that a shell reads as one.
    """
    if words not in EXAMPLES:
        return None
    lines = [line for example in EXAMPLES[words] for line in _lines(f"scoretrail {example}")]
    return "\b\n" + "\n".join(["Examples:" if len(EXAMPLES[words]) > 1 else "Example:", *lines])


def _lines(call: str) -> Iterator[str]:
    """A call, indented, each line but the last ending with a backslash; never broken within an option and its value."""
    parts = call.replace(" --", "\0--").split("\0")
    pieces = [piece for part in parts for piece in ([part] if part.startswith("--") else part.split(" "))]
    line = f"  {pieces[0]}"
    for piece in pieces[1:]:
        if len(line) + 1 + len(piece) > _WIDTH:
            yield f"{line} \\"
            line = f"    {piece}"
        else:
            line += f" {piece}"
    yield line
