"""The words of the product: contract, types, task folder, catalogue. Standard library only."""

__version__ = "0.1.0"
