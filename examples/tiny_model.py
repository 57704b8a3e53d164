"""A language model of some 0.2 million weights for the training examples, and the tokens it knows.

It starts from random weights. The warm-up teaches it the *form* of an answer only: the letters of the prompt in random
order between the tags, so that some of its guesses earn something.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

from toy_library import task_titles


def make_tokenizer() -> Any:
    """Words of the tasks and single letters; text between blanks is one token."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from transformers import PreTrainedTokenizerFast

    form = "Take the letters and do this : . Write that you get , blanks between in form <answer> </answer> then"
    words = {"<pad>", "<end>", "<ask>", "<reply>", "<unknown>", *form.split(), *"abcdefgh"}
    words |= {word for title in task_titles() for word in title.split()}
    vocabulary = {word: number for number, word in enumerate(sorted(words))}
    core = Tokenizer(WordLevel(vocabulary, unk_token="<unknown>"))
    core.pre_tokenizer = WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        pad_token="<pad>",
        eos_token="<end>",
        unk_token="<unknown>",
        additional_special_tokens=["<ask>", "<reply>"],
        padding_side="left",
        chat_template="{% for m in messages %}<ask> {{ m['content'] }} {% endfor %}<reply>",
    )


def make_model(tokenizer: Any, seed: int) -> Any:
    """A Llama small enough for one core."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=96,
        intermediate_size=192,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=128,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
        tie_word_embeddings=False,
        initializer_range=0.1,  # with 0.02 it does not learn to copy a letter in 1,500 steps
    )
    return LlamaForCausalLM(config)


def asked_text(tokenizer: Any, row: dict[str, Any]) -> str:
    """A row's prompt as the model sees it."""
    return str(tokenizer.apply_chat_template(row["prompt"], tokenize=False, add_generation_prompt=True))


def warm_up(model: Any, tokenizer: Any, data: list[dict[str, Any]], steps: int, seed: int) -> None:
    """Teach the form of an answer: the prompt's own letters, in random order. No answer is looked at."""
    import torch

    rng, optimizer = Random(seed), torch.optim.AdamW(model.parameters(), lr=1e-3)
    model.train()
    for _ in range(steps):
        texts, asked = [], []
        for row in rng.sample(data, min(32, len(data))):
            text = asked_text(tokenizer, row)
            letters = re.findall(r"letters ((?:[a-h] )+)and", text)[0].split()
            rng.shuffle(letters)
            asked.append(text)
            texts.append(f"{text} <answer> {' '.join(letters)} </answer> <end>")
        batch = tokenizer(texts, return_tensors="pt", padding=True, padding_side="right")
        lengths = [len(tokenizer(text).input_ids) for text in asked]
        labels = batch.input_ids.masked_fill(batch.attention_mask == 0, -100)
        for index, length in enumerate(lengths):
            labels[index, :length] = -100
        loss = model(input_ids=batch.input_ids, attention_mask=batch.attention_mask, labels=labels).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
