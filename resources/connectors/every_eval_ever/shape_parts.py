"""What the shapes of a log and of a sample are made of: numbers, details, closed objects, and how answers were made."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field
from typing_extensions import TypedDict


class UnknownFieldError(ValueError):
    """An object that may hold no other fields than the schema names, and does."""


def closed(of: Any) -> BeforeValidator:
    """Refuses an object of a shape that holds a field which the shape does not name."""
    known = of.__required_keys__ | of.__optional_keys__

    def check(value: Any) -> Any:
        more = [key for key in value if key not in known] if isinstance(value, dict) else []
        if more:
            raise UnknownFieldError(f"{more[0]} is no field of schema 0.3")
        return value

    return BeforeValidator(check)


def _whole(number: int | float) -> int | float:
    if isinstance(number, float) and not number.is_integer():
        raise ValueError("must be a whole number")
    return number


Number = Annotated[int | float, Field(allow_inf_nan=False)]
Whole = Annotated[Number, AfterValidator(_whole)]
Details = dict[str, str]


class Tool(TypedDict, total=False):
    """A tool that an agent had."""

    name: str
    description: str
    parameters: Details


class AgentConfig(TypedDict, total=False):
    """What an agent had at hand."""

    available_tools: list[Tool]
    additional_details: Details


class EvalPlan(TypedDict, total=False):
    """The steps of an evaluation."""

    name: str
    steps: list[str]
    config: Details


class EvalLimits(TypedDict, total=False):
    """Where an evaluation is ended."""

    time_limit: Whole
    message_limit: Whole
    token_limit: Whole


class Sandbox(TypedDict, total=False):
    """Where an agent worked."""

    type: str
    config: str


class GenerationArguments(TypedDict, total=False):
    """How answers were generated."""

    temperature: Number | None
    top_p: Number | None
    top_k: Number | None
    max_tokens: Annotated[Whole, Field(ge=1)]
    execution_command: str
    reasoning: bool
    prompt_template: str
    agentic_eval_config: AgentConfig
    eval_plan: EvalPlan
    eval_limits: EvalLimits
    sandbox: Sandbox
    max_attempts: Whole
    incorrect_attempt_feedback: str


class GenerationConfig(TypedDict, total=False):
    """How answers were generated, and what else is said of it."""

    generation_args: Annotated[GenerationArguments, closed(GenerationArguments)]
    additional_details: Details
