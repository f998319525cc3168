# %% [markdown]
# A vehicle on an uneven road, from its energies to a report. The cells run one after the other in an editor that knows `# %%`,
# or all at once: PYTHONPATH=build/python /usr/bin/python3 examples/python/vehicle_study.py

# %% The model: energies of a body on four springs and dampers, displaced by the road at each wheel
import pathlib

import numpy as np

import sfg

vehicle = sfg.read(pathlib.Path(__file__).parents[1] / "vehicle.toml")
print(vehicle, "from", ", ".join(vehicle.inputs or ["z1"]), "to", ", ".join(vehicle.outputs))

# %% Its equations, each solved for its own coordinate, and the graph that they make
for coordinate, equation in vehicle.equations().items():
    print(f"equation of {coordinate}: {equation}")
graph = vehicle.graph()
graph.draw("vehicle_graph.svg")
print(graph)

# %% Mason's rule: how the body heaves when one wheel is lifted
derivation = graph.mason("z1", "Z")
print(f"{len(derivation['paths'])} forward paths, {len(derivation['loops'])} loops, {derivation['counts']['sets']} sets")

# %% The transfer function in closed form; numbers stand in when they are asked for
heave = graph.transfer("z1", "Z")
print("degrees", len(heave.numerator) - 1, "over", len(heave.denominator) - 1)
assert np.isclose(heave(0), 0.25), "four equal springs: the centre rises by a quarter"

# %% Modes: frequency and damping of every pair of poles
for mode in heave.modes()["modes"]:
    if mode["pole"].imag > 0:
        print(f"{mode['frequency'] / (2 * np.pi):6.3f} Hz, damping {mode['damping']:.3f}")

# %% Frequency response, and the step over a kerb of 0.1 m
w = np.logspace(-1, 2, 400)  # rad/s
response = heave.bode(w)
times = np.linspace(0, 4, 401)  # s
kerb = 0.1 * heave.step(times)
resonance = w[np.argmax(response["magnitude_db"])]
print(f"resonance at {resonance:.2f} rad/s, {max(response['magnitude_db']):.2f} dB; the kerb lifts the body by {max(kerb):.4f} m")

# %% The same as pictures, where matplotlib is installed
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("matplotlib is not installed: no plots")
else:
    figure, (magnitude, phase, step) = plt.subplots(3, 1, figsize=(6, 8), layout="constrained")
    magnitude.semilogx(w, response["magnitude_db"])
    magnitude.set_ylabel("magnitude, dB")
    phase.semilogx(w, response["phase_deg"])
    phase.set_ylabel("phase, degrees")
    phase.set_xlabel("frequency, rad/s")
    step.plot(times, kerb)
    step.set_xlabel("time, s")
    step.set_ylabel("heave, m")
    figure.savefig("vehicle_response.png", dpi=120)

# %% What softer and harder damping do
for h in (1000, 4000, 16000):
    print(f"h = {h:5} N·s/m: overshoot {100 * (max(heave.step(times, h=h)) / 0.25 - 1):.1f} %")

# %% Sensitivity of the resonance, and a tolerance study of 500 vehicles
slopes = heave.sens_at([resonance])
print("most sensitive to", max(slopes, key=lambda name: abs(slopes[name]["S"][0])))
study = graph.monte_carlo(500, measures=["peak"], tolerance={"k": "5%", "h": "20%"}, input="z1", output="Z", seed=1)
peak = study["samples"]["peak"]
print(f"peak of {len(peak)} samples: {peak.mean():.4f} ± {peak.std():.4f}")

# %% Everything in one document
vehicle.report("vehicle_report.html")
