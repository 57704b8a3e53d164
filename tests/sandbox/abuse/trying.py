"""What the hostile programs share: each attempt prints what it got, or the name of what it met."""

TRY = """
import ctypes, os, sys
def attempt(f, *args):
    try:
        print(f(*args))
    except BaseException as error:
        print(type(error).__name__)
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    result = libc.syscall(number, *[ctypes.c_long(arg) for arg in args])
    return os.strerror(ctypes.get_errno()) if result == -1 else f"got {result}"
"""
