# ruff: noqa: E501 - one fact a line, to be held against the upstream file beside it
"""What the real upstream files hold: which have no results, how many rows each board has, single values read by eye.

Belongs here: facts about the files of ../shared. The tests that hold the connectors to them are `test_every_board`.
"""

from __future__ import annotations

from typing import Any

NO_RESULTS = {
    "eval-card-registry": "names of models, benchmarks and metrics",
    "faireval": "votes of people on pairs of answers: a judge's gold labels",
    "geneval": "people's checks of pictures behind the benchmark; no board of models",
    "helm-registry": "facts about models",
    "llm-prices": "prices",
    "metr": "release dates; the runs themselves are not in the folder",
    "models-dev": "prices and limits of models",
    "pandalm": "votes of people and judges on pairs of answers",
}
"""Slugs that hold no result of a model on a benchmark, and what they hold."""

COUNTS = {
    "aider": (138, 138), "aider-editing": (412, 412), "alpacaeval": (734, 734), "arc-agi": (589, 589),
    "arena-hard": (120, 120), "benchpress": (2604, 2600), "bfcl": (2725, 2725), "bigcodebench": (404, 404),
    "bigcodebench-hard": (404, 404), "cruxeval": (172, 172), "epoch-hub": (4557, 4467), "eqbench": (8, 8),
    "euroeval": (37746, 37746), "evalplus": (868, 868), "every-eval-ever": (13, 13),
    "lechmazur-confabulations": (198, 198), "lechmazur-connections": (324, 324), "lechmazur-debate": (29, 29),
    "lechmazur-elimination": (48, 48), "lechmazur-generalization": (24, 24), "lechmazur-pact": (26, 26),
    "lechmazur-step-game": (75, 75), "lechmazur-sycophancy": (85, 85), "livebench": (2899, 2898),
    "livebench-earlier": (10955, 10955), "livecodebench": (16880, 16880), "llm-stats": (2224, 2224),
    "lmarena": (15901, 15901), "mathvista": (1027, 1027), "mind2web": (81, 81), "mle-bench": (104, 104),
    "mmmu": (1031, 1031), "mteb": (338, 322), "multi-swe-bench-java": (5, 5), "openai-simple-evals": (240, 231),
    "openhands-index": (215, 215), "osworld": (1595, 1595), "osworld-self-reported": (100, 100),
    "steel-agents": (168, 168), "swebench": (322, 322), "swt-bench": (70, 70), "tau2-bench": (467, 467),
    "wildbench": (889, 889), "wise": (161, 161), "zeroeval": (763, 763),
}  # fmt: skip
"""Rows received, and of them readable."""

