"""Writes the synchronous client from the asynchronous one: python write_sync.py [--check]"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent / "src" / "darkroom"
WRITTEN_BY_HAND = ("io.py",)
REPLACEMENTS = (
    (r"async (def|with|for) ", r"\1 "),
    (r"\bawait ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"__a(enter|exit|iter)__", r"__\1__"),
    (r"\ba(iter_bytes|iter_lines|read|close)\(\)", r"\1()"),
)


def synchronous(name: str) -> str:
    source = (PACKAGE / "_async" / name).read_text()
    for pattern, replacement in REPLACEMENTS:
        source = re.sub(pattern, replacement, source)
    return f"# Written by write_sync.py from ../_async/{name}.\n{source}"


def stale(*, write: bool) -> list[str]:
    """Returns the files that differ from what they should be, and writes them if asked to."""
    found: list[str] = []
    for path in sorted((PACKAGE / "_async").glob("*.py")):
        target = PACKAGE / "_sync" / path.name
        if path.name in WRITTEN_BY_HAND:
            continue
        text = synchronous(path.name)
        if not target.exists() or target.read_text() != text:
            found.append(path.name)
            if write:
                target.write_text(text)
    return found


if __name__ == "__main__":
    check = sys.argv[1:] == ["--check"]
    names = stale(write=not check)
    if check and names:
        sys.exit(f"Run python write_sync.py: {', '.join(names)}")
