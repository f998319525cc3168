"""Six digits of every number, and 0 for what is rounding: the last digits depend on the order of operations."""
import re
import sys

NUMBER = re.compile(r'(?<![\w.])-?\d+(\.\d+)?(e[-+]?\d+)?(?![\w.])')


def short(match):
    value = float(match[0])
    if match[1] is None and match[2] is None:
        return match[0]
    return '0' if abs(value) < 1e-7 else f'{value:.6g}'


for line in sys.stdin:
    sys.stdout.write(NUMBER.sub(short, line))
