"""Policy files of cascades: written whole, read strictly, YAML or JSON.

Belongs here: bytes. Whether a policy may speak about judgments is `methods.judging.policy`.
"""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import ValidationError

from resources.atomic_files import json_bytes, write_bytes
from resources.catalog_problems import validation_problems
from resources.evidence_store import EvidenceError
from resources.json_documents import as_floats, load_json
from resources.text_documents import DocumentError
from resources.yaml_documents import load_yaml
from warehouse.judge_policy import PolicyFile

JSON_SUFFIX = ".json"


def read_policy(path: Path) -> PolicyFile:
    """A policy.

    Raises:
        EvidenceError: for a file that is none, or was changed after it was frozen.
    """
    try:
        data = path.read_bytes()
        is_json = path.suffix.lower() == JSON_SUFFIX
        values = as_floats(load_json(data, path.name) if is_json else load_yaml(data, path.name).data)
        return PolicyFile.model_validate(values)
    except OSError as error:
        raise EvidenceError(f"{path}: {error.strerror or error}") from error
    except DocumentError as error:
        raise EvidenceError(str(error)) from error
    except ValidationError as error:
        first = validation_problems(error, path.name, 0)[0]
        raise EvidenceError(f"{path.name}: {first.path + ': ' if first.path else ''}{first.message}") from error


def write_policy(path: Path, policy: PolicyFile) -> None:
    """Writes a policy, JSON where the name ends in .json, else YAML (OSError as the disk says)."""
    values = policy.model_dump(mode="json", by_alias=True)
    if path.suffix.lower() == JSON_SUFFIX:
        write_bytes(path, json_bytes(values))
    else:
        write_bytes(path, yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=120).encode())
