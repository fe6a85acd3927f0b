# Written by write_sync.py from ../_async/__init__.py.
