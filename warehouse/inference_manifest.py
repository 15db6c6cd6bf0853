"""The shape of an inference-stack manifest: what a run states about the stack that gave its outputs (METHODS 9).

Belongs here: the shape, and each stated value as one text, so that two manifests can be held against each other. Does
not belong here: reading files (`resources.manifest_files`), the comparison (`methods.manifests`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from pydantic import Field, StrictBool, StrictFloat, StrictInt, model_validator

from warehouse.canonical import canonical_json, canonical_sha256
from warehouse.manifest_words import DTYPE_SPELLINGS, MANIFEST_SCHEMA
from warehouse.source_model import Entry, Stated

Scalar = (
    StrictBool | StrictInt | Annotated[StrictFloat, Field(allow_inf_nan=False)] | Annotated[str, Field(min_length=1)]
)
Value = Scalar | dict[Stated, Scalar] | tuple[Scalar, ...]
"""A number, a text, or a few of them by name, such as decoding: {strategy: sampling, temperature: 0.7}."""


class RunFields(Entry):
    """The stack of one run. Null is: not known. What does not exist is stated, as `none`.

    Attributes:
        dtype: of weights and activations. batch_size: a number, or how it was formed. kernels: attention and other
            kernels, with versions. commit: of the code that ran the evaluation. framework: with its version.
        gpu: name and number. decoding: greedy, or how it was sampled. seed. chat_template: its text's hash or name.
        driver: of the GPU. quantization, parallelism: or `none`.
        model, model_revision: which weights, and exactly which.
    """

    dtype: Value | None = None
    batch_size: Value | None = None
    kernels: Value | None = None
    commit: Value | None = None
    framework: Value | None = None
    gpu: Value | None = None
    decoding: Value | None = None
    seed: Value | None = None
    chat_template: Value | None = None
    driver: Value | None = None
    quantization: Value | None = None
    parallelism: Value | None = None
    model: Value | None = None
    model_revision: Value | None = None


_NO_NUMBERS: Final = frozenset({"nan", "inf", "infinity"})
RUN_FIELDS: Final = tuple(RunFields.model_fields)


class InferenceManifest(Entry):
    """One manifest.

    Attributes:
        run: the stack.
        packages: versions of what takes part in inference, by name.
        host: Python, operating system and the like.
        extra: what else the user states; compared like everything above.
        captured_at, notes: for people; not compared.
    """

    schema_: Literal["scoretrail.inference-manifest/1"] = Field(default=MANIFEST_SCHEMA, alias="schema")
    run: RunFields = RunFields()
    packages: dict[Stated, Value | None] = Field(default_factory=dict)
    host: dict[Stated, Value | None] = Field(default_factory=dict)
    extra: dict[Stated, Value | None] = Field(default_factory=dict)
    captured_at: str | None = None
    notes: str | None = None

    @model_validator(mode="after")
    def _no_auto(self) -> Self:
        if isinstance(self.run.dtype, str) and self.run.dtype.strip().casefold() == "auto":
            raise ValueError("run.dtype: `auto` leaves open what was run; state the dtype that was chosen, or null")
        return self

    @model_validator(mode="after")
    def _no_words_for_no_number(self) -> Self:
        parts = {"run": dict(self.run), "packages": self.packages, "host": self.host, "extra": self.extra}
        for part, held in parts.items():
            for name, value in held.items():
                odd = next((one for one in _scalars(value) if is_no_number(one)), None)
                if odd is not None:
                    raise ValueError(f"{part}.{name}: {odd} is no value; state what it is, or null for not known")
        return self

    @property
    def stated(self) -> dict[str, str]:
        """Every stated field and its value as text: `dtype`, `packages.torch`, `host.python`, `extra.<name>`."""
        found = {name: getattr(self.run, name) for name in RUN_FIELDS}
        for part in ("packages", "host", "extra"):
            found |= {f"{part}.{name}": value for name, value in getattr(self, part).items()}
        return {name: value_text(name, value) for name, value in found.items() if value is not None}

    @property
    def sha256(self) -> str:
        """Hash of what is compared: equal for manifests that state the same, whatever their layout."""
        return canonical_sha256(dict(sorted(self.stated.items())))


def is_no_number(value: object) -> bool:
    """Whether a text is one of floating point's words for what is no number, as YAML or Python write them."""
    return isinstance(value, str) and value.strip().casefold().lstrip("+-.") in _NO_NUMBERS


def _scalars(value: Value | None) -> tuple[object, ...]:
    if isinstance(value, Mapping):
        return tuple(value.values())
    return value if isinstance(value, tuple) else (value,)


def value_text(field: str, value: Value) -> str:
    """A value as one text: numbers without needless digits, spellings of a dtype as one, objects as canonical JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        text = value.strip()
        return DTYPE_SPELLINGS.get(text.casefold(), text.casefold()) if field == "dtype" else text
    if isinstance(value, Mapping):
        return canonical_json({name: _plain(one) for name, one in value.items()}).decode()
    return canonical_json([_plain(one) for one in value]).decode()


def _plain(value: Scalar) -> Scalar:
    return int(value) if isinstance(value, float) and value.is_integer() else value
