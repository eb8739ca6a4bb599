"""Load and store: misses for what is bad, room for what is new, many processes at once."""

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from condyle.kernels import cache
from condyle.kernels.cache import folder

posix = pytest.mark.skipif(os.name != "posix", reason="resource limits of POSIX")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, as in a new process."""
    monkeypatch.setattr(folder, "_known", None)
    monkeypatch.setattr(folder, "_warned", False)
    monkeypatch.setattr(folder, "_refused", set())
    monkeypatch.setenv("CONDYLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CONDYLE_CACHE_SIZE", raising=False)
    return tmp_path / "cache"


def stored(place: Path) -> list[Path]:
    return sorted(place.iterdir())


def test_store_and_load(place: Path) -> None:
    """An entry returns under its own key and kind only, and a second store replaces it."""
    assert cache.load(b"key", "kernel") is None
    assert cache.store(b"key", "kernel", b"first", {"ir_digest": "1"})
    assert cache.load(b"key", "kernel") == cache.Entry(b"first", {"ir_digest": "1"})
    assert cache.load(b"key", "loop") is None
    assert cache.load(b"other", "kernel") is None
    assert cache.store(b"key", "kernel", b"second", {})
    assert cache.load(b"key", "kernel") == cache.Entry(b"second", {})
    assert len(stored(place)) == 1


def test_damaged_file_is_a_miss_and_removed(place: Path) -> None:
    """Truncated, empty, tampered and foreign files are deleted, and can be stored again."""
    cache.store(b"key", "kernel", b"machine code", {})
    (path,) = stored(place)
    good = path.read_bytes()
    for bad in (good[:-1], b"", good[:-1] + b"!", b"\x7fELF" * 50, good[:20]):
        path.write_bytes(bad)
        assert cache.load(b"key", "kernel") is None
        assert stored(place) == []
        assert cache.store(b"key", "kernel", b"machine code", {})
        assert cache.load(b"key", "kernel") is not None


def test_renamed_file_is_a_miss(place: Path) -> None:
    """A whole file under the name of another key is not believed."""
    cache.store(b"one", "kernel", b"code of one", {})
    cache.store(b"two", "kernel", b"code of two", {})
    first, second = stored(place)
    second.write_bytes(first.read_bytes())
    answers = [cache.load(b"one", "kernel"), cache.load(b"two", "kernel")]
    assert answers.count(None) == 1
    assert stored(place) == [first]


def test_least_recently_used_makes_room(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound holds; what was loaded lately stays; files of others stay and do not count."""
    monkeypatch.setenv("CONDYLE_CACHE_SIZE", "0.1")
    for index in range(4):
        assert cache.store(bytes([index]), "kernel", bytes(20_000), {})
    for age, path in enumerate(stored(place)):
        os.utime(path, (time.time() - 100 - age, time.time() - 100 - age))
    foreign = place / "thesis.tex"
    foreign.write_bytes(bytes(200_000))
    assert cache.load(b"\x00", "kernel") is not None  # now the latest used
    for index in range(10, 13):
        assert cache.store(bytes([index]), "kernel", bytes(20_000), {})
        assert cache.total_size() <= 100_000
    assert cache.load(b"\x00", "kernel") is not None
    assert not any(cache.load(bytes([index]), "kernel") for index in (1, 2, 3))
    assert all(cache.load(bytes([index]), "kernel") is not None for index in (10, 11, 12))
    assert foreign.exists()


