"""What all tests share: a cache of their own, hypothesis profiles, and data that is not in the repository."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# Reproducible by default; `pytest --hypothesis-profile=explore` draws anew each time.
settings.register_profile("condyle", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("explore", deadline=None, max_examples=200)
settings.load_profile("condyle")


def pytest_configure(config: pytest.Config) -> None:
    """Keep compiled code of tests out of the user's cache, but keep it between runs; listen to Ctrl-C.

    A shell starts a command in the background with SIGINT ignored, which its children inherit.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    store = getattr(config, "cache", None)  # absent under `-p no:cacheprovider`
    if "CONDYLE_CACHE" not in os.environ and store is not None:
        folder = store.mkdir("condyle")
        folder.chmod(0o700)
        os.environ["CONDYLE_CACHE"] = str(folder)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Reference data that is not shipped: the folder `CONDYLE_DATA`, or `../shared/data`."""
    folder = Path(os.environ.get("CONDYLE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no reference data in {folder}; set CONDYLE_DATA")
    return folder
