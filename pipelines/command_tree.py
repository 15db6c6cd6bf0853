"""The tree of subcommands as click needs it: whole, or one subcommand of it, since building all of them takes longest.

Belongs here: building it, and what click says where somebody asked for nothing. Does not belong here: which subcommands
there are (`pipelines.command`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import click
import typer

from pipelines import command_examples

_GUESS = " Did you mean "


def names(app: typer.Typer) -> set[str]:
    """The names of the subcommands and groups of an app."""
    found = {entry.name or getattr(entry.callback, "__name__", "") for entry in app.registered_commands}
    return found | {entry.name or "" for entry in app.registered_groups}


@functools.cache
def tree(app: typer.Typer, asked: str | None) -> click.Command:
    """The commands as click has them.

    Args:
        app: with every subcommand.
        asked: the first word of the command line; where it names a subcommand, that one alone is built.
    """
    if asked not in names(app):
        whole = typer.main.get_command(app)
        _teach(whole)
        return whole
    part = typer.Typer(
        name=app.info.name, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
        rich_markup_mode=None, help=app.info.help, context_settings=app.info.context_settings,
    )  # fmt: skip
    part.registered_commands = [
        entry for entry in app.registered_commands if asked == (entry.name or getattr(entry.callback, "__name__", ""))
    ]
    part.registered_groups = [entry for entry in app.registered_groups if entry.name == asked]
    part.callback()(_nothing)  # without one, a single subcommand would be taken for the whole
    built = typer.main.get_command(part)
    assert isinstance(built, click.Group)
    _explain_arguments(built, part)
    _teach(built)
    return built


class FiniteFloat(click.types.FloatParamType):
    """A number given as an option: `nan` and `inf` are none, and what is compared with them says nothing."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number (click.BadParameter for one that is not finite)."""
        return _finite(self, super().convert(value, param, ctx), param, ctx)


class FiniteRange(click.FloatRange):
    """A number between bounds: `nan` lies between none of them, though no comparison says so."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number (click.BadParameter for one that is not finite or out of bounds)."""
        return _finite(self, super().convert(value, param, ctx), param, ctx)


def _finite(
    kind: click.ParamType[Any], value: float, param: click.Parameter | None, ctx: click.Context | None
) -> float:
    if not math.isfinite(value):
        kind.fail(f"{value} is no finite number.", param, ctx)
    return value


def _finite_only(kind: click.ParamType[Any]) -> click.ParamType[Any]:
    """The type of a parameter, where it is a number one that is finite; bounds stay."""
    if isinstance(kind, click.FloatRange):
        return FiniteRange(kind.min, kind.max, min_open=kind.min_open, max_open=kind.max_open, clamp=kind.clamp)
    return FiniteFloat() if isinstance(kind, click.types.FloatParamType) else kind


def asked_for(command: click.Command, arguments: Sequence[str]) -> list[str]:
    """The words of a command line that name a subcommand, as deep as they go: `models suggest`, or `models` alone."""
    words: list[str] = []
    while isinstance(command, click.Group) and len(arguments) > len(words):
        below = command.commands.get(arguments[len(words)])
        if below is None:
            break
        words.append(arguments[len(words)])
        command = below
    return words


def asked_help(error: click.ClickException) -> str | None:
    """The help, where somebody named a group and nothing of it; None for a mistake."""
    is_asked = isinstance(error, click.exceptions.NoArgsIsHelpError)
    return error.ctx.get_help() if is_asked and isinstance(error, click.UsageError) and error.ctx else None


def told_once(message: str) -> str:
    """A message whose guess stands in it once: both typer and click add theirs."""
    head, *guesses = message.split(_GUESS)
    return _GUESS.join([head, *dict.fromkeys(guess.strip() for guess in guesses)])


def _explain_arguments(built: click.Group, app: typer.Typer) -> None:
    """Gives arguments the help that was written for them: what typer sets, newer versions of click clear.

    Such a click would then list them a second time, beside typer's own list.
    """
    from typer.utils import get_params_from_function

    for entry in app.registered_commands:
        command = built.commands[entry.name or str(getattr(entry.callback, "__name__", ""))]
        written = get_params_from_function(entry.callback) if entry.callback is not None else {}
        for param in command.params:
            if isinstance(param, click.Argument) and param.name in written:
                vars(param)["help"] = getattr(written[param.name].default, "help", None)
        vars(command)["format_arguments"] = lambda *_: None
    for group in app.registered_groups:
        below = built.commands.get(group.name or "")
        if isinstance(below, click.Group) and group.typer_instance is not None:
            _explain_arguments(below, group.typer_instance)


def _teach(command: click.Command, *words: str) -> None:
    """Ends the help of a command, and of all below it, with its examples; lets no number in that is not finite."""
    vars(command)["epilog"] = command_examples.shown(" ".join(words)) or command.epilog
    for param in command.params:
        param.type = _finite_only(param.type)
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            _teach(below, *words, name)


def _nothing() -> None:
    """Nothing is done before a subcommand."""
