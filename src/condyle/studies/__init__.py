"""One file per experiment of a paper; `run(name)` does it, `titles()` lists them."""

from condyle.studies.base import Claim, Progress, StudyResult
from condyle.studies.registry import run, titles

__all__ = ["Claim", "Progress", "StudyResult", "run", "titles"]
