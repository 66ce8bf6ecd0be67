"""The parts of other folders that this one puts together."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(folder) for folder in (HERE, *(HERE.parent / name for name in ("kafka", "gateway", "clients")))]
