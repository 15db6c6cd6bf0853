"""Settings: where things lie and what this process may touch; the one reader of the environment.

Belongs here: names of environment variables, their defaults, and the folders that follow from them. Does not belong
here: what is in those folders, or what a source may say.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from resources.alert_settings import AlertSettings, AlertSettingsError, alert_settings

CHECKOUT: Final = Path(__file__).resolve().parent.parent
"""The folder that holds the packages: default home and catalog are found from it, wherever the command is called."""

HOME: Final = "SCORETRAIL_HOME"
CATALOG: Final = "SCORETRAIL_CATALOG"
SOURCES: Final = "SCORETRAIL_SOURCES"
ALLOW_ROOTS: Final = "SCORETRAIL_ALLOW_ROOTS"
RETRY_SECONDS: Final = "SCORETRAIL_RETRY_SECONDS"
SECRET_PREFIX: Final = "SCORETRAIL_SECRET_"  # noqa: S105 - a name, not a secret


class SettingsError(ValueError):
    """A variable of the environment that makes no sense: which, and what is meant."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run may read and where it writes.

    Attributes:
        home: folder of everything produced.
        catalog_dir: the catalog folder.
        sources_file: the sources file; `sources.yaml` of the catalog folder unless another was named.
        allow_roots: further folders that sources may be read from (SCORETRAIL_ALLOW_ROOTS, separated as in PATH).
        working_dir: the working directory.
        retry_seconds: longest that a source waits for its host between attempts, in all (SCORETRAIL_RETRY_SECONDS).
        alerts: who is told when a night needs people (SCORETRAIL_ALERT_ variables).
        secrets: values of SCORETRAIL_SECRET_ variables; never shown.
    """

    home: Path
    catalog_dir: Path
    sources_file: Path
    allow_roots: tuple[Path, ...] = ()
    working_dir: Path = field(default_factory=Path.cwd)
    retry_seconds: float = 120.0
    alerts: AlertSettings = field(default_factory=AlertSettings)
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def from_env(
        cls,
        home: Path | str | None = None,
        catalog_dir: Path | str | None = None,
        sources_file: Path | str | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> Self:
        """Settings from arguments, else the environment, else defaults.

        Args:
            home, catalog_dir, sources_file: as given on the command line; None asks the environment.
            environ: the environment; the process's own where None.
        """
        env = os.environ if environ is None else environ
        catalog = _folder(catalog_dir or env.get(CATALOG) or CHECKOUT / "warehouse" / "catalog")
        # A catalog named on the command line is complete in itself: no sources of the environment stand in for its own.
        named = None if catalog_dir else env.get(SOURCES)
        return cls(
            home=_folder(home or env.get(HOME) or CHECKOUT / "data"),
            catalog_dir=catalog,
            sources_file=_folder(sources_file or named or catalog / "sources.yaml"),
            allow_roots=tuple(_folder(part) for part in env.get(ALLOW_ROOTS, "").split(os.pathsep) if part.strip()),
            working_dir=Path.cwd(),
            retry_seconds=_seconds(RETRY_SECONDS, env.get(RETRY_SECONDS), 120.0),
            alerts=_alerts(env),
            secrets={
                # A secret read from a file often ends in a line break, which belongs to no secret.
                name: value.strip()
                for name, value in env.items()
                if name.startswith(SECRET_PREFIX) and value.strip()
            },
        )

    @property
    def sources_dir(self) -> Path:
        """The folder that relative addresses of sources start at."""
        return self.sources_file.parent

    @property
    def roots(self) -> tuple[Path, ...]:
        """Folders that sources may be read from (DESIGN "Safety"): nothing outside them is ever opened."""
        return (self.home, self.catalog_dir, self.sources_dir, self.working_dir, *self.allow_roots)

    def secret(self, name: str) -> str | None:
        """The secret a source names, or None where the variable is unset or empty.

        Raises:
            ValueError: for a name outside SCORETRAIL_SECRET_, so that no other variable can be sent anywhere.
        """
        if not name.startswith(SECRET_PREFIX):
            raise ValueError(f"{name}: a secret's variable begins with {SECRET_PREFIX}")
        return self.secrets.get(name)


def _alerts(environ: Mapping[str, str]) -> AlertSettings:
    try:
        return alert_settings(environ)
    except AlertSettingsError as error:
        raise SettingsError(str(error)) from error


def _seconds(name: str, text: str | None, default: float) -> float:
    """A number of seconds.

    Raises:
        SettingsError: for anything but 0 to 3600.
    """
    if text is None or not text.strip():
        return default
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found <= 3600:
        raise SettingsError(f"{name}={text}: seconds from 0 to 3600 are meant")
    return found


def _folder(path: Path | str) -> Path:
    return Path(path).expanduser().absolute()
