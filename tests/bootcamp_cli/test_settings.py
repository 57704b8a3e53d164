"""Flag > environment > file > default; what is unknown or wrong is said, with the name of the key."""

import json
from pathlib import Path

import pytest

from bootcamp_cli.authors import authoring_settings
from bootcamp_cli.roles import band_of, model_options, models_of, opposing, read_roles, stages_of
from bootcamp_cli.settings import library_setting, load_settings
from bootcamp_kit.errors import UsageError
from chat_models.options import ModelOptions
from tests.bootcamp_cli.conftest import Run


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    return inner


def test_each_source_beats_the_ones_below_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().candidates == 3
    (place.parent / "bootcamp.toml").write_text("candidates = 5\nrepairs = 7\n")
    assert load_settings().candidates == 5
    monkeypatch.setenv("BOOTCAMP_CANDIDATES", "6")
    assert load_settings().candidates == 6
    assert load_settings(candidates=4).candidates == 4
    assert load_settings(candidates=None).repairs == 7


def test_how_long_a_model_may_be_silent_is_a_setting() -> None:
    options = model_options(load_settings(model_timeout_s=900))
    assert (options.timeout_s, options.deadline_s) == (900, 5_400)
    assert model_options(load_settings()) == ModelOptions()
    assert model_options(load_settings(model_stream=False)) == ModelOptions(stream=False)
    with pytest.raises(UsageError, match="seconds of silence"):
        model_options(load_settings(model_timeout_s=0))


def test_agents_are_opposed_only_where_an_opponent_is_named() -> None:
    assert opposing(load_settings(author="openai:m")) is None
    assert opposing(load_settings(roles={"opponent": "openai:m"}, stages="compare")) is None
    named = opposing(load_settings(roles={"opponent": "openai:m", "solver": ["openai:a", "openai:b"]}))
    assert named is not None
    parts = models_of(named)
    assert (parts["opponent"], parts["attacker"], parts["solver"]) == (
        ("openai:m",),
        ("openai:m",),
        ("openai:a", "openai:b"),
    )


def test_temperatures_of_drafts_are_a_list_of_the_file_or_of_flags(place: Path) -> None:
    (place.parent / "bootcamp.toml").write_text("temperatures = [0.2, 1.0]\n")
    assert authoring_settings(load_settings()).temperatures == (0.2, 1.0)
    assert authoring_settings(load_settings(temperatures=[0.7])).temperatures == (0.7,)
    with pytest.raises(UsageError, match="temperatures"):
        authoring_settings(load_settings(temperatures=[3.0]))


@pytest.mark.parametrize(
    ("toml", "named"),
    [("surprise = 1\n", "surprise"), ("candidates = 'x'\n", "candidates"), ("candidates =\n", "TOML")],
)
def test_a_bad_file_is_refused_by_key(toml: str, named: str, place: Path) -> None:
    (place / "bootcamp.toml").write_text(toml)
    with pytest.raises(UsageError, match=named):
        load_settings()


def test_an_unknown_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOTCAMP_CANDIDATE", "1")
    with pytest.raises(UsageError, match="BOOTCAMP_CANDIDATE"):
        load_settings()


def test_state_is_kept_at_the_root_of_the_checkout_and_ignored_by_git(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    state = load_settings().state_dir
    assert state == (tmp_path / ".bootcamp").resolve()
    assert (state / ".gitignore").read_text() == "*\n"
    assert load_settings(state=tmp_path / "other").state_dir == (tmp_path / "other").resolve()


def test_a_relative_path_in_the_file_is_meant_from_its_folder(place: Path) -> None:
    (place.parent / "bootcamp.toml").write_text('library = "../shelf"\n')
    library = load_settings().library
    assert library is not None
    assert library.resolve() == (place.parent.parent / "shelf").resolve()


def test_every_verb_reads_the_library_of_the_settings(bootcamp: Run, tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    (tmp_path / "place" / "bootcamp.toml").write_text('library = "../shelf"\n')
    assert json.loads(bootcamp("library", "list", "--json").stdout)["tasks"] == []
    bootcamp("library", "sample", "limping_hand", code=2)
    bootcamp("export", "limping_hand", "--out", "-", code=2)


def test_roles_are_a_table_a_flag_and_a_variable(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "bootcamp.toml").write_text(
        '[roles]\nauthor = "openai:big"\nopponent = "anthropic:other"\nsolver = ["local:http://h#a", "local:http://h#b"]\n'
    )
    settings = load_settings()
    assert settings.author == "openai:big"
    assert models_of(settings) == {
        "analyst": ("openai:big",),
        "attacker": ("openai:big",),
        "author": ("openai:big",),
        "opponent": ("anthropic:other",),
        "solver": ("local:http://h#a", "local:http://h#b"),
    }
    assert models_of(load_settings(author="openai:small"))["analyst"] == ("openai:small",)
    several = load_settings(roles=read_roles(["author=openai:a", "author=openai:b"]), author="openai:a")
    assert models_of(several)["author"] == ("openai:a", "openai:b")
    assert models_of(several)["attacker"] == ("openai:a",)
    monkeypatch.setenv("BOOTCAMP_ROLES", '{"attacker": "openai:sharp"}')
    assert models_of(load_settings())["attacker"] == ("openai:sharp",)
    flagged = load_settings(roles=read_roles(["solver=openai:a", "solver=openai:b"]))
    assert models_of(flagged)["solver"] == ("openai:a", "openai:b")


@pytest.mark.parametrize("flags", [["solver"], ["judge=openai:a"], ["attacker=openai:a", "attacker=openai:b"]])
def test_a_role_that_makes_no_sense_is_refused(flags: list[str]) -> None:
    with pytest.raises(UsageError, match="role"):
        models_of(load_settings(roles=read_roles(flags)))


def test_stages_are_all_none_or_some(place: Path) -> None:
    assert stages_of(load_settings()) == ("analyse", "oppose", "calibrate", "compare")
    assert stages_of(load_settings(stages="none")) == ()
    assert stages_of(load_settings(stages="compare, oppose")) == ("oppose", "compare")
    with pytest.raises(UsageError, match="guess"):
        stages_of(load_settings(stages="oppose,guess"))
    assert band_of(load_settings(band="0.1:0.8")) == (0.1, 0.8)
    with pytest.raises(UsageError, match="band"):
        band_of(load_settings(band="wide"))


def test_a_cap_on_replies_holds_for_every_role_and_never_widens_the_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOTCAMP_MAX_REPLY_TOKENS", "900")
    numbers = authoring_settings(load_settings())
    assert (numbers.max_reply_tokens, numbers.solver_tokens) == (900, 900)
    monkeypatch.setenv("BOOTCAMP_MAX_REPLY_TOKENS", "64000")
    assert authoring_settings(load_settings()).solver_tokens == 8_000


@pytest.mark.parametrize("flag", [None, Path("flagged")])
@pytest.mark.parametrize("named", [None, "shelf", ""])
@pytest.mark.parametrize("toml", [None, 'library = "../shelf"\n', "candidates = 5\n"])
def test_the_library_alone_is_resolved_as_all_settings_are(
    flag: Path | None, named: str | None, toml: str | None, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if named is not None:
        monkeypatch.setenv("BOOTCAMP_LIBRARY", named)
    if toml is not None:
        (place.parent / "bootcamp.toml").write_text(toml)
    assert library_setting(flag) == load_settings(library=flag).library


def test_an_unknown_variable_is_refused_for_the_library_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOTCAMP_LIBRARIES", "x")
    with pytest.raises(UsageError, match="BOOTCAMP_LIBRARIES"):
        library_setting(None)
