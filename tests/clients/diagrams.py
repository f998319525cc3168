"""A Simulink model without Simulink: stubs in Octave record the calls of its script, and the diagram that they make is solved."""
import json, re

STUBS = {
    "new_system": "function varargout = new_system(varargin), varargout = {1}; end",
    "open_system": "function open_system(varargin), end",
    "close_system": "function close_system(varargin), end",
    "bdIsLoaded": "function r = bdIsLoaded(varargin), r = false; end",
    "set_param": "function set_param(varargin), end",
    "save_system": """function varargout = save_system(varargin)
  varargout = {''}; d = [];
  try, d = evalin('caller', 'Denc'); catch, try, d = evalin('base', 'Denc'); catch, end, end
  printf('@denc %s\\n', jsonencode(d));
end""",
    "add_line": """function varargout = add_line(system, from, to, varargin)
  varargout = {1};
  if ~iscell(from), from = {from}; to = {to}; end
  for k = 1:numel(from), printf('@line %s\\n', jsonencode({system, from{k}, to{k}})); end
end""",
    "add_block": """function varargout = add_block(source, path, varargin)
  varargout = {1}; p = struct('none', 0);
  for k = 1:2:numel(varargin)
    value = varargin{k+1}; name = varargin{k};
    if ischar(value) && any(strcmp(name, {'Numerator', 'Denominator', 'Gain', 'Value'}))
      try, value = evalin('caller', value); catch, value = evalin('base', value); end
    end
    p.(name) = value;
  end
  printf('@block %s\\n', jsonencode({source, path, p}));
end""",
}


def stubs(folder):
    for name, text in STUBS.items():
        (folder / f"{name}.m").write_text(text + "\n")
    return folder


def parts(path):
    return tuple(part.replace("//", "/") for part in re.split(r"(?<!/)/(?!/)", path))


def recorded(output, Different):
    """Blocks by path, each kind and parameters; lines (system, (block, port), (block, port)); Denc."""
    blocks, lines, denc = {}, [], None
    for line in output.splitlines():
        if line.startswith("@block "):
            source, path, values = json.loads(line[7:])
            key = parts(path)
            if key in blocks:
                raise Different(f"the block {path} is made twice")
            if len(key) > 2 and key[:-1] not in blocks:
                raise Different(f"{path}: its subsystem is not there yet")
            blocks[key] = (re.sub(r"\s", "", parts(source)[-1]).lower(), values)
        elif line.startswith("@line "):
            system, tail, head = json.loads(line[6:])
            at, tail, head = parts(system), parts(tail), parts(head)
            for block, _ in (tail, head):
                if at + (block,) not in blocks:
                    raise Different(f"a line to {block!r}, which is not in {system}")
            if any((at, head) == (a, h) for a, _, h in lines):
                raise Different(f"{system}/{head[0]}: port {head[1]} is driven twice")
            lines.append((at, tail, head))
        elif line.startswith("@denc "):
            denc = json.loads(line[6:])
    if not blocks:
        raise Different("no blocks")
    return blocks, lines, denc


def check_places(blocks, Different):
    """Every block has its place, and no two of a level lie on each other."""
    levels = {}
    for key, (kind, values) in blocks.items():
        if "Position" not in values:
            raise Different(f"{'/'.join(key)} has no Position")
        left, top, right, bottom = values["Position"]
        for name, (l, t, r, b) in levels.setdefault(key[:-1], []):
            if left < r and l < right and top < b and t < bottom:
                raise Different(f"{'/'.join(key)} lies on {name}")
        levels[key[:-1]].append((key[-1], (left, top, right, bottom)))


def flat(value):
    return [y for x in value for y in flat(x)] if isinstance(value, list) else [float(value)]


def response(blocks, lines, source, sink, s, Different):
    """The Outport's signal at s where the Inport carries 1 and all others 0, from the blocks' own equations."""
    import numpy
    root = next(iter(blocks))[:1]
    drivers = {(at + (head[0],), int(head[1])): (at + (tail[0],), int(tail[1])) for at, tail, head in lines}
    column, equations = {}, []

    def signal(port):
        return column.setdefault(port, len(column))

    def ports(system, kind):
        return sorted((k for k, (t, _) in blocks.items() if k[:-1] == system and t == kind), key=lambda k: float(blocks[k][1]["Port"]))

    def entering(key, port, factor=1):
        return [(signal(drivers[key, port]), factor)] if (key, port) in drivers else []

    for key, (kind, values) in blocks.items():
        system = key[:-1]
        if kind == "inport" and system == root:
            equations.append(((key, 1), [], 1.0 if key[-1] == source else 0.0))
        elif kind == "inport":
            equations.append(((key, 1), entering(system, ports(system, "inport").index(key) + 1), 0))
        elif kind == "outport":
            outer = (key, 0) if system == root else (system, ports(system, "outport").index(key) + 1)
            equations.append((outer, entering(key, 1), 0))
        elif kind == "gain":
            equations.append(((key, 1), entering(key, 1, flat(values["Gain"])[0]), 0))
        elif kind == "sum":
            terms = [term for k, sign in enumerate(values["Inputs"].replace("|", "")) for term in entering(key, k + 1, 1 if sign == "+" else -1)]
            equations.append(((key, 1), terms, 0))
        elif kind in ("transferfcn", "discretetransferfcn"):
            ratio = numpy.polyval(flat(values["Numerator"]), s) / numpy.polyval(flat(values["Denominator"]), s)
            if len(flat(values["Numerator"])) > len(flat(values["Denominator"])) or flat(values["Denominator"])[0] == 0:
                raise Different(f"{'/'.join(key)} is improper, or its denominator begins with 0")
            equations.append(((key, 1), entering(key, 1, ratio), 0))
        elif kind in ("integrator", "unitdelay"):
            equations.append(((key, 1), entering(key, 1, 1 / s), 0))
        elif kind not in ("subsystem", "terminator"):
            raise Different(f"a block of the kind {kind}")
    for name, place in ((source, "Inport"), (sink, "Outport")):
        if root + (name,) not in blocks:
            raise Different(f"no {place} {name!r} at the top")
    matrix, right = None, None
    for port, _, _ in equations:
        signal(port)
    matrix, right = numpy.eye(len(column), dtype=complex), numpy.zeros(len(column), complex)
    for port, terms, constant in equations:
        right[signal(port)] = constant
        for other, gain in terms:
            matrix[signal(port), other] -= gain
    return numpy.linalg.solve(matrix, right)[signal((root + (sink,), 0))]


def check_vehicle(blocks, denc, Different):
    """Denc of the published example, and the blocks Trans i/j of its three equations (Augustaitis et al. 2011)."""
    if not denc or len(denc) != 24 or any(len(row) != 3 for row in denc):
        raise Different(f"Denc has {len(denc or [])} rows, not 24 of 3")
    groups = {1: "phix", 9: "phiy", 17: "Z"}
    wanted = {(f"equation {groups[g]}", f"Trans {i}/{g}") for g in groups for i in range(g + 1, g + 8)}
    found = {key[-2:]: values for key, (kind, values) in blocks.items() if key[-1].startswith("Trans")}
    if set(found) != wanted:
        raise Different(f"the blocks are {sorted(found)[:3]} ...")
    for (_, name), values in found.items():
        i, j = map(int, name[6:].split("/"))
        if flat(values["Numerator"]) != flat(denc[i - 1]) or flat(values["Denominator"]) != flat(denc[j - 1]):
            raise Different(f"{name} is not Denc({i},:)/Denc({j},:)")
