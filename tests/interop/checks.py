"""What the interop checks share: the grid that coordinates lie on, checksums, and one line a check."""
import hashlib
import json
import pathlib
import sys

import numpy

# All coordinates are multiples of this, so that floats hold them, and their differences, exactly.
GRID = 1 / 1024


def checksum(points):
    """Of positions in their order. Programs may blend at 0.9999999; the grid takes that out."""
    steps = numpy.asarray(points, dtype=float).reshape(-1, 3) / GRID
    whole = numpy.rint(steps)
    if steps.size and numpy.abs(steps - whole).max() > 0.25:
        return "off the grid"
    return hashlib.sha256(whole.astype("<i4").tobytes()).hexdigest()[:16]


class Checks:
    """Compares what a program sees with what was written; prints a line a check, exits with the number of failures."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = pathlib.Path(folder)
        self.expected = json.loads((self.folder / "expected.json").read_text())
        self.failures = 0

    def check(self, name, seen, key):
        wanted = self.expected[key]
        good = seen == wanted
        self.failures += not good
        print(f"{'ok  ' if good else 'FAIL'} {self.program}: {name}: {summary(seen)}"
              + ("" if good else f", expected {summary(wanted)}"), flush=True)

    def attempt(self, name, key, open_file):
        """A program that cannot open the file at all is a failure like another."""
        try:
            seen = open_file()
        except Exception as problem:  # whatever the program throws
            seen = {"error": str(problem)}
        self.check(name, seen, key)

    def finish(self):
        sys.stdout.flush()
        sys.exit(1 if self.failures else 0)


def summary(seen):
    parts = []
    for key, value in seen.items():
        if isinstance(value, list):
            value = f"{len(value)} frames {hashlib.sha256(''.join(value).encode()).hexdigest()[:8]}"
        parts.append(f"{key} {value}")
    return ", ".join(parts)
