"""The reader of input that a translated program carries along."""

from __future__ import annotations

INPUT: dict[str, tuple[str, tuple[str, ...]]] = {
    "Reader": (
        '''
class Reader:
    """The input, read as C++ reads it; None where it has ended or does not fit."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def skip(self):
        """Pass over white space."""
        while self.at < len(self.text) and self.text[self.at] in " \\t\\n\\r\\v\\f":
            self.at += 1

    def token(self):
        """The next word."""
        self.skip()
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in " \\t\\n\\r\\v\\f":
            self.at += 1
        return self.text[start : self.at] or None

    def number(self):
        """The next integer."""
        self.skip()
        start = self.at
        if self.text[start : start + 1] in ("-", "+"):
            self.at += 1
        first = self.at
        while self.at < len(self.text) and "0" <= self.text[self.at] <= "9":
            self.at += 1
        if first == self.at:
            self.at = start
            return None
        return int(self.text[start : self.at])

    def real(self):
        """The next real number."""
        word = self.token()
        return None if word is None else float(word)

    def word(self):
        """The codes of the next word."""
        word = self.token()
        return None if word is None else [ord(char) for char in word]

    def char(self):
        """The code of the next character that is no white space."""
        self.skip()
        return self.raw()

    def raw(self):
        """The code of the next character."""
        if self.at >= len(self.text):
            return None
        self.at += 1
        return ord(self.text[self.at - 1])

    def get(self):
        """The code of the next character, or -1."""
        code = self.raw()
        return -1 if code is None else code

    def line(self):
        """The codes up to the end of the line."""
        if self.at >= len(self.text):
            return None
        end = self.text.find("\\n", self.at)
        end = len(self.text) if end < 0 else end
        found = self.text[self.at : end]
        self.at = end + 1
        return [ord(char) for char in found]

    def literal(self, char):
        """Pass over a character, if it is next."""
        if self.text[self.at : self.at + 1] == char:
            self.at += 1

    def several(self, kinds):
        """Values of these kinds, up to the first that is not there."""
        found = []
        for kind in kinds:
            if kind == " ":
                self.skip()
                continue
            if kind not in "ndwcrl":
                self.literal(kind)
                continue
            value = self.by_kind(kind)
            if value is None:
                break
            found.append(value)
        return found

    def by_kind(self, kind):
        """One value."""
        if kind == "n":
            return self.number()
        if kind == "d":
            return self.real()
        if kind == "w":
            return self.word()
        if kind == "l":
            return self.line()
        return self.char() if kind == "c" else self.raw()
''',
        (),
    ),
}
