"""A functional mock-up unit (FMI 2.0, co-simulation) without other software: loaded and stepped through ctypes."""
import json, math, sys

LOADER = r'''
import ctypes as C, json, sys, zipfile, xml.etree.ElementTree as ET
asked = json.loads(sys.argv[1])
zipfile.ZipFile("m.fmu").extractall("unit")
description = ET.parse("unit/modelDescription.xml").getroot()
assert description.get("fmiVersion") == "2.0", "fmiVersion"
identifier = description.find("CoSimulation").get("modelIdentifier")
library = C.CDLL(f"unit/binaries/linux64/{identifier}.so")
library.fmi2Instantiate.restype = C.c_void_p
Log = C.CFUNCTYPE(None, C.c_void_p, C.c_char_p, C.c_int, C.c_char_p, C.c_char_p)
Allocate, Free = C.CFUNCTYPE(C.c_void_p, C.c_size_t, C.c_size_t), C.CFUNCTYPE(None, C.c_void_p)
libc = C.CDLL(None)
libc.calloc.restype, libc.calloc.argtypes, libc.free.argtypes = C.c_void_p, [C.c_size_t] * 2, [C.c_void_p]
class Callbacks(C.Structure):
    _fields_ = [("log", Log), ("allocate", Allocate), ("free", Free), ("done", C.c_void_p), ("environment", C.c_void_p)]
callbacks = Callbacks(Log(lambda *x: None), Allocate(lambda n, size: libc.calloc(n, size)), Free(lambda p: libc.free(p)), None, None)
variables = {v.get("name"): v for v in description.iter("ScalarVariable")}
reference = lambda name: (C.c_uint * 1)(int(variables[name].get("valueReference")))
answer = []
for source in asked["inputs"]:
    unit = C.c_void_p(library.fmi2Instantiate(b"unit", 1, description.get("guid").encode(), b"", C.byref(callbacks), 0, 0))
    assert unit.value, "fmi2Instantiate"
    library.fmi2SetupExperiment(unit, 0, C.c_double(0), C.c_double(0), 0, C.c_double(0))
    library.fmi2EnterInitializationMode(unit)
    library.fmi2ExitInitializationMode(unit)
    assert library.fmi2SetReal(unit, reference(source), C.c_size_t(1), (C.c_double * 1)(1.0)) == 0, "fmi2SetReal"
    rows = []
    for k in range(asked["steps"]):
        assert library.fmi2DoStep(unit, C.c_double(k * asked["dt"]), C.c_double(asked["dt"]), 1) == 0, "fmi2DoStep"
        row = []
        for sink in asked["outputs"]:
            y = (C.c_double * 1)()
            assert library.fmi2GetReal(unit, reference(sink), C.c_size_t(1), y) == 0, "fmi2GetReal"
            row.append(y[0])
        rows.append(row)
    answer.append(rows)
    library.fmi2FreeInstance(unit)
print(json.dumps(answer))
'''


def check(made, model, answers, rows, compare_rows, client, Different):
    inputs = list(dict.fromkeys(u for u, _ in answers.transfers))
    outputs = list(dict.fromkeys(y for _, y in answers.transfers))
    times = [row[0] for row in next(iter(rows.values()))]
    asked = {"inputs": inputs, "outputs": outputs, "steps": len(times) - 1, "dt": times[1] - times[0]}
    found = json.loads(client(sys.executable, "-c", LOADER, json.dumps(asked), folder=made.parent))
    for source, steps in zip(inputs, found):
        for k, sink in enumerate(outputs):
            if ("step", f"{sink}/{source}") not in rows:
                continue
            wanted = rows["step", f"{sink}/{source}"]
            got = [wanted[0]] + [[t, row[k]] for t, row in zip(times[1:], steps)]
            compare_rows(("step", f"{sink}/{source}"), got, wanted, 1e-6)
