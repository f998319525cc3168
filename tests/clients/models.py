"""The models that are exported: one of every kind, and names that are keywords somewhere."""
import dataclasses, pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass
class Model:
    name: str
    text: str = ""
    suffix: str = ".dot"
    file: str = ""          # of the project, instead of the text
    title: str = ""         # as the headers have it
    until: str = "8"
    points: int = 17
    frequencies: str = "0.1:20:7"
    nonlinear: bool = False  # keeps its laws: responses to the inputs of [simulation], no frequency part
    sampled: bool = False    # in z
    mechanism: bool = False  # of bodies: octave, python, c and cpp have its equations of motion, which print no tables
    improper: bool = False   # has no step response
    analog: bool = False     # small enough for an analog computer
    refused: tuple = ()      # what the message names, where the target refuses it
    options: tuple = ()

    def write(self, folder):
        """The model in a folder of its own. Returns the file's name."""
        path = ROOT / self.file if self.file else None
        name = "model" + (path.suffix if path else self.suffix)
        (folder / name).write_text(path.read_text(encoding="utf-8") if path else self.text, encoding="utf-8")
        return name


def graph(name, statements, branches, title=None, **others):
    """A graph of lines TAIL HEAD GAIN, with the names in quotes."""
    title = title or name
    lines = [f'digraph "{quoted(title)}" {{', *("  " + statement + ";" for statement in statements)]
    for tail, head, gain in branches:
        lines.append(f'  "{quoted(tail)}" -> "{quoted(head)}" [gain="{gain}"];')
    return Model(name, "\n".join(lines + ["}"]) + "\n", title="" if "*/" in title else title, **others)


def quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def ladder(sections):
    """RC sections of equal values: order = sections, gains 1/R and 1/(s*C)."""
    branches = []
    for k in range(1, sections + 1):
        before = f"v{k - 1}"
        branches += [(before, f"i{k}", "1/R"), (f"v{k}", f"i{k}", "-1/R"), (f"i{k}", f"v{k}", "1/(s*C)")]
        if k < sections:
            branches.append((f"i{k + 1}", f"v{k}", "-1/(s*C)"))
    return graph(f"ladder{sections}", ['input="v0"', f'output="v{sections}"', 'parameters="R=0.5, C=0.125"'], branches, until="40")


OSCILLATOR = """title = "Hardening oscillator"
variable = "p"
[lagrange]
coordinates = ["x"]
forces = { x = "F" }
T = "m/2*Dx^2"
Pi = "k/2*x^2 + k3/4*x^4"
Phi = "c/2*Dx^2"
[parameters]
m = { value = 1, unit = "kg" }
k = 4
k3 = 3
c = 0.4
[analysis]
input = "F"
output = ["x"]
[simulation]
until = 6
inputs = { F = "2*sin(3*t)" }
"""
DERIVED = """title = "Natural frequency from stiffness and mass"
[parameters]
k = { value = 50, unit = "N/m" }
m = { value = 2, unit = "kg" }
wn = "sqrt(k/m)"
unused = 7
[graph]
variable = "s"
input = "u"
output = ["y"]
branches = [
  { from = "u", to = "a", gain = "wn^2" },
  { from = "a", to = "v", gain = "1/s" },
  { from = "v", to = "y", gain = "1/s" },
  { from = "v", to = "a", gain = "-2*0.3*wn" },
  { from = "y", to = "a", gain = "-wn^2" },
]
"""
AWKWARD = [("I", "err sum", "1"), ("err sum", "j", "e/(i*s+end)"), ("j", "out 1", "beta*(s+λ)/(s^2+lambda*s+E)"),
           ("out 1", "err sum", "-in"), ("j", "pi", "double/(s/N+n*pi)")]
HOSTILE = [("a", '1, "_$#{}', "K*(k+0.001+1)"), ('1, "_$#{}', "a'b \"c\" <&> %s\\n", "1/((s+0.125)*(transfer_0*s+3))")]

