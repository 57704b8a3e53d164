"""Coding agents as authors: the desk they work at, and how it is offered over MCP."""
