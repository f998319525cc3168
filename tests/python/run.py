"""Runs a file of tests by pytest; exit status 77 says that there is none."""
import sys

try:
    import pytest
except ImportError:
    print("pytest is not installed (python3-pytest)")
    sys.exit(77)
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
