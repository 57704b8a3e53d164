from __future__ import annotations

import pytest

from bootcamp_kit.errors import InternalError
from chat_models.protocol import ChatRequest, Message


def request(*roles: str) -> ChatRequest:
    return ChatRequest(tuple(Message(role, role) for role in roles))  # type: ignore[arg-type]


@pytest.mark.parametrize("roles", [("user",), ("system", "user"), ("user", "assistant", "user")])
def test_turns_are_the_messages_after_the_system_message(roles: tuple[str, ...]) -> None:
    asked = request(*roles)
    assert asked.system == ("system" if roles[0] == "system" else None)
    assert [turn.role for turn in asked.turns] == [role for role in roles if role != "system"]


@pytest.mark.parametrize(
    "roles",
    [
        (),
        ("system",),
        ("assistant",),
        ("user", "assistant"),
        ("user", "user"),
        ("user", "system"),
        ("system", "system", "user"),
    ],
)
def test_messages_out_of_order_are_a_fault_of_ours(roles: tuple[str, ...]) -> None:
    with pytest.raises(InternalError):
        request(*roles)


def test_no_room_for_an_answer_is_a_fault_of_ours() -> None:
    with pytest.raises(InternalError):
        ChatRequest((Message("user", "a"),), max_tokens=0)
