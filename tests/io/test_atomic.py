"""Files appear whole or not at all, and the sentence says why not."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from condyle import files
from condyle.errors import CondyleError, InputError
from condyle.files import atomic_path, write_atomically

posix = pytest.mark.skipif(os.name != "posix", reason="modes, links and devices of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir())


def test_content_arrives_exactly(tmp_path: Path) -> None:
    """Bytes as they are, text as UTF-8 with its own line ends; an old file is replaced."""
    path = tmp_path / "knee.txt"
    write_atomically(path, b"\x00old\r\n")
    assert path.read_bytes() == b"\x00old\r\n"
    assert write_atomically(str(path), "winkel \u03b1\r\n\n") == path
    assert path.read_bytes() == "winkel \u03b1\r\n\n".encode()
    assert names(tmp_path) == ["knee.txt"]


def test_failed_body_changes_nothing(tmp_path: Path) -> None:
    """An exception or an interruption half way keeps the old file and removes the new one."""
    path = tmp_path / "motion.nc"
    path.write_text("old")
    for kind in (ValueError, KeyboardInterrupt):
        with pytest.raises(kind), atomic_path(path) as temporary:
            assert (temporary.parent, temporary.suffix) == (tmp_path, ".nc")
            temporary.write_text("half of the new")
            raise kind
        assert path.read_text() == "old"
        assert names(tmp_path) == ["motion.nc"]


def test_foreign_errors_pass(tmp_path: Path) -> None:
    """A body that cannot read some other file says so itself, and is not blamed on this path."""
    with pytest.raises(FileNotFoundError), atomic_path(tmp_path / "a"):
        (tmp_path / "other").read_text()
    assert names(tmp_path) == []


def test_missing_folder_names_the_closest(tmp_path: Path) -> None:
    """The first folder that is missing is named, with the nearest that is there."""
    (tmp_path / "results").mkdir()
    with pytest.raises(InputError, match=r"no folder 'resutls' in .*did you mean 'results'\?"):
        write_atomically(tmp_path / "resutls" / "trial" / "knee.csv", "")
    assert names(tmp_path) == ["results"]


def test_places_that_are_no_files(tmp_path: Path) -> None:
    """A folder, a path through a file, a name that is too long and a zero byte are input errors."""
    (tmp_path / "file").write_text("x")
    for path, words in [
        (tmp_path, "it is a folder"),
        (tmp_path / "file" / "inside", "a part of the path is a file"),
        (tmp_path / ("n" * 300), "name is too long"),
        (f"{tmp_path}/zero\0byte", "null"),
    ]:
        with pytest.raises(InputError, match=words):
            write_atomically(path, "x")
    assert names(tmp_path) == ["file"]


@posix
def test_unwritable_folder() -> None:
    """A folder of the kernel's, where even root makes no file."""
    if not os.path.isdir("/proc/self"):
        pytest.skip("no /proc on this system")
    with pytest.raises(InputError, match=r"cannot write '/proc/self/knee\.csv'"):
        write_atomically("/proc/self/knee.csv", "x")


@posix
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """A disk that fills at the last moment leaves the old file and no other."""
    path = tmp_path / "a.csv"
    path.write_text("old")

    def full(handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(CondyleError, match=r"(full|quota|device).*nothing was changed"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.csv"]


@posix
def test_file_size_limit(tmp_path: Path) -> None:
    """A real failure of the operating system in the middle of the writing."""
    code = f"""
import resource
from condyle.errors import CondyleError
from condyle.files import write_atomically
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
write_atomically({str(tmp_path / "small")!r}, b"x" * 1000)
try:
    write_atomically({str(tmp_path / "large")!r}, b"x" * 100000)
except CondyleError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "larger than the file system or a limit" in done.stdout
    assert names(tmp_path) == ["small"]


@posix
def test_modes_and_protection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new file obeys the umask, a replaced one keeps its mode, a protected one is not replaced."""
    old = os.umask(0o027)
    try:
        path = write_atomically(tmp_path / "new", "x")
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write_atomically(path, "y")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    monkeypatch.setattr(files.os, "access", lambda *_: False)  # root may always
    with pytest.raises(InputError, match="write-protected"):
        write_atomically(path, "z")
    assert path.read_text() == "y"


@posix
def test_links_stay(tmp_path: Path) -> None:
    """A symbolic link stays one, and its file is replaced."""
    (tmp_path / "data").mkdir()
    real, link = tmp_path / "data" / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    link.symlink_to(real)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert names(tmp_path) == ["data", "link.csv"]


@posix
def test_pipes_and_devices_stay(tmp_path: Path) -> None:
    """What is no regular file is written, not replaced (a pipe of our own: a device belongs to everybody)."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, "through")
        assert os.read(reader, 100) == b"through"
        with pytest.raises(CondyleError, match="the disk is full"), atomic_path(pipe):
            raise OSError(errno.ENOSPC, "what /dev/full answers")
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["pipe"]
