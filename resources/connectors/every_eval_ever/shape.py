"""What a log of schema 0.3 must be like: which fields it has, which it must have, and of what type each is.

Belongs here: the aggregate level. A sample is `sample_shape`, what is wrong with a document is told by `faults`.
Objects may hold more than is named here, but for the log itself and the arguments of a generation. A field may be
absent where it is `NotRequired`, and null only where its type says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import AfterValidator, Field, StringConstraints
from typing_extensions import TypedDict

from resources.connectors.every_eval_ever.shape_parts import Details, GenerationConfig, Number, Whole, closed

Score = Number | Literal["Infinity", "-Infinity"] | None

DEPLOYMENTS: Final = ("self_deployed", "externally_managed", "unknown")
AVAILABILITIES: Final = ("open_weights", "closed_weights", "unknown")


def _model_details(details: Details) -> Details:
    for name, words in (("deployment_type", DEPLOYMENTS), ("model_availability", AVAILABILITIES)):
        if details.get(name) not in words:
            raise ValueError(f"{name} must be one of {', '.join(words)}")
    return details


class SourceMetadata(TypedDict):
    """Who states the results."""

    source_type: Literal["documentation", "evaluation_run"]
    source_organization_name: str
    evaluator_relationship: Literal["first_party", "third_party", "collaborative", "other"]
    source_name: NotRequired[str]
    source_organization_url: NotRequired[str]
    source_organization_logo_url: NotRequired[str]
    additional_details: NotRequired[Details]


class EvalLibrary(TypedDict):
    """What ran the evaluation."""

    name: str
    version: str
    additional_details: NotRequired[Details]


class InferenceEngine(TypedDict, total=False):
    """What ran the model."""

    name: str
    version: str


class ModelInfo(TypedDict):
    """Which model was run, or judged."""

    name: str
    id: str
    additional_details: Annotated[Details, AfterValidator(_model_details)]
    developer: NotRequired[str]
    inference_platform: NotRequired[str]
    inference_engine: NotRequired[InferenceEngine]


class UrlData(TypedDict):
    """Questions that lie at addresses."""

    source_type: Literal["url"]
    dataset_name: str
    url: Annotated[list[str], Field(min_length=1)]
    additional_details: NotRequired[Details]


class HubData(TypedDict):
    """Questions of a hub of datasets."""

    source_type: Literal["hf_dataset"]
    dataset_name: str
    hf_repo: NotRequired[str]
    hf_split: NotRequired[str]
    samples_number: NotRequired[Whole]
    sample_ids: NotRequired[list[str]]
    additional_details: NotRequired[Details]


class OtherData(TypedDict):
    """Questions that lie elsewhere, or nowhere public."""

    source_type: Literal["other"]
    dataset_name: str
    additional_details: NotRequired[Details]


class Judge(TypedDict):
    """One model that judges."""

    model_info: ModelInfo
    temperature: NotRequired[Number]
    weight: NotRequired[Number]
    additional_details: NotRequired[Details]


class JudgedScoring(TypedDict):
    """How models judged."""

    judges: Annotated[list[Judge], Field(min_length=1)]
    input_prompt: str
    aggregation_method: NotRequired[Literal["majority_vote", "average", "weighted_average", "median"]]
    expert_baseline: NotRequired[Number]
    additional_details: NotRequired[Details]


class MetricConfig(TypedDict):
    """What the score is."""

    lower_is_better: bool
    evaluation_description: NotRequired[str]
    metric_id: NotRequired[str]
    metric_name: NotRequired[str]
    metric_kind: NotRequired[str]
    metric_unit: NotRequired[str]
    metric_parameters: NotRequired[dict[str, str | Number | bool | None]]
    score_type: NotRequired[Literal["binary", "continuous", "levels"]]
    level_names: NotRequired[list[str]]
    level_metadata: NotRequired[list[str]]
    has_unknown_level: NotRequired[bool]
    min_score: NotRequired[Score]
    max_score: NotRequired[Score]
    llm_scoring: NotRequired[JudgedScoring]
    additional_details: NotRequired[Details]


BESIDE_TYPE: Final[Mapping[str, tuple[str, ...]]] = {
    "levels": ("level_names", "has_unknown_level"),
    "continuous": ("min_score", "max_score"),
}
"""What a metric of a type must state beside it."""


def _beside_type(config: MetricConfig) -> MetricConfig:
    kind = config.get("score_type")
    for name in BESIDE_TYPE.get(str(kind), ()):
        if name not in config:
            raise ValueError(f"{name} must be given where score_type is {kind}")
    return config


class StandardError(TypedDict):
    """A standard error, and where it comes from."""

    value: Number
    method: NotRequired[str]


class ConfidenceInterval(TypedDict):
    """An interval around the score."""

    lower: Number
    upper: Number
    confidence_level: NotRequired[Annotated[Number, Field(ge=0, le=1)]]
    method: NotRequired[str]


class Uncertainty(TypedDict, total=False):
    """How sure the score is."""

    standard_error: StandardError
    confidence_interval: ConfidenceInterval
    standard_deviation: Number
    num_samples: Whole
    num_bootstrap_samples: Whole


class ScoreDetails(TypedDict):
    """The score."""

    score: Number
    details: NotRequired[Details]
    uncertainty: NotRequired[Uncertainty]


class Result(TypedDict):
    """One result of a log."""

    evaluation_name: str
    source_data: Annotated[UrlData | HubData | OtherData, Field(discriminator="source_type")]
    metric_config: Annotated[MetricConfig, AfterValidator(_beside_type)]
    score_details: ScoreDetails
    evaluation_result_id: NotRequired[str]
    evaluation_timestamp: NotRequired[str]
    generation_config: NotRequired[GenerationConfig]


_HEX: Final = "[0-9A-Fa-f]"
SAMPLES_PATH: Final = (
    rf"^data/[^/]+/[^/]+/[^/]+/{_HEX}{{8}}-{_HEX}{{4}}-4{_HEX}{{3}}-[89ABab]{_HEX}{{3}}-{_HEX}{{12}}_samples\.jsonl$"
)


class SamplesFile(TypedDict):
    """Where the samples lie."""

    format: Literal["jsonl"]
    file_path: Annotated[str, StringConstraints(pattern=SAMPLES_PATH)]
    hash_algorithm: NotRequired[Literal["sha256", "md5"]]
    checksum: NotRequired[str]
    total_rows: NotRequired[Whole]
    additional_details: NotRequired[Details]


class LogFields(TypedDict):
    """One log: what one model did in one run. Its results are `Result`, each judged alone."""

    schema_version: str
    evaluation_id: str
    retrieved_timestamp: str
    source_metadata: SourceMetadata
    model_info: ModelInfo
    eval_library: EvalLibrary
    evaluation_results: list[Any]
    evaluation_timestamp: NotRequired[str]
    detailed_evaluation_results: NotRequired[SamplesFile]


Log = Annotated[LogFields, closed(LogFields)]
