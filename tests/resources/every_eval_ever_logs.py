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
