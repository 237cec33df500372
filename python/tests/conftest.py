"""The package of this source is tested, not one that is installed."""
import os
import pathlib
import sys

PYTHON = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PYTHON))
os.environ["PYTHONPATH"] = str(PYTHON)  # for programs that tests start
