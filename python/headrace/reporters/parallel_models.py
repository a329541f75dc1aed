"""Pictures of the scaling models for the report. Next: model/scaling_picture.py."""

from dataclasses import dataclass

from markupsafe import Markup

from headrace.measure.parallel.scaling import fit_rows
from headrace.model.scaling import Refusal
from headrace.model.scaling_curve import sentences
from headrace.model.scaling_picture import draw
from headrace.results.parallel import ParallelRun


@dataclass(frozen=True)
class ModelPicture:
    """One method: measured points, the model with its interval, extrapolation marked; or why there is no model.

    Why a model goes no further is one of its sentences.
    """

    title: str
    svg: Markup
    refusal: str
    sentences: list[str]


def model_pictures(run: ParallelRun) -> list[ModelPicture]:
    """One a method and operation; a reason why there is none is given once for all that share it."""
    found: list[ModelPicture] = []
    refused: dict[str, list[str]] = {}
    for model in run.scaling:
        title = f"{model.method}, {model.operation}"
        fitted = fit_rows(run, model.method, model.operation)
        if isinstance(fitted, Refusal):
            refused.setdefault(str(fitted), []).append(title)
        else:
            found.append(ModelPicture(title, Markup(draw(fitted, title)), "", sentences(fitted)))
    found += [ModelPicture("; ".join(titles), Markup(""), why, []) for why, titles in refused.items()]
    return found
