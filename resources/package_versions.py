"""Versions of the packages that numbers, checks or pages pass through, as this process has them installed."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version

PACKAGES = (
    "dagster",
    "duckdb",
    "great-expectations",
    "jinja2",
    "matplotlib",
    "numba",
    "numpy",
    "polars",
    "pyarrow",
    "rapidfuzz",
    "scipy",
)


@cache
def package_versions() -> dict[str, str]:
    """Version by package; what a manifest states."""
    return {name: version(name) for name in PACKAGES}


def own_version() -> str:
    """The version of scoretrail itself, as it was installed."""
    return version("scoretrail")
