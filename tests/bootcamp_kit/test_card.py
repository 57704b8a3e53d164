"""A card is read whole; a bad key is named."""

import pytest
import tomli_w

from bootcamp_kit.card import Card
from bootcamp_kit.errors import UsageError


def test_a_card_survives_the_round_trip_through_toml(doubling_task: dict[str, bytes]) -> None:
    card = Card.parse(doubling_task["card.toml"])
    assert Card.parse(tomli_w.dumps(card.to_dict()).encode()) == card
    assert card.address == "arithmetic/doubling"
    assert card.difficulty.params(3) == {"digits": 3}


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('id = "doubling"', 'id = "../x"', "id"),
        ('id = "doubling"\n', "", "missing id"),
        ('version = "1.0.0"', 'version = "one"', "version"),
        ('solutions = "unique"', 'solutions = "many"', "solutions"),
        ('title = "Doubling"', "title = 5", "title"),
        ('title = "Doubling"', 'title = " "', "title"),
        ('kind = "integer"', 'kind = "number"', "answer.kind"),
        ('kind = "integer"', 'kind = "choice"', "choices"),
        ('kind = "integer"', 'kind = "integer"\nfloor = 1.5', "floor"),
        ('kind = "integer"', 'kind = "integer"\nfloor = true', "floor"),
        ('kind = "integer"', 'kind = "integer"\nsurprise = 1', "surprise"),
        ('licence = "CC0-1.0"', 'licence = ""', "licence"),
        ("digits = [1, 2, 3]", "digits = 3", "digits"),
        ("digits = [1, 2, 3]", "digits = [1, 2, 3]\nother = [1]", "disagree"),
        ("digits = [1, 2, 3]", "digits = []", "no values"),
        ("[difficulty.axes]\ndigits = [1, 2, 3]", "", "difficulty"),
        ("digits = [1, 2, 3]", "digits = [1, 2, 3]\n[limits]\nmemory_mb = 100000", "limits"),
        ('tags = ["toy"]', "tags = [1]", "tags"),
        ('tags = ["toy"]', "tags = 5", "tags"),
        ('tags = ["toy"]', 'tags = ["' + "x" * 99 + '"]', "tags"),
        ('title = "Doubling"', 'title = "a\\nb"', "title"),
        ('title = "Doubling"', 'title = "' + "x" * 600 + '"', "title"),
        ('author = "compiler/1"', 'author = "x\\n\\nReviewed-by: Ada"', "author"),
        ('kind = "integer"', 'kind = "integer"\ntolerance = nan', "tolerance"),
        ('kind = "integer"', 'kind = "integer"\ntolerance = inf', "tolerance"),
        ('kind = "integer"', 'kind = "integer"\nfloor = nan', "floor"),
        ("digits = [1, 2, 3]", "digits = [nan]", "digits"),
        ("digits = [1, 2, 3]", "digits = [2024-01-01]", "digits"),
        ("digits = [1, 2, 3]", "digits = [" + "1, " * 60 + "]", "levels"),
        ("digits = [1, 2, 3]", "digits = " + "[" * 50_000, "nested too deep"),
        ("digits = [1, 2, 3]", "digits = [" + "9" * 5_000 + "]", "not TOML"),
        ('id = "doubling"', 'id = "doubling', "TOML"),
    ],
)
def test_a_bad_key_is_named(old: str, new: str, named: str, doubling_task: dict[str, bytes]) -> None:
    text = doubling_task["card.toml"].decode()
    assert old in text
    with pytest.raises(UsageError, match=named):
        Card.parse(text.replace(old, new).encode())


@pytest.mark.parametrize("level", [0, 4, -1, True, 1.5, "1"])
def test_levels_outside_the_schema_are_refused(level: object, doubling_task: dict[str, bytes]) -> None:
    with pytest.raises(UsageError, match="level"):
        Card.parse(doubling_task["card.toml"]).difficulty.params(level)  # type: ignore[arg-type]