def test_larger_than_the_bound_is_not_stored(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One giant does not empty the cache."""
    cache.store(b"small", "kernel", b"small", {})
    monkeypatch.setenv("CONDYLE_CACHE_SIZE", "0.01")
    assert cache.store(b"giant", "kernel", bytes(20_000), {}) is False
    assert cache.load(b"small", "kernel") is not None


def test_abandoned_temporary_files_go(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a killed process left is removed after an hour, when room is made; a fresh one is in use."""
    cache.store(b"a", "kernel", bytes(500), {})
    old, fresh = place / ".condyle-00.condyle", place / ".condyle-01.condyle"
    old.write_bytes(b"half")
    fresh.write_bytes(b"half")
    os.utime(old, (0, 0))
    monkeypatch.setenv("CONDYLE_CACHE_SIZE", "0.001")
    cache.store(b"b", "kernel", bytes(500), {})
    assert not old.exists()
    assert fresh.exists()


@posix
def test_full_disk_is_said_once(place: Path) -> None:
    """A store that fails half way stops further ones with one warning, leaves no file, and loads go on."""
    code = """
import resource, warnings
from condyle.kernels import cache
assert cache.store(b"small", "kernel", b"x", {})
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for index in range(3):
        assert cache.store(bytes([index]), "kernel", bytes(100000), {}) is False
assert cache.load(b"small", "kernel") is not None
print(len(caught), caught[0].message)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("1 Condyle stores no more compiled code")
    assert len(stored(place)) == 1


def test_review(place: Path) -> None:
    """All is listed; damage is named and removed; a wrong derivation too; clear spares foreign files."""
    for index in range(3):
        cache.store(bytes([index]), "kernel", bytes(100), {"ir_digest": f"d{index}"})
    (place / "notes.txt").write_text("mine")
    records = list(cache.entries())
    assert {record.key for record in records} == {b"\x00", b"\x01", b"\x02"}
    assert {record.kind for record in records} == {"kernel"}
    assert sum(record.size for record in records) == cache.total_size()
    assert cache.verify() == []

    damaged = records[0].path
    damaged.write_bytes(damaged.read_bytes()[:-1])
    assert [record.path for record in cache.verify()] == [damaged]
    assert not damaged.exists()

    wrong, kept = records[1], records[2]
    bad = cache.verify(lambda record: "another" if record.key == wrong.key else None)
    assert [record.key for record in bad] == [wrong.key]
    assert "another" in bad[0].problem
    assert cache.verify(lambda record: record.metadata["ir_digest"]) == []
    assert [record.key for record in cache.entries()] == [kept.key]
    assert cache.clear() == 1
    assert [path.name for path in place.iterdir()] == ["notes.txt"]


HAMMER = """
import hashlib, random, sys, time
from condyle.kernels import cache
seed, seconds = int(sys.argv[1]), float(sys.argv[2])
random.seed(seed)
end = time.monotonic() + seconds
loads = hits = 0
while time.monotonic() < end or not 0 < hits < loads:  # until both ways were taken, however slow
    key = bytes([random.randrange(12)])
    entry = cache.load(key, "kernel")
    loads += 1
    if entry is None:
        body = random.randbytes(random.randrange(30_000, 60_000))  # twelve of them never fit
        cache.store(key, "kernel", key + hashlib.sha256(key + body).digest() + body, {"size": len(body)})
    else:
        hits += 1
        body = entry.payload[33:]
        assert entry.payload[:33] == key + hashlib.sha256(key + body).digest(), "corrupt"
        assert entry.metadata == {"size": len(body)}, "foreign metadata"
    if random.random() < 0.01:
        assert all(not record.problem for record in cache.entries())
print(loads, hits)
"""


def test_many_processes(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight processes load, store and make room in one folder: no exception, nothing corrupt, bound kept."""
    monkeypatch.setenv("CONDYLE_CACHE_SIZE", "0.25")
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", HAMMER, str(seed), "2.5"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in range(8)
    ]
    counts = []
    try:
        for process in processes:
            output, errors = process.communicate(timeout=120)
            assert process.returncode == 0, errors
            counts.append([int(word) for word in output.split()])
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    assert all(0 < hits < loads for loads, hits in counts)
    cache.store(b"last", "kernel", b"", {})
    assert cache.total_size() <= 250_000
    assert cache.verify() == []
    assert not [path for path in place.iterdir() if path.name.startswith(".")]


def test_load_is_cheap(place: Path) -> None:
    """A megabyte costs under a millisecond beyond reading it and taking its digest."""
    payload = os.urandom(1_000_000)
    cache.store(b"key", "kernel", payload, {"ir_digest": "x"})
    (path,) = stored(place)

    def best(function) -> float:
        times = []
        for _ in range(30):
            begin = time.perf_counter()
            function()
            times.append(time.perf_counter() - begin)
        return min(times)

    floor = best(lambda: hashlib.sha256(path.read_bytes()).digest())
    assert best(lambda: cache.load(b"key", "kernel")) - floor < 1e-3
