"""C++ of contests as Python 3: an own reader of the common subset and a writer; what it does not know is refused.

That both mean the same is never taken on trust: the compiled original and the translation run on every sample and on
hundreds of generated inputs, see ``authoring/compiler/compiled.py``.
"""

from authoring.compiler.cpp.nodes import NotCovered
from authoring.compiler.cpp.program import translate

__all__ = ["NotCovered", "translate"]
