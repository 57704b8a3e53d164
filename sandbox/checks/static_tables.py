"""What the static check knows about modules and names."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SAFE_MODULES = _words(
    """
    __future__ abc array bisect bootcamp_kit calendar cmath collections copy dataclasses datetime decimal
    difflib enum fractions functools graphlib hashlib heapq itertools json math numbers operator random re
    statistics string textwrap types typing unicodedata zlib base64 binascii struct
    """
)
"""The standard library without the parts that run code, touch files, the network, the clock or other processes."""

PROFILE_MODULES = {
    "plain": frozenset[str](),
    "numerical": frozenset({"numpy", "networkx"}),
    "solver": frozenset({"numpy", "networkx", "sympy", "z3", "ortools"}),
}

DANGEROUS_MODULES = _words(
    """
    _thread ast asyncio atexit builtins cffi code codeop concurrent ctypes dbm dill dis fcntl ftplib gc glob
    http imaplib imp importlib inspect io joblib linecache marshal mmap multiprocessing nt os pathlib pickle
    pickletools pip pkgutil platform poplib posix pty queue requests resource runpy sched secrets select
    selectors shelve shutil signal site smtplib socket socketserver sqlite3 ssl subprocess sys sysconfig
    tempfile termios threading trace tracemalloc tty urllib uuid warnings weakref webbrowser xml xmlrpc zipfile
    zipimport
    """
)

CLOCK_MODULES = frozenset({"time"})
CLOCK_CALLS = frozenset({"now", "today", "utcnow"})

TEXT_RUNNERS = frozenset({"eval", "exec", "compile", "sympify", "parse_expr", "literal_eval", "lambdify", "__import__"})
"""Names whose call executes or parses as code the text it is given."""

FORBIDDEN_CALLS = frozenset({"open", "input", "breakpoint", "exit", "quit", "help", "globals", "locals", "vars"})

SAFE_DUNDERS = frozenset({"__init__", "__name__", "__future__", "__post_init__", "__slots__", "__doc__", "__all__"})
BUILTIN_DOORS = frozenset({"__builtins__", "builtins", "__loader__", "__spec__"})

RNG_METHODS = _words(
    """
    betavariate binomialvariate choice choices expovariate gauss getrandbits normalvariate randbytes randint
    random randrange sample seed shuffle triangular uniform setstate
    """
)
ORDERED_BY_SET = frozenset({"list", "tuple", "iter", "enumerate", "next"})

MODULE_LEVEL_CALLS = _words(
    """
    re.compile frozenset set dict list tuple range sorted len min max sum map filter zip enumerate str.maketrans
    Fraction Decimal namedtuple collections.namedtuple TypeVar typing.TypeVar NewType str int float bytes
    """
)
"""Calls at module level that are constants in another dress."""
