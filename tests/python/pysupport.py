"""What the tests of the Python package share: checks, skips, what a test may need."""
import importlib
import os
import sys
import traceback

FAULTS = []
RANK = int(os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", 0)))


def skip(reason):
    if RANK == 0:
        print(f"skipped: {reason}")
    sys.exit(77)


def need(*names):
    """The modules, or the test is skipped."""
    found = []
    for name in names:
        try:
            found.append(importlib.import_module(name))
        except ImportError as error:
            skip(f"{name} is not installed ({error})")
    return found[0] if len(found) == 1 else found


def check(good, *words):
    if not good:
        caller = traceback.extract_stack()[-2]
        FAULTS.append(words)
        print(f"rank {RANK}: {os.path.basename(caller.filename)}:{caller.lineno}:", *words, flush=True)


def same(got, wanted, *words):
    """Equal arrays: values, type and shape."""
    import numpy as np

    got, wanted = np.asarray(got), np.asarray(wanted)
    good = got.shape == wanted.shape and got.dtype == wanted.dtype and (
        np.array_equal(got, wanted, equal_nan=True) if got.dtype.kind == "f" else np.array_equal(got, wanted))
    if not good:
        caller = traceback.extract_stack()[-2]
        FAULTS.append(words)
        print(f"rank {RANK}: {os.path.basename(caller.filename)}:{caller.lineno}:", *words,
              f"got {got.dtype}{got.shape} {got.ravel()[:8]}, wanted {wanted.dtype}{wanted.shape} {wanted.ravel()[:8]}", flush=True)


def raises(kind, call, *words, name=None, code=None):
    """The exception, of this kind, with these words in it."""
    caller = traceback.extract_stack()[-2]
    where = f"rank {RANK}: {os.path.basename(caller.filename)}:{caller.lineno}:"
    try:
        call()
    except kind as error:
        for word in words:
            if word not in str(error):
                FAULTS.append(word)
                print(where, f"{word!r} is not in {error!s}", flush=True)
        if name is not None and error.name != name:
            FAULTS.append(name)
            print(where, f"{name} expected, not {error!r}", flush=True)
        return error
    except Exception as error:
        FAULTS.append(kind)
        print(where, f"{kind.__name__} expected, not {error!r}", flush=True)
        return error
    FAULTS.append(kind)
    print(where, f"{kind.__name__} expected, nothing was raised", flush=True)
    return None


def seed():
    return int(os.environ.get("PARCDF_SEED") or 20260101)


def finish():
    sys.exit(1 if FAULTS else 0)
