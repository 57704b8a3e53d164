"""Reads a number."""


def value(text):
    return int(eval(text))