MODELS = [
    Model("servo", file="examples/servo.dot", until="2", frequencies="1:100:6"),
    Model("quarter_car", file="examples/quarter_car.toml", until="3", frequencies="1:60:6"),
    Model("vehicle", file="examples/vehicle.m", until="3", points=13, frequencies="1:30:5", options=("--from", "z1")),
    Model("sallen_key", file="examples/sallen_key.cir", until="1/1000", frequencies="100:100000:6"),
    Model("digital_servo", file="examples/digital_servo.dot", until="2", sampled=True),
    Model("bogie", file="examples/bogie.toml", until="2", frequencies="1:100:5", points=9, mechanism=True),
    Model("oscillator", OSCILLATOR, ".toml", title="Hardening oscillator", until="6", points=13, nonlinear=True),
    Model("derived", DERIVED, ".toml", title="Natural frequency from stiffness and mass", until="6"),
    graph("outputs", ['input="Vi"', 'output="hp, bp, lp"', 'parameters="w0=3, Q=0.8"'],
          [("Vi", "hp", "1"), ("hp", "bp", "-w0/s"), ("bp", "lp", "-w0/s"), ("bp", "hp", "1/Q"), ("lp", "hp", "-1")], analog=True),
    graph("inputs", ['input="a, b"', 'output="x, y"', 'parameters="g=2"'],
          [("a", "x", "g/(s+1)"), ("b", "x", "3"), ("x", "y", "1/(s+g)"), ("b", "y", "-1/s")]),
    graph("awkward", ['input="I"', 'output="out 1, pi"',
                      'parameters="i=2, e=3, end=5, beta=0.5, λ=1.5, lambda=0.25, E=7, in=0.125, double=2, N=3, n=4"'],
          AWKWARD, title="awkward names"),
    graph("hostile", ['input="a"', "output=\"a'b \\\"c\\\" <&> %s\\\\n\"", 'parameters="k=-0.001, K=12345.678, transfer_0=2"'],
          HOSTILE, title='done */ %} --> } $display("x"); \\end{document} "q" ?>\\', until="20"),
    graph("constants", ['input="u"', 'output="y"'], [("u", "e", "1"), ("e", "y", "3"), ("y", "e", "-1/2")], until="1", points=5),
    graph("zero", ['input="u"', 'output="y"', 'parameters="a=2"'], [("u", "x", "a/(s+1)"), ("x", "y", "0")], until="1", points=5),
    graph("coupled", ['input="Vi"', 'output="V2"', 'parameters="G1=2, G2=0.3, Ca=0.7, Cb=1.9, C12=0.25"'],
          [("Vi", "I1", "G1"), ("I1", "V1", "1/(G1+s*Ca+s*C12)"), ("V1", "I2", "s*C12"), ("I2", "V2", "1/(G2+s*Cb+s*C12)"),
           ("V2", "I1", "s*C12")], title="two coupled RC links", until="30"),
    ladder(20),
    graph("unstable", ['input="u"', 'output="y"', 'parameters="a=3"'],
          [("u", "e", "1"), ("e", "y", "a/((s-1)*(s+2))"), ("y", "e", "-1/4")], until="3"),
    graph("delays", ['variable="z"', 'sample_time="0.1"', 'input="x"', 'output="y"', 'parameters="c=0.75, d=0.5"'],
          [("x", "u", "1"), ("u", "p", "1/z"), ("p", "v", "d"), ("v", "q", "1/z"), ("q", "y", "1"), ("p", "u", "c"),
           ("q", "u", "-d"), ("q", "v", "c"), ("x", "y", "0.25")], until="4", sampled=True),
    graph("dead_time", ['input="r"', 'output="y"', 'parameters="T0=1/2, K=2"'],
          [("r", "x", "K/(s+1)"), ("x", "delayed", "exp(-s*T0)"), ("delayed", "y", "1")], until="4", points=9,
          refused=("x", "delayed")),
    graph("improper", ['input="r"', 'output="y"', 'parameters="Td=1/4"'],
          [("r", "lead", "s*Td"), ("lead", "y", "s+2"), ("r", "y", "1/(s+1)")], improper=True, refused=("lead",)),
    Model("law", 'digraph "law" {\n  input="r"; output="y"; parameters="k3=3";\n  "r" -> "x" [gain="1/(s+1)"];\n'
          '  "x" -> "y" [gain="1"];\n  "x" -> "cube" [nonlinear="k3*u^3"];\n  "cube" -> "back" [gain="-1"];\n'
          '  "back" -> "x" [gain="1/(s+1)"];\n}\n', nonlinear=True, until="4", points=9, refused=("x", "cube"),
          options=("--input", "r=1")),
    Model("jumps", 'digraph "jumps" {\n  input="r"; output="y"; parameters="k=2";\n  "r" -> "e" [gain="1"];\n'
          '  "e" -> "x" [gain="1/(s+1)"];\n  "x" -> "y" [nonlinear="saturation(u,0.3)+0.1*u^3*step(t-1.7)"];\n'
          '  "y" -> "e" [gain="-k"];\n}\n', nonlinear=True, until="4", points=9, refused=("x", "y"),
          options=("--input", "r=step(t-1)-2*step(t-2)")),
    # States that rest until the law jumps, one of them small: a simulator's tolerances are parts of what has moved.
    Model("levels", 'digraph "levels" {\n  input="r"; output="y, small"; parameters="k=2";\n  "r" -> "x" [gain="1/(s*(s+1))"];\n'
          '  "x" -> "q" [nonlinear="quantise(u,0.1)"];\n  "q" -> "y" [gain="k/(s+2)"];\n  "y" -> "small" [gain="1e-6/(s+1)"];\n}\n',
          nonlinear=True, until="4", points=9, refused=("x", "q"), options=("--input", "r=1"), analog=True),
]
