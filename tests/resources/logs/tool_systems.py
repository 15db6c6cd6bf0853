"""Runs a real tool on two made-up systems, so that a decision between them can be made on its own logs.

Called as a program: `tool_systems.py inspect FOLDER` or `tool_systems.py lm-eval FOLDER`. The candidate answers one
question of forty worse than the baseline; nothing asks a network.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

QUESTIONS = 40
MISSED = {"old": (3, 17), "new": (3, 17, 29)}
"""Questions that each system answers wrongly."""
CHOOSE = """
task: sums
dataset_path: json
dataset_kwargs: {data_files: {test: FILE}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{q}}"
doc_to_choice: "{{choices}}"
doc_to_target: label
metric_list: [{metric: acc, aggregation: mean, higher_is_better: true}]
"""


def run_inspect(folder: Path) -> None:
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate

    def says(system: str, text: str) -> ModelOutput:
        output = ModelOutput.from_content(f"mockllm/{system}", text)
        output.usage = ModelUsage(input_tokens=5, output_tokens=1, total_tokens=6)  # else it asks a network for a count
        return output

    samples = [Sample(id=f"q{n}", input=f"{n}+1=", target=str(n + 1)) for n in range(QUESTIONS)]
    for system, missed in MISSED.items():
        said = [str(n + 2 if n in missed else n + 1) for n in range(QUESTIONS)]
        answers = [says(system, one) for one in said]
        model = get_model(f"mockllm/{system}", custom_outputs=answers, memoize=False)
        task = Task(dataset=samples, solver=[generate()], scorer=match(), name="sums")
        evaluate(task, model=model, log_dir=str(folder / system), display="none", max_connections=1, max_samples=1)


def run_lm_eval(folder: Path) -> None:
    import lm_eval
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    tasks = folder / "tasks"
    tasks.mkdir(parents=True)
    data = tasks / "questions.jsonl"
    asked = [{"q": f"{n}+1=", "choices": [str(n + 1), str(n + 2)], "label": 0} for n in range(QUESTIONS)]
    data.write_text("".join(json.dumps(one) + "\n" for one in asked))
    (tasks / "sums.yaml").write_text(CHOOSE.replace("FILE", str(data)))

    class MadeUp(LM):
        """Says the right sum, but for the questions that a system misses."""

        def __init__(self, missed: tuple[int, ...]) -> None:
            super().__init__()
            self.missed = missed

        def loglikelihood(self, requests: Any) -> list[tuple[float, bool]]:
            found = []
            for one in requests:
                question, answer = one.args
                number = int(question.partition("+")[0])
                right = (int(answer) == number + 1) != (number in self.missed)
                found.append((-0.1 if right else -2.0, right))
            return found

        def loglikelihood_rolling(self, requests: Any) -> list[float]:
            raise NotImplementedError

        def generate_until(self, requests: Any) -> list[str]:
            raise NotImplementedError

    for system, missed in MISSED.items():
        found = lm_eval.simple_evaluate(
            MadeUp(missed), tasks=["sums"], log_samples=True, bootstrap_iters=0,
            task_manager=TaskManager(include_path=str(tasks)),
        )  # fmt: skip
        samples = found.pop("samples")
        tracker = EvaluationTracker(output_path=str(folder / system))
        tracker.save_results_aggregated(results=found, samples=samples)
        tracker.save_results_samples(task_name="sums", samples=samples["sums"])


if __name__ == "__main__":
    {"inspect": run_inspect, "lm-eval": run_lm_eval}[sys.argv[1]](Path(sys.argv[2]))
