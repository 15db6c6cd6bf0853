"""The closed sets of words of shadow and canary: how a stop rule stands, and what the deploy tool is told (METHODS 12).

Belongs here: the words and their meaning. Does not belong here: how one is reached (`methods.rollout`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

RolloutStage = Literal["shadow", "canary"]
ROLLOUT_STAGES: Final[tuple[RolloutStage, ...]] = get_args(RolloutStage)

StopState = Literal["crossed", "unclear", "not_tracked", "within", "open"]
STOP_STATES: Final[tuple[StopState, ...]] = get_args(StopState)
"""crossed: the mean was surely above its limit at this look or a former one; unclear: it would be, were the units that
state nothing at their worst; not_tracked: no unit states it; within: surely at most the limit; open: neither."""

RolloutAction = Literal["continue", "hold", "stop", "rollback"]
ROLLOUT_ACTIONS: Final[tuple[RolloutAction, ...]] = get_args(RolloutAction)
"""From mild to strong. continue: as planned; hold: no unit more than now, until a person has looked: what came in
cannot be read as the plan meant it; stop: nothing more goes to the candidate; rollback: and return to the baseline."""

ACTION_SAID: Final[dict[RolloutAction, str]] = {
    "continue": "as planned",
    "hold": "not one unit more, until a person has looked",
    "stop": "nothing more to the candidate",
    "rollback": "nothing more to the candidate, and back to the baseline",
}
"""What each means, in a few words for people."""

ACTION_SCHEMA: Final = "scoretrail.action/1"

CohortReading = Literal["randomized", "operational"]
COHORT_READINGS: Final[tuple[CohortReading, ...]] = get_args(CohortReading)
"""randomized: groups differ by the assignment alone, a difference may be read as an effect; operational: they differ in
who is in them too, and no effect is claimed."""
