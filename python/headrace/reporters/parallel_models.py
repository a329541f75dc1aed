"""Pictures of the scaling models for the report. Next: model/scaling_picture.py."""

from dataclasses import dataclass

from headrace.measure.parallel.results import ParallelRun


@dataclass(frozen=True)
class ModelPicture:
    """One method: measured points, the model with its interval, extrapolation marked; or why there is none."""

    title: str
    svg: str
    refusal: str


def model_pictures(run: ParallelRun) -> list[ModelPicture]:
    return [
        ModelPicture(
            f"{model.method}, {model.operation}", "", f"{model.refusal}: {model.hint}" if model.hint else model.refusal
        )
        for model in run.scaling
    ]
