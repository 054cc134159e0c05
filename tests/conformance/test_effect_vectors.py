"""The kinds of effects that the games send, for other languages to be held to."""

from tests.vectors import effects


def test_the_vectors_are_fresh() -> None:
    assert effects.FILE.read_text(encoding="utf-8") == effects.text(), "run python -m tests.vectors.effects"
