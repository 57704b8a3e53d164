from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import bootcamp_kit
from bootcamp_kit.identity import kit_version

ASK = "from bootcamp_kit.identity import kit_version; print(kit_version())"


def test_the_kit_is_named_by_its_version_and_its_bytes(tmp_path: Path) -> None:
    assert re.fullmatch(re.escape(bootcamp_kit.__version__) + r"\+[0-9a-f]{12}", kit_version())
    copy = tmp_path / "bootcamp_kit"
    shutil.copytree(Path(bootcamp_kit.__file__).parent, copy)

    def asked() -> str:
        command = [sys.executable, "-c", ASK]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()

    assert asked() == kit_version()
    (copy / "answers.py").write_text((copy / "answers.py").read_text() + "# reads otherwise\n")
    assert asked() != kit_version()
