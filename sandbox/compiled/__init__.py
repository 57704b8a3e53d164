"""C++ programs, compiled and run in a container of their own."""
