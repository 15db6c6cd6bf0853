"""What a sample of schema 0.3 must be like: the instance level, one line of a `.jsonl` file."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from resources.connectors.every_eval_ever.shape_parts import Details, Number, Whole, closed

Count = Annotated[Whole, Field(ge=0)]
Duration = Annotated[Number, Field(ge=0)]


class Input(TypedDict):
    """What was asked."""

    raw: str
    reference: list[str]
    formatted: NotRequired[str | None]
    choices: NotRequired[list[str] | None]


class Output(TypedDict):
    """What was answered in one turn."""

    raw: list[str]
    reasoning_trace: NotRequired[list[str] | None]


class ToolCall(TypedDict):
    """A call of a tool in a turn."""

    id: str
    name: str
    arguments: NotRequired[Details | None]


class Message(TypedDict):
    """One turn."""

    turn_idx: Count
    role: str
    content: NotRequired[str | None]
    reasoning_trace: NotRequired[str | None]
    tool_calls: NotRequired[list[ToolCall] | None]
    tool_call_id: NotRequired[list[str] | None]


class Attribution(TypedDict):
    """Where the answer was taken from."""

    turn_idx: Whole
    source: str
    extracted_value: str
    extraction_method: str
    is_terminal: bool


class Judged(TypedDict):
    """What the answer is worth."""

    score: Number
    is_correct: bool
    num_turns: NotRequired[Annotated[Whole, Field(ge=1)] | None]
    tool_calls_count: NotRequired[Count | None]


class TokenUsage(TypedDict):
    """Tokens of the answer."""

    input_tokens: Count
    output_tokens: Count
    total_tokens: Count
    input_tokens_cache_write: NotRequired[Count | None]
    input_tokens_cache_read: NotRequired[Count | None]
    reasoning_tokens: NotRequired[Count | None]


class Performance(TypedDict, total=False):
    """Time of the answer, in milliseconds."""

    latency_ms: Duration | None
    time_to_first_token_ms: Duration | None
    generation_time_ms: Duration | None
    additional_details: Details | None


class SampleFields(TypedDict):
    """The fields of a sample, whatever kind of interaction it is."""

    schema_version: str
    evaluation_id: str
    model_id: str
    evaluation_name: str
    sample_id: str
    interaction_type: Literal["single_turn", "multi_turn", "agentic"]
    input: Input
    answer_attribution: list[Attribution]
    evaluation: Judged
    evaluation_result_id: NotRequired[str]
    sample_hash: NotRequired[str | None]
    output: NotRequired[Output | None]
    messages: NotRequired[list[Message] | None]
    token_usage: NotRequired[TokenUsage | None]
    performance: NotRequired[Performance | None]
    error: NotRequired[str | None]
    metadata: NotRequired[Details | None]


def _of_its_kind(sample: SampleFields) -> SampleFields:
    """One turn has an output and no messages; several have messages and no output."""
    has, lacks = ("output", "messages") if sample["interaction_type"] == "single_turn" else ("messages", "output")
    if sample.get(has) is None:
        raise ValueError(f"{has} must be given where interaction_type is {sample['interaction_type']}")
    if sample.get(lacks) is not None:
        raise ValueError(f"{lacks} must be absent or null where interaction_type is {sample['interaction_type']}")
    return sample


Sample = Annotated[SampleFields, AfterValidator(_of_its_kind), closed(SampleFields)]
