"""What came out of Blender by scripts/blender-to-pc2.py and went through Pliant is what went in."""
import pathlib
import sys

import numpy

from checks import Checks, checksum


def open_frames(path):
    frames = numpy.load(path)
    turned = numpy.stack([frames[..., 0], frames[..., 2], -frames[..., 1]], axis=-1)  # Blender's z-up back to y-up
    return {"vertices": frames.shape[1], "positions": [checksum(frame) for frame in turned]}


checks = Checks("Pliant", pathlib.Path(sys.argv[1]))
checks.attempt("PC2 from Blender", "motion", lambda: open_frames(checks.folder / "from_blender.npy"))
checks.finish()