Spot = tuple[str, dict[str, Any], dict[str, Any]]
SPOTS: list[Spot] = [
    ("aider-editing", {"model": "claude-3-opus-20240229", "metric": "pass_rate_2"}, {"value": 68.4, "n_samples": 133}),
    ("alpacaeval", {"model": "NullModel", "metric": "length_controlled_win_rate"}, {"value": 86.45780691307947}),
    ("arc-agi", {"model": "NVARC", "subset": "semi-private", "benchmark_version": "2"}, {"value": 0.2764, "unit": "score_fraction"}),
    ("arena-hard", {"model": "gpt-4-turbo-2024-04-09", "metric": "win_rate"}, {"value": 82.63, "stderr": 0.98216}),
    ("benchpress", {"model": "o3-mini (high)", "benchmark": "SimpleQA"}, {"value": 13.8, "copied_from": "https://arxiv.org/abs/2504.13914"}),
    ("bfcl", {"model": "Claude-Opus-4-5-20251101 (FC)", "subset": "web search"}, {"value": 84.5, "unit": "score"}),
    ("bfcl", {"model": "Claude-Opus-4-5-20251101 (FC)", "metric": "overall"}, {"value": 77.47, "kind": "aggregate"}),
    ("bigcodebench", {"model": "Magicoder-S-DS-6.7B", "subset": "instruct"}, {"value": 36.2}),
    ("cruxeval", {"model": "phi-1", "subset": "output prediction", "metric": "pass@5"}, {"value": 32.0}),
    ("epoch-hub", {"model": "gpt-5.1_medium", "benchmark": "GPQA"}, {"value": 0.85, "stderr": 0.02, "source_type": "reproduced"}),
    ("epoch-hub", {"model": "claude-3-5-sonnet-20240620", "benchmark": "METR time horizon"}, {"value": 18.21683, "unit": "minutes", "kind": "estimated"}),
    ("epoch-hub", {"model": "gpt-5-2025-08-07_high", "benchmark": "Aider polyglot"}, {"value": 88, "copied_from": "Aider LLM Leaderboards"}),
    ("eqbench", {"model": "gpt-4-0613"}, {"value": 84.79, "n_samples": 171}),
    ("euroeval", {"model": "gemini/gemini-3-pro-preview (zero-shot, val)", "subset": "Danish reading comprehension", "metric": "f1"}, {"value": 75.54, "stderr": 0.58674}),
    ("euroeval", {"model": "gemini/gemini-3-pro-preview (zero-shot, val)", "subset": "Danish reading comprehension", "metric": "exact_match"}, {"value": 53.26}),
    ("euroeval", {"model": "gemini/gemini-3-pro-preview (zero-shot, val)", "subset": "Faroese"}, {"value": 1.34, "kind": "aggregate", "unit": "rating"}),
    ("evalplus", {"model": "OpenCoder-8B-Instruct", "benchmark": "MBPP+"}, {"value": 71.4}),
    ("evalplus", {"model": "gpt-4-turbo-2024-04-09", "benchmark": "RepoQA", "subset": "all"}, {"value": 0.764, "unit": "score_fraction"}),
    ("every-eval-ever", {"model": "openai/gpt-5.4-2026-03-05", "subset": "overall"}, {"value": 77.778, "stderr": 4.389, "benchmark_version": "1.1"}),
    ("lechmazur-confabulations", {"model": "GPT-5 (medium reasoning)", "metric": "confabulation_rate"}, {"value": 10.9}),
    ("lechmazur-connections", {"model": "Gemini 3.1 Pro Preview", "subset": "extended"}, {"value": 98.4, "n_samples": 940}),
    ("lechmazur-debate", {"model": "Claude Opus 4.7 (high reasoning)"}, {"value": 1710.6, "unit": "rating"}),
    ("lechmazur-elimination", {"model": "GPT-5 (medium reasoning)"}, {"value": 4.86, "stderr": 0.229, "n_samples": 476}),
    ("lechmazur-generalization", {"model": "Claude Opus 4.6 (high reasoning)"}, {"value": 89.2, "n_samples": 649}),
    ("lechmazur-pact", {"model": "GPT-5.5 (high)"}, {"value": 1607}),
    ("lechmazur-step-game", {"model": "GPT-5 (medium reasoning)"}, {"value": 5.49, "stderr": 0.72, "n_samples": 386}),
    ("lechmazur-sycophancy", {"model": "Gemini 3.1 Pro Preview", "metric": "sycophancy_rate"}, {"value": 0.5}),
    ("livebench-earlier", {"model": "chatgpt-4o-latest", "benchmark_version": "2024-06-24", "subset": "connections"}, {"value": 51.333}),
    ("livecodebench", {"model": "DeepSeek-V3", "subset": "problem 1873_A"}, {"value": 100, "model_id": "deepseek-chat"}),
    ("llm-stats", {"model": "gpt-5-2025-08-07", "benchmark": "SWE-bench Verified"}, {"value": 0.749, "unit": "score_fraction", "copied_from": "https://openai.com/index/gpt-5/"}),
    ("lmarena", {"model": "gemini-3-pro", "benchmark": "LMArena text", "benchmark_version": None, "subset": "chinese"}, {"value": 1525.1042120660923, "stderr": 10.39713}),
    ("mathvista", {"model": "Grok-2", "subset": None}, {"value": 69.0, "model_url": "https://x.ai/blog/grok-2"}),
    ("mind2web", {"model": "Flan-T5-Base", "subset": "cross-task", "metric": "element_accuracy"}, {"value": 43.7}),
    ("mle-bench", {"model": "Gemini-3-Flash-Preview", "subset": "all"}, {"value": 62.66, "stderr": 0.76}),
    ("mmmu", {"model": "Human Expert (High)", "subset": "validation"}, {"value": 88.6, "unit": "score"}),
    ("mteb", {"model": "voyageai/voyage-3-large", "subset": "TRECCOVID"}, {"value": 0.81405, "unit": "score_fraction"}),
    ("multi-swe-bench-java", {"model": "SWE-agent + gpt-4o-2024-05-13"}, {"value": 6 / 91, "n_samples": 91, "updated_at": "2024-08-25"}),
    ("openai-simple-evals", {"model": "o1-mini", "benchmark": "SimpleQA"}, {"value": 7.6}),
    ("openai-simple-evals", {"model": "o1", "benchmark": "MATH-500"}, {"value": 96.4}),
    ("openai-simple-evals", {"model": "Grok 2", "benchmark": "MMLU"}, {"value": 87.5, "copied_from": "https://x.ai/blog/grok-2"}),
    ("openhands-index", {"model": "DeepSeek-V3.2-Reasoner", "benchmark": "SWE-bench Verified"}, {"value": 71.6}),
    ("osworld", {"model": "computer-use-preview", "subset": None, "value": 26}, {"n_samples": 361, "unit": "score"}),
    ("osworld-self-reported", {"model": "AskUI VisionAgent"}, {"value": 66.2, "updated_at": "2025-11-05"}),
    ("steel-agents", {"model": "GPT-5.5 Pro", "benchmark": "BrowseComp"}, {"value": 90.1, "unit": "score"}),
    ("swt-bench", {"model": "DevstralTestGen", "subset": "lite", "metric": "success_rate"}, {"value": 89.1}),
    ("tau2-bench", {"model": "Claude Opus 4.1", "subset": "retail", "metric": "pass^1"}, {"value": 82.4, "source_type": "self_reported"}),
    ("tau2-bench", {"model": "Claude Opus 5", "subset": "banking_knowledge", "metric": "pass^1"}, {"value": 48.71134020618557, "source_type": "official"}),
    ("wildbench", {"model": "gpt-4o-2024-05-13", "metric": "elo"}, {"value": 1239.4730859477231, "unit": "rating"}),
    ("wise", {"model": "NanoBanana-Pro", "subset": "culture"}, {"value": 0.8975, "unit": "score_fraction"}),
    ("zeroeval", {"model": "o1-preview-2024-09-12", "benchmark": "CRUXEval"}, {"value": 95.88, "n_samples": 800}),
]  # fmt: skip
