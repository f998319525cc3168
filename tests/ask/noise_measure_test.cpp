// The measure noise: its values at any point are those of noise() of the circuit that states them, its derivatives those of the
// values.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>

#include "sfg/ask/measured.hpp"
#include "sfg/error.hpp"
#include "sfg/response/noise.hpp"
#include "sfg/study/boxes/worst_case.hpp"
#include "sfg/study/local/local_study.hpp"

namespace sfg {
namespace {

using Values = std::map<std::string, double>;

/// A ladder of resistors and capacitors, some with an inductor in series, with a transconductance behind that has flicker noise.
struct RandomCircuit {
  Values stated;
  std::string shape;  ///< lines, with {NAME} for a value

  explicit RandomCircuit(std::mt19937& random) {
    const auto value = [&](const std::string& name, double unit) {
      stated[name] = unit * std::round(std::uniform_real_distribution(1.0, 9.0)(random) * 64) / 64;
      return name + " ";
    };
    shape = "V1 n0 0 AC 1\n";
    const int stages = 1 + static_cast<int>(random() % 2);
    for (int i = 1; i <= stages; ++i) {
      const std::string k = std::to_string(i), before = "n" + std::to_string(i - 1);
      const bool coil = random() % 3 == 0;
      shape += value("R" + k, 1000) + before + (coil ? " m" : " n") + k + " {R" + k + "}\n";
      if (coil) shape += value("L" + k, 1e-3) + "m" + k + " n" + k + " {L" + k + "}\n";
      shape += value("C" + k, 1e-9) + "n" + k + " 0 {C" + k + "}\n";
    }
    const std::string last = "n" + std::to_string(stages);
    shape += value("G9", 1e-3) + "out 0 " + last + " 0 {G9} noise=\"1e-22*(1 + 1e4/w)\"\n";
    shape += value("R9", 1000) + "out 0 {R9}\n" + value("C9", 1e-9) + "out 0 {C9}\n";
    if (random() % 2) shape += value("R8", 5000) + "out " + last + " {R8}\n";
  }

  std::string netlist(const Values& values) const {
    std::string text = "random\n" + shape + ".end\n";
    for (const auto& [name, value] : values) {
      char number[40];
      std::snprintf(number, sizeof number, "%.17g", value);
      text.replace(text.find("{" + name + "}"), name.size() + 2, number);
    }
    return text;
  }
};

Subject subject_of(const std::string& netlist) {
  return Subject(read(netlist, InputFormat::spice, "c.cir"), {.signals = {"v(out)"}});
}

/// By the analysis of the circuit itself.
double rms_of(const std::string& netlist, std::optional<NoiseOptions::Band> band) {
  const Subject subject = subject_of(netlist);
  const NoisyCircuit noisy = subject.noisy_circuit();
  const SignalFlowGraph graph = subject.with(noisy.circuit).graph();
  return noise(graph, noisy.sources, graph.at("v(out)"), {}, {.frequency = {1.0}, .band = band}).rms.value();
}

TEST(NoiseMeasure, IsTheNoiseOfTheCircuitWithThoseValues) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 3; ++trial) {
    const RandomCircuit circuit(random);
    const std::string netlist = circuit.netlist(circuit.stated);
    SCOPED_TRACE(netlist);
    const MeasuredSystem system = measured(subject_of(netlist), between("V1", "v(out)"));
    std::vector<std::string> names;
    std::vector<double> point;
    for (const auto& [name, value] : circuit.stated) names.push_back(name), point.push_back(value);
    const NoiseOptions::Band band{1e3, 2e6};
    const MeasureProgram program(system, {measure_of("noise@1e3:2e6", system.graph.symbols)}, names);
    const LocalMeasures found = program.at(point);
    EXPECT_NEAR(found.value[0], rms_of(netlist, band), 1e-12 * found.value[0]);
    for (std::size_t k = 0; k < names.size(); ++k) {
      SCOPED_TRACE(names[k]);
      const auto moved = [&](double part) {
        Values there = circuit.stated;
        there[names[k]] = point[k] * (1 + part);
        std::vector<double> beside = point;
        beside[k] = there[names[k]];
        const double want = rms_of(circuit.netlist(there), band);
        if (part < 0) return want;
        double value = 0;
        program.evaluate(1, beside, std::span(&value, 1));
        EXPECT_NEAR(value, want, 1e-12 * want);
        return want;
      };
      constexpr double h = 0x1p-7;  // differences of two widths, whose errors of second order cancel
      const double coarse = (moved(2 * h) - moved(-2 * h)) / (4 * h), fine = (moved(h) - moved(-h)) / (2 * h);
      EXPECT_NEAR(found.derivative[k] * point[k], (4 * fine - coarse) / 3, 1e-6 * found.value[0]);
    }
  }
}

// kT/C: whatever the resistor is.
TEST(NoiseMeasure, OfOneCapacitorIsKTOverC) {
  const MeasuredSystem system =
      measured(subject_of("low pass\nV1 in 0 AC 1\nR1 in out 1k\nC1 out 0 1n\n.end\n"), between("V1", "v(out)"), 400);
  const std::vector<Measure> measures{measure_of("noise", system.graph.symbols), measure_of("noise^2*C1", system.graph.symbols)};
  const MeasureProgram program(system, measures, {"R1", "C1"});
  const LocalMeasures found = program.at(program.nominal());
  const double kT = 1.380649e-23 * 400;
  EXPECT_NEAR(found.value[0], std::sqrt(kT / 1e-9), 1e-18);
  EXPECT_EQ(found.derivative[0], 0);
  EXPECT_NEAR(found.derivative[1], -found.value[0] / 2e-9, 1e-6);
  EXPECT_NEAR(found.value[1], kT, 1e-12 * kT);
  EXPECT_NEAR(found.derivative[3], 0, 1e-12 * kT / 1e-9);
}

// The derivative at 0, where no width of the parameter says what is small.
TEST(NoiseMeasure, HasADerivativeByWhatIsZero) {
  const auto netlist = [](const std::string& gain) {
    return "amplifier\nV1 in 0 AC 1\nR1 in out 1k\nC1 out 0 1n\nG1 0 out out 0 " + gain + "\n.end\n";
  };
  const MeasuredSystem system = measured(subject_of(netlist("0")), between("V1", "v(out)"));
  const MeasureProgram program(system, {measure_of("noise", system.graph.symbols)}, {"G1"});
  const LocalMeasures found = program.at(program.nominal());
  EXPECT_NEAR(found.derivative[0], found.value[0] * 500, 1e-9 * found.value[0] * 500);  // kT/(C (1 - G1 R1))
}

TEST(NoiseMeasure, IsNeverANumberWhereThereIsNone) {
  const MeasuredSystem system = measured(
      subject_of("oscillating\nV1 in 0 AC 1\nR1 in out 1k\nC1 out 0 1n\nG1 0 out out 0 2m\n.end\n"), between("V1", "v(out)"));
  const SymbolTable& symbols = system.graph.symbols;
  const MeasureProgram unstable(system, {measure_of("noise", symbols), measure_of("noise@1:1e6", symbols)}, {"C1"});
  for (const double value : unstable.at(unstable.nominal()).value) EXPECT_TRUE(std::isnan(value));
  MeasuredSystem plain = system;
  plain.noisy = {};
  EXPECT_THROW(MeasureProgram(plain, {measure_of("noise", symbols)}, {"C1"}), Error);
  for (const char* text : {"noise@1", "noise@2:1", "noise@:3", "noise@1:", "noise@1:x"})
    EXPECT_THROW(measure_of(text, symbols), Error);
}

}  // namespace
}  // namespace sfg
