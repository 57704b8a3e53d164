"""The options of every verb that asks a model for cases: `evaluate` and `benchmark run` share them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ModelOption = Annotated[str | None, typer.Option(help="openai:MODEL | anthropic:MODEL | local:URL#MODEL | …")]
SamplesOption = Annotated[int, typer.Option(help="Responses per case.", min=1)]
ResponseTokensOption = Annotated[int, typer.Option(help="Most output tokens of a response.", min=1)]
TemperatureOption = Annotated[float | None, typer.Option(help="Default: the provider's.")]
SystemOption = Annotated[str, typer.Option(help="System message.")]
ScoreOption = Annotated[str, typer.Option(help="sandbox | process (approved tasks only, faster).")]
OutOption = Annotated[Path | None, typer.Option("--out", help="Folder of the new run; default: in the state folder.")]
ConcurrencyOption = Annotated[int, typer.Option(help="Most calls under way at once; adapts below it.", min=1)]
TimeoutOption = Annotated[float, typer.Option(help="Seconds for one call in all, retries included.")]
MaxTokensOption = Annotated[int | None, typer.Option(help="Stop when the run has used this many tokens.")]
MaxUsdOption = Annotated[float | None, typer.Option(help="Stop when the run has cost this much; needs --prices.")]
PricesOption = Annotated[Path | None, typer.Option(help="TOML file with a price per model.")]
WeakSandboxOption = Annotated[bool | None, typer.Option("--allow-weak-sandbox", help="See `check`.")]

RESPONSE_TOKENS = 16_000
CONCURRENCY = 32
TIMEOUT_S = 1_800.0
