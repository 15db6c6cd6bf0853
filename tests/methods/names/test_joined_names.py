"""A60: a name that joins an agent and models is taken apart, and never credited to one of several models."""

from __future__ import annotations

from pathlib import Path

import pytest

from methods.names.joined_names import JoinedName, joined_name
from methods.names.registry import ModelRegistry
from resources.catalog_files import load_catalog

MODELS = {"M1", "M2", "GPT-4o", "Claude 3 Opus", "GPT 4o (2024-05-13)"}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("AgentX + M1 + M2", JoinedName("AgentX", ("M1", "M2"), ())),
        ("AgentX + M1", JoinedName("AgentX", ("M1",), ())),
        ("M1 + M2", JoinedName(None, ("M1", "M2"), ())),
        ("Agentless + RepoGraph + GPT-4o", JoinedName("Agentless", ("GPT-4o",), ("RepoGraph",))),
        ("Aider + GPT-4o & Claude 3 Opus", JoinedName("Aider", ("GPT-4o", "Claude 3 Opus"), ())),
        ("SIMA + GPT 4o (2024-05-13)", JoinedName("SIMA", ("GPT 4o (2024-05-13)",), ())),
        ("Agent + M1 & somebody's", JoinedName("Agent", ("M1",), ("somebody's",))),
        ("OpenHands + 4x Scaled (2024-02-03)", None),
        ("SWE-Fixer (M1 retriever + M2 editor)", None),
        ("Command R+", None),
        ("M1", None),
        ("M1 + TRM-guided RL", None),
        (" + M1", None),
        ("Agent +M1", None),
    ],
)
def test_a_joined_name_is_taken_apart_without_guessing(name: str, parts: JoinedName | None) -> None:
    assert joined_name(name, MODELS.__contains__) == parts


def test_no_alias_of_the_registry_credits_one_model_with_the_work_of_several(repository: Path) -> None:
    models = load_catalog(repository / "warehouse" / "catalog").catalog.models
    registry = ModelRegistry(models)
    for model in models:
        for spelling in (model.name, *model.aliases):
            parts = joined_name(spelling, lambda part: registry.resolve(part).model_id is not None)
            credited = set() if parts is None else {registry.resolve(part).model_id for part in parts.models}
            assert len(credited - {model.id}) == 0, spelling
