"""Hypothesis strategies: results of the native format, and logs of every-eval-ever 0.3 as others might write them."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st

from warehouse.vocabulary import Kind, SourceType, Tier

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)
WORDS = st.one_of(TEXT, st.sampled_from(["score", "percent", "proportion", "unknown", "rating", "1.10"]))
NUMBER = st.one_of(st.integers(-(10**6), 10**6), st.floats(allow_nan=False, allow_infinity=False, width=32))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBER, TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(TEXT, inner, max_size=2)),
    max_leaves=4,
)
MOMENT = st.sampled_from(["2026-10-20", "2026-10-20T00:00:00Z", "2025/01/02"])


def optional(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


PROTOCOL = optional(
    steps=st.integers(0, 500), samples=st.integers(1, 64), effort=WORDS, harness=WORDS, commit=TEXT,
    seed=st.integers(0, 9),
    extra=st.dictionaries(TEXT, JSON, max_size=2),
)  # fmt: skip
RECORD = st.builds(
    lambda required, more: required | more,
    st.fixed_dictionaries({"benchmark": WORDS, "metric": WORDS, "unit": WORDS, "model": WORDS,
                           "value": st.one_of(NUMBER, NUMBER, st.none(), TEXT)}),
    optional(
        benchmark_version=WORDS, subset=WORDS, stderr=st.floats(0, 50, width=32), n_samples=st.integers(0, 10**6),
        kind=st.sampled_from(get_args(Kind)), model_id=WORDS, model_url=TEXT, developer=WORDS,
        source_type=st.sampled_from(get_args(SourceType)), tier=st.sampled_from(get_args(Tier)), copied_from=TEXT,
        source_url=TEXT, confidence=st.floats(0, 1, width=32), updated_at=MOMENT, setting=TEXT, notes=TEXT,
        protocol=PROTOCOL,
    ),
)  # fmt: skip

DETAILS = st.dictionaries(TEXT, TEXT, min_size=1, max_size=2)
SOURCE_DATA = st.one_of(
    st.builds(lambda name, urls: {"source_type": "url", "dataset_name": name, "url": urls}, WORDS,
              st.lists(TEXT, min_size=1, max_size=2)),
    st.builds(lambda name, repo: {"source_type": "hf_dataset", "dataset_name": name, "hf_repo": repo}, WORDS, TEXT),
    st.builds(lambda name: {"source_type": "other", "dataset_name": name}, WORDS),
)  # fmt: skip
RESULT = st.builds(
    lambda source, name, config, score, more: {
        "source_data": source, "evaluation_name": name, "metric_config": config, "score_details": score, **more
    },
    SOURCE_DATA,
    WORDS,
    st.builds(
        lambda lower, more: {"lower_is_better": lower, **more}, st.booleans(),
        optional(metric_id=WORDS, metric_name=WORDS, metric_unit=WORDS, evaluation_description=TEXT,
                 additional_details=DETAILS),
    ),
    st.builds(
        lambda score, more: {"score": score, **more}, NUMBER,
        optional(details=DETAILS, uncertainty=st.fixed_dictionaries(
            {"confidence_interval": st.just({"lower": 1.0, "upper": 2.5, "confidence_level": 0.95})},
            optional={"standard_error": st.just({"value": 0.5, "method": "bootstrap"}), "num_samples": st.just(7)},
        )),
    ),
    optional(evaluation_result_id=TEXT, evaluation_timestamp=st.one_of(MOMENT, TEXT),
             generation_config=st.just({"generation_args": {"temperature": 0.7, "max_tokens": 64}})),
)  # fmt: skip
LOG = st.builds(
    lambda name, timestamp, relation, model, library, results, more: {
        "schema_version": "0.3.0", "evaluation_id": name, "retrieved_timestamp": timestamp,
        "source_metadata": {
            "source_type": "evaluation_run", "source_organization_name": "Org", "evaluator_relationship": relation
        },
        "model_info": model, "eval_library": library, "evaluation_results": results, **more,
    },
    TEXT,
    st.sampled_from(["1760918400", "1760918400.5", "yesterday"]),
    st.sampled_from(["first_party", "third_party", "collaborative", "other"]),
    st.builds(
        lambda name, model_id, more: {
            "name": name, "id": model_id,
            "additional_details": {"deployment_type": "unknown", "model_availability": "open_weights"}, **more,
        },
        WORDS, WORDS, optional(developer=WORDS, inference_platform=TEXT),
    ),
    st.fixed_dictionaries({"name": WORDS, "version": WORDS}),
    st.lists(RESULT, min_size=1, max_size=3),
    optional(evaluation_timestamp=TEXT),
)  # fmt: skip

NUMBERS = st.one_of(st.integers(-9, 10**6), st.floats(-1e6, 1e6, width=32))
COUNTS = st.one_of(st.integers(1, 10**6), st.sampled_from([1.0, 64.0]))
MODEL = st.builds(
    lambda name, details, more: {"name": name, "id": name, "additional_details": details, **more},
    TEXT,
    st.builds(
        lambda one, two, more: more | {"deployment_type": one, "model_availability": two},
        st.sampled_from(["self_deployed", "externally_managed", "unknown"]),
        st.sampled_from(["open_weights", "closed_weights", "unknown"]),
        st.dictionaries(TEXT, TEXT, max_size=1),
    ),
    optional(developer=TEXT, inference_platform=TEXT, inference_engine=optional(name=TEXT, version=TEXT)),
)
JUDGED = st.builds(
    lambda judges, prompt, more: {"judges": judges, "input_prompt": prompt, **more},
    st.lists(
        st.builds(lambda model, more: {"model_info": model, **more}, MODEL, optional(
            temperature=NUMBERS, weight=NUMBERS, additional_details=DETAILS)),
        min_size=1, max_size=2,
    ),
    TEXT,
    optional(aggregation_method=st.sampled_from(["majority_vote", "average", "weighted_average", "median"]),
             expert_baseline=NUMBERS, additional_details=DETAILS),
)  # fmt: skip
BOUND = st.one_of(NUMBERS, st.sampled_from(["Infinity", "-Infinity", None]))
CONFIG = st.builds(
    lambda lower, kind, more: {"lower_is_better": lower, **kind, **more},
    st.booleans(),
    st.one_of(
        st.just({}), st.just({"score_type": "binary"}),
        st.builds(lambda low, high: {"score_type": "continuous", "min_score": low, "max_score": high}, BOUND, BOUND),
        st.builds(lambda names, known: {"score_type": "levels", "level_names": names, "has_unknown_level": known},
                  st.lists(TEXT, max_size=2), st.booleans()),
    ),
    optional(
        evaluation_description=TEXT, metric_id=TEXT, metric_name=TEXT, metric_kind=TEXT, metric_unit=TEXT,
        metric_parameters=st.dictionaries(TEXT, st.one_of(TEXT, NUMBERS, st.booleans(), st.none()), max_size=2),
        level_metadata=st.lists(TEXT, max_size=2), llm_scoring=JUDGED, additional_details=DETAILS,
    ),
)  # fmt: skip
ARGUMENTS = optional(
    temperature=st.one_of(NUMBERS, st.none()), top_p=st.one_of(NUMBERS, st.none()), top_k=st.one_of(NUMBERS, st.none()),
    max_tokens=COUNTS, execution_command=TEXT, reasoning=st.booleans(), prompt_template=TEXT,
    agentic_eval_config=optional(
        available_tools=st.lists(optional(name=TEXT, description=TEXT, parameters=DETAILS), max_size=2),
        additional_details=DETAILS,
    ),
    eval_plan=optional(name=TEXT, steps=st.lists(TEXT, max_size=2), config=DETAILS),
    eval_limits=optional(time_limit=COUNTS, message_limit=COUNTS, token_limit=COUNTS),
    sandbox=optional(type=TEXT, config=TEXT), max_attempts=COUNTS, incorrect_attempt_feedback=TEXT,
)  # fmt: skip
RESULT_IN_FULL = st.builds(
    lambda name, source, details, config, score, more: {
        "evaluation_name": name, "source_data": source | details, "metric_config": config, "score_details": score,
        **more,
    },
    TEXT,
    SOURCE_DATA,
    optional(additional_details=DETAILS),
    CONFIG,
    st.builds(lambda score, more: {"score": score, **more}, NUMBERS, optional(
        details=DETAILS,
        uncertainty=optional(
            standard_error=st.builds(lambda value, more: {"value": value, **more}, NUMBERS, optional(method=TEXT)),
            confidence_interval=st.builds(
                lambda low, high, more: {"lower": low, "upper": high, **more}, NUMBERS, NUMBERS,
                optional(confidence_level=st.floats(0, 1), method=TEXT)),
            standard_deviation=NUMBERS, num_samples=COUNTS, num_bootstrap_samples=COUNTS,
        ),
    )),
    optional(evaluation_result_id=TEXT, evaluation_timestamp=TEXT,
             generation_config=optional(generation_args=ARGUMENTS, additional_details=DETAILS)),
)  # fmt: skip
SAMPLES_FILE = "data/a/b/c/0a1b2c3d-0a1b-4c3d-8a1b-0a1b2c3d4e5f_samples.jsonl"
LOGS_IN_FULL = st.builds(
    lambda source, model, library, results, more: {
        "schema_version": "0.3.0", "evaluation_id": "e", "retrieved_timestamp": "1760918400",
        "source_metadata": source, "model_info": model, "eval_library": library, "evaluation_results": results, **more,
    },
    st.builds(
        lambda kind, by, more: {
            "source_type": kind, "source_organization_name": "Org", "evaluator_relationship": by, **more
        },
        st.sampled_from(["documentation", "evaluation_run"]),
        st.sampled_from(["first_party", "third_party", "collaborative", "other"]),
        optional(source_name=TEXT, source_organization_url=TEXT, source_organization_logo_url=TEXT,
                 additional_details=DETAILS),
    ),
    MODEL,
    st.builds(lambda name, more: {"name": name, "version": "1", **more}, TEXT, optional(additional_details=DETAILS)),
    st.lists(RESULT_IN_FULL, min_size=1, max_size=2),
    optional(
        evaluation_timestamp=TEXT,
        detailed_evaluation_results=st.builds(
            lambda more: {"format": "jsonl", "file_path": SAMPLES_FILE, **more},
            optional(hash_algorithm=st.sampled_from(["sha256", "md5"]), checksum=TEXT, total_rows=COUNTS,
                     additional_details=DETAILS),
        ),
    ),
)  # fmt: skip
"""Logs with any field that the schema knows, each sound."""

EMPTY = st.none()
MESSAGE = st.builds(
    lambda turn, more: {"turn_idx": turn, "role": "user", **more}, st.integers(0, 3),
    optional(
        content=st.one_of(TEXT, EMPTY), reasoning_trace=st.one_of(TEXT, EMPTY),
        tool_calls=st.one_of(EMPTY, st.lists(st.builds(
            lambda more: {"id": "1", "name": "t", **more}, optional(arguments=st.one_of(DETAILS, EMPTY))), max_size=1)),
        tool_call_id=st.one_of(EMPTY, st.lists(TEXT, max_size=1)),
    ),
)  # fmt: skip
KINDS = st.one_of(
    st.builds(lambda trace, more: {"interaction_type": "single_turn", "output": {"raw": ["a"], **trace}, **more},
              optional(reasoning_trace=st.one_of(EMPTY, st.lists(TEXT, max_size=1))), optional(messages=EMPTY)),
    st.builds(lambda kind, messages, more: {"interaction_type": kind, "messages": messages, **more},
              st.sampled_from(["multi_turn", "agentic"]), st.lists(MESSAGE, max_size=2), optional(output=EMPTY)),
)  # fmt: skip
NATURALS = st.one_of(st.integers(0, 999), st.sampled_from([0.0, 3.0]))
DURATIONS = st.one_of(st.floats(0, 1e6), EMPTY)
SAMPLES = st.builds(
    lambda kind, asked, found, judged, more: {
        "schema_version": "0.3.0", "evaluation_id": "e", "model_id": "m", "evaluation_name": "n", "sample_id": "s",
        "input": asked, "answer_attribution": found, "evaluation": judged, **kind, **more,
    },
    KINDS,
    st.builds(lambda more: {"raw": "q", "reference": ["a"], **more}, optional(
        formatted=st.one_of(TEXT, EMPTY), choices=st.one_of(EMPTY, st.lists(TEXT, max_size=2)))),
    st.lists(st.just({"turn_idx": 0, "source": "output.raw", "extracted_value": "a", "extraction_method": "regex",
                      "is_terminal": True}), max_size=1),
    st.builds(lambda score, right, more: {"score": score, "is_correct": right, **more}, NUMBERS, st.booleans(),
              optional(
        num_turns=st.one_of(EMPTY, st.integers(1, 9)), tool_calls_count=st.one_of(EMPTY, NATURALS))),
    optional(
        evaluation_result_id=TEXT, sample_hash=st.one_of(TEXT, EMPTY), error=st.one_of(TEXT, EMPTY),
        metadata=st.one_of(EMPTY, DETAILS),
        token_usage=st.one_of(EMPTY, st.builds(
            lambda count, more: {"input_tokens": count, "output_tokens": 0, "total_tokens": 1, **more}, NATURALS,
            optional(input_tokens_cache_write=st.one_of(EMPTY, NATURALS), input_tokens_cache_read=NATURALS,
                     reasoning_tokens=NATURALS))),
        performance=st.one_of(EMPTY, optional(latency_ms=DURATIONS, time_to_first_token_ms=DURATIONS,
                                              generation_time_ms=DURATIONS,
                                              additional_details=st.one_of(EMPTY, DETAILS))),
    ),
)  # fmt: skip
"""Samples with any field that the schema knows, each sound."""
