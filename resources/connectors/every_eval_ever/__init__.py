"""every-eval-ever, schema 0.3: trees of JSON logs, one log a model and run, read into results and written from them.

Belongs here: where each field of that format goes in ours, and back. The way there and back loses nothing: what a side
has no field for is carried along, ours as JSON under `score_details.details.scoretrail`, theirs under
`protocol.extra.every_eval_ever`. Does not belong here: what a number means or counts for.
"""

from resources.connectors.every_eval_ever.options import check_every_eval_ever
from resources.connectors.every_eval_ever.reading import parse_every_eval_ever

__all__ = ["check_every_eval_ever", "parse_every_eval_ever"]
