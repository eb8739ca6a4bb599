"""Where the cache is, when it is refused, and that this is said once."""

import os
import warnings
from pathlib import Path

import pytest

from condyle.kernels import cache
from condyle.kernels.cache import folder

posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes of POSIX")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process."""
    monkeypatch.setattr(folder, "_known", None)
    monkeypatch.setattr(folder, "_warned", False)
    monkeypatch.setattr(folder, "_refused", set())
    monkeypatch.delenv("CONDYLE_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)


def assert_off(words: str) -> None:
    """Nothing is stored or loaded, nothing raises, and there is exactly one warning, with these words."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            assert cache.store(b"key", "kernel", b"payload", {}) is False
            assert cache.load(b"key", "kernel") is None
            assert list(cache.entries()) == []
            assert cache.clear() == 0
    messages = [str(item.message) for item in caught]
    assert len(messages) == 1, messages
    assert words in messages[0]
    assert "CONDYLE_CACHE" in messages[0]


def test_asked_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CONDYLE_CACHE names the folder; it is made, with what leads to it, and made again after a clean-up."""
    place = tmp_path / "a" / "b"
    monkeypatch.setenv("CONDYLE_CACHE", str(place))
    assert cache.cache_folder() == place
    if os.name == "posix":
        assert place.stat().st_mode & 0o777 == 0o700
    place.rmdir()
    assert cache.store(b"key", "kernel", b"payload", {})
    assert cache.load(b"key", "kernel") is not None


@pytest.mark.parametrize("word", ["off", "OFF"])
def test_off_is_silent(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who switches the cache off needs no warning."""
    monkeypatch.setenv("CONDYLE_CACHE", word)
    assert cache.store(b"key", "kernel", b"payload", {}) is False
    assert cache.load(b"key", "kernel") is None


@posix
def test_platform_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG_CACHE_HOME if absolute, else ~/.cache; ~/Library/Caches on a Mac; LOCALAPPDATA on Windows."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(folder.sys, "platform", "linux")
    assert cache.cache_folder() == tmp_path / ".cache" / "condyle"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.cache_folder() == tmp_path / "xdg" / "condyle"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache.cache_folder() == tmp_path / ".cache" / "condyle"
    monkeypatch.setattr(folder.sys, "platform", "darwin")
    monkeypatch.setattr(folder, "_known", None)
    assert cache.cache_folder() == tmp_path / "Library" / "Caches" / "condyle"
    monkeypatch.setattr(folder.sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "xdg"))
    assert cache.cache_folder() == tmp_path / "xdg" / "condyle"


@posix
def test_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home that does not exist is not made up."""
    monkeypatch.setattr(folder.sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    assert_off("there is no home folder")
    assert list(tmp_path.iterdir()) == []


def test_path_below_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place where no folder can be, for root neither."""
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("CONDYLE_CACHE", str(tmp_path / "file" / "cache"))
    assert_off("cannot be used")


def test_file_instead_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is named as what it is."""
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("CONDYLE_CACHE", str(tmp_path / "file"))
    assert_off("is not a folder")


@posix
def test_read_only_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """/proc refuses files to everybody."""
    if not os.path.isdir("/proc/self"):
        pytest.skip("no /proc on this system")
    monkeypatch.setenv("CONDYLE_CACHE", "/proc/condyle")
    assert_off("cannot be used")


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_others_may_write(mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder into which others can put machine code is not used."""
    place = tmp_path / "shared"
    place.mkdir()
    place.chmod(mode)
    monkeypatch.setenv("CONDYLE_CACHE", str(place))
    assert_off("other users can write")
    assert list(place.iterdir()) == []


@posix
def test_folder_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a folder nor a link of somebody else is followed; one's own link to one's own folder is."""
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir(mode=0o700)
    link.symlink_to(real)
    monkeypatch.setenv("CONDYLE_CACHE", str(link))
    assert cache.store(b"key", "kernel", b"payload", {})
    cache.clear()
    user = os.geteuid()
    monkeypatch.setattr(folder.os, "geteuid", lambda: user + 1)
    monkeypatch.setattr(folder, "_known", None)
    assert_off("is a symbolic link that belongs to another user")
    monkeypatch.setattr(folder, "_warned", False)
    monkeypatch.setenv("CONDYLE_CACHE", str(real))
    assert_off("belongs to another user")
    assert list(real.iterdir()) == []


def test_size_limit_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is in megabytes; a text that is none is said, and the default holds."""
    monkeypatch.setenv("CONDYLE_CACHE_SIZE", "1.5")
    assert folder.limit() == 1_500_000
    monkeypatch.setenv("CONDYLE_CACHE_SIZE", "much")
    with pytest.warns(RuntimeWarning, match="'much', which is not a number"):
        assert folder.limit() == 512_000_000


def test_one_warning_whatever_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second reason, of another kind, is not said any more."""
    (tmp_path / "file").write_text("x")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for path in ("file", "file/below"):
            monkeypatch.setenv("CONDYLE_CACHE", str(tmp_path / path))
            assert cache.load(b"key", "kernel") is None
        monkeypatch.setenv("CONDYLE_CACHE_SIZE", "much")
        folder.limit()
    assert len(caught) == 1
