"""Where the cache lives, and whether that place may be trusted: its files become machine code."""

from __future__ import annotations

import os
import stat
import sys
import threading
import warnings
from pathlib import Path

_lock = threading.Lock()
_known: tuple[tuple[str | None, ...], Path | None] | None = None
_refused: set[Path] = set()
_warned = False

_VARIABLES = ("CONDYLE_CACHE", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA", "USERPROFILE")


class Unusable(Exception):
    """Why a folder cannot be the cache; the text follows "Condyle's cache is off: "."""


def cache_folder() -> Path | None:
    """The cache folder, made when it is missing; None when the cache is off (said once, unless asked for).

    `CONDYLE_CACHE` is a path or `off`; without it the platform's folder for caches is used.
    """
    global _known
    asked = tuple(map(os.environ.get, _VARIABLES))
    known = _known
    if known is not None and known[0] == asked and (known[1] is None or known[1].is_dir()):
        return known[1]  # is_dir: a clean-up may have removed it
    with _lock:
        try:
            found = _find(asked[0])
        except Unusable as reason:
            found = None
            warn_once(f"Condyle's cache is off: {reason}")
        _known = (asked, found)
    return found


def may_write(place: Path) -> bool:
    """Whether no earlier attempt to write into `place` failed in this process."""
    return place not in _refused


def refuse(place: Path, reason: object) -> None:
    """Stop writing into `place` (a full disk, a read-only file system) for the rest of the process."""
    _refused.add(place)
    warn_once(f"Condyle stores no more compiled code in this process: {reason}")


def warn_once(text: str) -> None:
    """One warning in a process is enough: all that is lost is time."""
    global _warned
    if not _warned:
        _warned = True
        text += ". Models are compiled anew; set CONDYLE_CACHE to a private folder, or to 'off' to hide this."
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def limit() -> int:
    """Largest total size of the cache [bytes]: CONDYLE_CACHE_SIZE [MB], 512 by default."""
    text = os.environ.get("CONDYLE_CACHE_SIZE", "").strip()
    try:
        megabytes = float(text) if text else 512.0
        return max(0, int(megabytes * 1e6))
    except (ValueError, OverflowError):
        warn_once(f"CONDYLE_CACHE_SIZE is {text!r}, which is not a number of megabytes; 512 is used")
        return 512_000_000


def _find(asked: str | None) -> Path | None:
    if asked and asked.strip().lower() == "off":
        return None
    place = _absolute(asked) if asked else _platform_folder() / "condyle"
    try:
        if not os.path.lexists(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.mkdir(mode=0o700, exist_ok=True)
        _check_private(place)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise Unusable(f"the folder {str(place)!r} cannot be used ({error})") from error
    return place


def _absolute(text: str) -> Path:
    try:
        return Path(os.path.abspath(Path(text).expanduser()))
    except (RuntimeError, OSError) as error:
        raise Unusable(f"CONDYLE_CACHE is {text!r} ({error})") from error


def _platform_folder() -> Path:
    """The user's folder for caches; a home folder is never made up."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return Path(local) if os.path.isdir(local) else _home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches"
    asked = os.environ.get("XDG_CACHE_HOME", "")
    return Path(asked) if os.path.isabs(asked) else _home() / ".cache"


def _home() -> Path:
    home = os.path.expanduser("~")
    if home in ("", "~") or not os.path.isdir(home):
        raise Unusable("there is no home folder")
    return Path(home)


def _check_private(place: Path) -> None:
    """Raise unless only this user can put files into `place`."""
    if os.name != "posix":  # the platform folders of Windows are private by their access lists
        if not place.is_dir():
            raise Unusable(f"{str(place)!r} is not a folder")
        return
    user = os.geteuid()
    link = os.lstat(place)
    if stat.S_ISLNK(link.st_mode) and link.st_uid != user:
        raise Unusable(f"{str(place)!r} is a symbolic link that belongs to another user")
    status = os.stat(place)
    if not stat.S_ISDIR(status.st_mode):
        raise Unusable(f"{str(place)!r} is not a folder")
    if status.st_uid != user:
        raise Unusable(f"the folder {str(place)!r} belongs to another user")
    if status.st_mode & 0o022:
        raise Unusable(f"other users can write into the folder {str(place)!r} (chmod 700 would allow it)")
