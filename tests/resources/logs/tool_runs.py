"""Runs the real tools on a mock model in a process of their own, and leaves their logs in a folder.

Called as a program: `tool_runs.py inspect FOLDER` or `tool_runs.py lm-eval FOLDER`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

QUESTIONS = [
    {"q": "1+1=", "a": "2", "choices": ["1", "2"], "label": 1},
    {"q": "2+2=", "a": "4", "choices": ["4", "5"], "label": 0},
    {"q": "3+3=", "a": "6", "choices": ["6", "5"], "label": 0},
]
GENERATE = r"""
task: mini_gen
dataset_path: json
dataset_kwargs: {data_files: {test: FILE}}
test_split: test
output_type: generate_until
doc_to_text: "{{q}}"
doc_to_target: "{{a}}"
generation_kwargs: {until: ["\n"]}
filter_list:
  - {name: strict, filter: [{function: regex, regex_pattern: "(\\d+)"}, {function: take_first}]}
  - {name: flexible, filter: [{function: take_first}]}
metric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true}]
"""
CHOOSE = """
task: mini_mc
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
    from inspect_ai import Epochs, Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import Score, match, mean, scorer
    from inspect_ai.solver import generate, solver

    @solver
    def fragile() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            if state.sample_id == "bad":
                raise ValueError("sandbox down")
            return await generate(state)

        return solve

    @solver
    def talkative() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            for _ in range(10):
                state = await generate(state)
            return state

        return solve

    @scorer(metrics={"a": [mean()], "b": [mean()]})
    def parts() -> Any:
        async def score(state: Any, target: Any) -> Any:
            return Score(value={"a": 1, "b": 0.5})

        return score

    def says(text: str) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", text)
        output.usage = ModelUsage(input_tokens=10, output_tokens=3, total_tokens=13)
        return output

    def model() -> Any:
        outputs = [says(text) for text in ("2", "2", "5", "2", "2", "2", "2", "2", "2", "2")]
        return get_model("mockllm/model", custom_outputs=outputs, memoize=False)

    samples = [Sample(id=name, input="1+1", target="2", metadata={"lang": "en"}) for name in ("one", "bad", "two")]
    for form in ("eval", "json"):
        task = Task(dataset=samples, solver=[fragile()], scorer=match(), epochs=Epochs(2, "mean"), fail_on_error=False)
        task_of_one = Task(dataset=samples[:1], solver=[generate()], scorer=match(), name="plain")
        for one in (task, task_of_one):
            evaluate(one, model=model(), log_format=form, log_dir=str(folder / form), display="none")
    long = Task(dataset=samples[:1], solver=talkative(), scorer=parts(), name="long", message_limit=5)
    evaluate(long, model=model(), log_dir=str(folder / "long"), display="none")


def run_lm_eval(folder: Path) -> None:
    import random

    import lm_eval
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    tasks = folder / "tasks"
    tasks.mkdir(parents=True)
    data = tasks / "questions.jsonl"
    data.write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS))
    for name, text in (("gen", GENERATE), ("mc", CHOOSE)):
        (tasks / f"{name}.yaml").write_text(text.replace("FILE", str(data)))
    random.seed(4)
    found = lm_eval.simple_evaluate(
        "dummy", tasks=["mini_gen", "mini_mc"], log_samples=True, bootstrap_iters=0,
        task_manager=TaskManager(include_path=str(tasks)),
    )  # fmt: skip
    samples = found.pop("samples")
    tracker = EvaluationTracker(output_path=str(folder / "logs"))
    tracker.save_results_aggregated(results=found, samples=samples)
    for task in found["configs"]:
        tracker.save_results_samples(task_name=task, samples=samples[task])


if __name__ == "__main__":
    {"inspect": run_inspect, "lm-eval": run_lm_eval}[sys.argv[1]](Path(sys.argv[2]))
