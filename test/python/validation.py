"""Validation against a schema that is itself checked once: for each document it would take longer than the rest."""

import functools
from collections.abc import Callable
from typing import Any

import jsonschema

Schema = Callable[[], dict[str, Any]]


@functools.cache
def _validator(schema: Schema) -> Any:
    written = schema()
    kind = jsonschema.validators.validator_for(written)
    kind.check_schema(written)
    return kind(written)


def validate(document: Any, schema: Schema) -> None:
    """As jsonschema.validate(document, schema()): raises jsonschema.ValidationError."""
    error = jsonschema.exceptions.best_match(_validator(schema).iter_errors(document))
    if error is not None:
        raise error
