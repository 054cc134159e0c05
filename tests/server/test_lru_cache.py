"""What was asked for last."""

from __future__ import annotations

from icetable.server.live.memory import LRUCache


def test_what_was_asked_for_last_stays() -> None:
    recent: LRUCache[str, int] = LRUCache(3)
    for number, key in enumerate("abc"):
        recent.put(key, number)
    assert recent.get("a") == 0
    recent.put("d", 3)
    assert [recent.get(key) for key in "abcd"] == [0, None, 2, 3]


def test_sizes_count() -> None:
    recent: LRUCache[str, int] = LRUCache(10)
    recent.put("a", 1, 4)
    recent.put("a", 2, 6)
    recent.put("b", 3, 4)
    assert (recent.get("a"), recent.get("b")) == (2, 3)
    recent.put("c", 4, 20)
    assert [recent.get(key) for key in "abc"] == [None, None, 4]
    recent.drop("c")
    recent.drop("c")
    recent.put("d", 5, 10)
    assert recent.get("d") == 5
