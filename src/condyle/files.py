"""Files appear whole or not at all: written under a temporary name beside their place, then renamed."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from condyle.errors import CondyleError, InputError, closest

TEMPORARY_PREFIX = ".condyle-"  # names of files under way; a killed process may leave one behind

_FULL = {
    errno.ENOSPC: "the disk is full",
    getattr(errno, "EDQUOT", errno.ENOSPC): "the disk quota is used up",
    errno.EFBIG: "the file would be larger than the file system or a limit of this process allows",
    errno.EIO: "the device reports an input/output error",
}
_UNWRITABLE = {
    errno.EACCES: "no permission to write there",
    errno.EPERM: "no permission to write there",
    errno.EROFS: "the file system is read-only",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.ENAMETOOLONG: "the name is too long for this file system",
    errno.EISDIR: "it is a folder; name a file in it",
}


def write_atomically(path: str | os.PathLike[str], content: bytes | str, *, durable: bool = True) -> Path:
    """Write all of `content` (text as UTF-8, line ends untouched) to `path`, or raise and change nothing.

    `durable` forces the content to the disk before the rename, so that a power cut leaves the old file or the
    new one; without it only other processes are promised that. Returns the path written.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    with atomic_path(path, durable=durable) as temporary, open(temporary, "wb") as file:
        file.write(data)
    return Path(path)


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike[str], *, durable: bool = True) -> Iterator[Path]:
    """Give the name of an empty temporary file (same folder, same suffix); at the end it becomes `path`.

    An exception in the body, a full disk or an unwritable folder leave `path` as it was and no temporary
    file. A symbolic link keeps pointing at the file that is replaced; a device or pipe is written directly.
    """
    shown = os.fspath(path)
    target, mode = _target(shown)
    in_place = mode is not None and not stat.S_ISREG(mode)  # a rename would replace the device
    temporary = target if in_place else _make_temporary(target, mode, shown)
    try:
        yield temporary
        if not in_place:
            if durable:
                _flush(temporary)
            os.replace(temporary, target)
    except BaseException as error:
        if not in_place:
            _remove(temporary)
        if isinstance(error, OSError) and (error.errno in _FULL or _names(error, temporary)):
            raise _sentence(error, shown, target) from error
        raise
    if durable and not in_place:
        _flush_folder(target.parent)


def _target(shown: str) -> tuple[Path, int | None]:
    """The file behind the path, and its mode if it exists; raises where a rename would do harm."""
    target = Path(shown)
    try:
        target = Path(os.path.realpath(shown))
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return target, None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise _sentence(error, shown, target) from error
    if stat.S_ISDIR(mode):
        raise InputError(f"cannot write {shown!r}: it is a folder; name a file in it")
    if not os.access(target, os.W_OK):  # a rename would replace a file that its owner protected
        raise InputError(f"cannot write {shown!r}: the file is there and is write-protected")
    return target, mode


def _make_temporary(target: Path, mode: int | None, shown: str) -> Path:
    """An empty file beside `target`, made before the work is done: a hopeless place is told at once."""
    temporary = target.with_name(f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}{target.suffix}")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
    except OSError as error:
        _remove(temporary)
        raise _sentence(error, shown, target) from error
    return temporary


def _names(error: OSError, path: Path) -> bool:
    return error.filename is not None and os.fspath(error.filename) == os.fspath(path)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _flush_folder(folder: Path) -> None:
    # The rename itself survives a power cut only once the folder is on the disk; some systems cannot do it.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _sentence(error: OSError | ValueError, shown: str, target: Path) -> CondyleError:
    """The sentence a user can act on, for an operating system's error number."""
    number = error.errno if isinstance(error, OSError) else None
    if number in _FULL:
        return CondyleError(f"cannot write {shown!r}: {_FULL[number]}; nothing was changed")
    if number == errno.ENOENT and not target.parent.exists():
        return InputError(f"cannot write {shown!r}: {_missing_folder(target.parent)}")
    reason = _UNWRITABLE.get(number or 0) or str(error)
    return InputError(f"cannot write {shown!r}: {reason}")


def _missing_folder(folder: Path) -> str:
    while not folder.parent.exists():
        folder = folder.parent
    siblings: list[str] = []
    with contextlib.suppress(OSError):
        siblings = [item.name for item in folder.parent.iterdir() if item.is_dir()]
    return f"there is no folder {folder.name!r} in {str(folder.parent)!r}{closest(folder.name, siblings)}"
