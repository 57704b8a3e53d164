"""What solves nothing is taken out of a reference; what does something stays."""

from __future__ import annotations

import pytest

from authoring.compiler.program_templates import without_templates

MAIN = "def main():\n    print(int(input()) + 1)\n\n\nmain()\n"


@pytest.mark.parametrize(
    ("before", "gone"),
    [
        ("import os\nimport time\n", ("import os", "import time")),
        ("from decimal import *\nfrom queue import *\n", ("decimal", "queue")),
        ("import threading\nthreading.stack_size(2 ** 27)\n", ("threading",)),
        ("def unused():\n    return open('x')\n", ("open",)),
        ("class Unused:\n    size = 8\n    def read(self):\n        return eval('1')\n", ("eval",)),
        ("import sys\nfrom io import BytesIO\nsys.stdin = BytesIO(sys.stdin.read())\n", ("BytesIO",)),
        ("import sys\nif sys.version_info[0] < 3:\n    range = xrange\n", ("xrange",)),
        ("import sys\nOFFLINE = 0\nif OFFLINE:\n    sys.stdin = open('in.txt')\n", ("open",)),
        ("import sys\ntest = len(sys.argv) == 2 and sys.argv[1] == 'x'\nif test:\n    open('y')\n", ("argv", "open")),
        ("from datetime import *\n", ("datetime",)),
        ("from decimal import *\ngetcontext().prec = 50\n", ("decimal", "prec")),
        ("import os, sys\nif os.path.exists('in.txt'):\n    sys.stdin = open('in.txt')\n", ("os", "open")),
    ],
)
def test_a_template_is_taken_out(before: str, gone: tuple[str, ...]) -> None:
    left = without_templates(before + MAIN)
    assert not [word for word in gone if word in left]
    assert left.endswith(MAIN)


def test_a_thread_that_only_deepens_the_stack_becomes_a_call() -> None:
    code = "import threading\ndef main():\n    print(1)\nt = threading.Thread(target=main)\nt.start()\nt.join()\n"
    left = without_templates(code)
    assert "threading" not in left
    assert "\nmain()\n" in left


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.fork()\n",
        "def main():\n    return open('x').read()\n\n\nprint(main())\n",
        "import sys\nsys.stdout = Logger(sys.stdout)\n",
        "from decimal import *\nprint(Decimal(1))\n",
        "OFFLINE = 0\nOFFLINE = 1\nif OFFLINE:\n    print(open('x'))\n",
        "from os import *\nprint(1)\n",
        "import random\nprint(random.random())\n",
        "@register\ndef unused():\n    pass\n",
    ],
)
def test_what_does_something_stays(code: str) -> None:
    assert without_templates(code) == code


def test_the_first_file_descriptor_is_the_standard_input() -> None:
    assert without_templates("data = open(0).read()\nprint(data)\n") == (
        "import sys\ndata = sys.stdin.read()\nprint(data)\n"
    )
