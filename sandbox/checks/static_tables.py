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
    "solver": frozenset({"numpy", "z3", "ortools"}),
}
"""Not sympy: many of its functions evaluate text they are given."""

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

BUILTIN_RUNNERS = frozenset({"eval", "exec", "compile", "__import__"})
TEXT_RUNNERS = BUILTIN_RUNNERS | _words(
    """
    sympify parse_expr literal_eval lambdify get_type_hints ForwardRef make_dataclass CodeType FunctionType LambdaType
    ModuleType new_class
    """
)
"""Names whose call executes or parses as code what it is given."""

FORBIDDEN_CALLS = frozenset({"open", "input", "breakpoint", "exit", "quit", "help", "globals", "locals", "vars"})

SAFE_DUNDERS = frozenset({"__init__", "__name__", "__future__", "__post_init__", "__slots__", "__doc__", "__all__"})
BUILTIN_DOORS = frozenset({"__builtins__", "builtins", "__loader__", "__spec__"})

WHERE_AM_I = frozenset({"__name__", "__file__", "__package__", "__path__", "__cached__"})
"""Names that differ between the sandbox and a library."""

FRAME_DOORS = _words(
    """
    gi_frame gi_code gi_yieldfrom cr_frame cr_code ag_frame ag_code f_back f_globals f_builtins f_locals f_code
    tb_frame tb_next co_code mro
    """
)
"""Attributes without underscores that lead to frames, code and the root of all classes."""

DUNDER_DOORS = _words(
    """
    base bases builtins class closure code dict func getattribute getattr globals import loader module mro reduce
    reduce_ex self spec subclasses traceback
    """
)
"""The words between double underscores that lead out of an object; told from Markdown's ``__bold__``."""

HOOKS = _words(
    """
    __getattribute__ __reduce__ __reduce_ex__ __del__ __class_getitem__ __init_subclass__ __set_name__ __instancecheck__
    __subclasscheck__ __subclasshook__ __prepare__ __import__ __setattr__ __delattr__
    """
)
"""Methods that Python calls behind the reader's back."""

KIT_PARTS = frozenset({"answers", "case", "console", "contract", "difficulty", "errors", "jsondata", "stdio_program"})
"""What of ``bootcamp_kit`` a task may import; the rest reads files and loads code."""

RNG_METHODS = _words(
    """
    betavariate binomialvariate choice choices expovariate gauss getrandbits normalvariate randbytes randint
    random randrange sample seed shuffle triangular uniform setstate
    """
)
MUTATORS = _words(
    """
    append extend insert add update setdefault pop popitem popleft appendleft clear remove discard sort reverse subtract
    rotate
    """
)
"""Methods that change their object."""

CHANGERS = frozenset({"next", "heappush", "heappop", "heapify", "heapreplace", "insort", "insort_left", "shuffle"})
"""Functions that change their first argument."""

ORDERED_BY_SET = frozenset({"list", "tuple", "iter", "enumerate", "next"})

MODULE_LEVEL_CALLS = _words(
    """
    re.compile frozenset set dict list tuple range sorted len min max sum map filter zip enumerate str.maketrans
    Fraction Decimal namedtuple collections.namedtuple TypeVar typing.TypeVar NewType str int float bytes
    """
)
"""Calls at module level that are constants in another dress."""
