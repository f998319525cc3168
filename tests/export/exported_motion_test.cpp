// State spaces and motions as programs, against transfer functions and against the simulation of the library.
#include "sfg/export/exported_motion.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "export/subjects.hpp"
#include "sfg/error.hpp"
#include "sfg/nonlinear/run/transient.hpp"

namespace sfg {
namespace {

using Matrix = Eigen::MatrixXcd;

/// C (s − A)⁻¹ B + D with the entries at these values.
Matrix response(const ExportedStates& space, const std::vector<double>& values, std::complex<double> s) {
  const std::vector<double> entries = space.entries.values(std::span<const double>(values));
  const auto n = static_cast<Eigen::Index>(space.states.size()), m = static_cast<Eigen::Index>(space.inputs.size()),
             l = static_cast<Eigen::Index>(space.outputs.size());
  EXPECT_EQ(entries.size(), space.entry_count());
  std::size_t next = 0;
  const auto matrix = [&](Eigen::Index rows, Eigen::Index columns) {
    Matrix made(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i)
      for (Eigen::Index j = 0; j < columns; ++j) made(i, j) = entries[next++];
    return made;
  };
  const Matrix A = matrix(n, n), B = matrix(n, m), C = matrix(l, n), D = matrix(l, m);
  if (n == 0) return D;
  return C * (s * Matrix::Identity(n, n) - A).fullPivLu().solve(B) + D;
}

TEST(ExportedStates, HaveTheTransferFunctionsOfTheGraph) {
  for (const char* text :
       {exported::loop, exported::two_port, exported::sampled, "digraph { parameters=\"k=3\"; a -> b [gain=\"k\"]; }"}) {
    const ExportSubject subject = exported::subject(text);
    const std::vector<ExportedParameter> parameters = valued_parameters(subject.graph);
    const std::vector<ExportedTransfer> transfers = exported_transfers(subject, parameters);
    const ExportedStates space = exported_states(subject, parameters, transfers);
    std::vector<double> values = values_of(parameters);
    for (double& value : values) value *= 0.75;
    const std::complex<double> s(0.2, 1.7);
    const Matrix got = response(space, values, s);
    for (std::size_t q = 0; q < transfers.size(); ++q) {
      const std::complex<double> want = value_of(transfers[q], values, s);
      const auto place = [](const std::vector<std::string>& names, const std::string& name) {
        return std::ranges::find(names, name) - names.begin();
      };
      EXPECT_LT(std::abs(got(place(space.outputs, transfers[q].output), place(space.inputs, transfers[q].input)) - want),
                1e-12 * std::abs(want));
    }
  }
}

TEST(ExportedStates, CompanionFormsStandInWhereAResponseIsImproper) {
  const ExportSubject subject = exported::subject(
      "digraph { input=\"r\"; output=\"y, d\"; parameters=\"a=1000000, b=3\"; r -> y [gain=\"(2*s+a)/(s^3+b*s^2+a*s+a)\"]; y -> "
      "d [gain=\"s^3\"]; }");
  const std::vector<ExportedParameter> parameters = valued_parameters(subject.graph);
  const std::vector<ExportedTransfer> transfers = exported_transfers(subject, parameters);
  const ExportedStates space = exported_states(subject, parameters, transfers);
  EXPECT_EQ(space.improper, std::vector<std::string>{"d/r"});
  const std::vector<double> values{2e6, 4};
  const std::complex<double> s(0, 1200), want = value_of(transfers.front(), values, s);
  EXPECT_LT(std::abs(response(space, values, s)(0, 0) - want), 1e-12 * std::abs(want));
  for (const double entry : space.entries.values(std::span<const double>(values_of(parameters))))
    EXPECT_LT(std::abs(entry), 4096);
}

TEST(ExportedMotion, FollowsTheSimulationOfTheLibrary) {
  ExportSubject subject = exported::subject(
      "digraph { input=\"r\"; output=\"y\"; parameters=\"k=3, b=0.5\"; r -> x [gain=\"1/(s+b)\"]; x -> y; x -> c "
      "[nonlinear=\"k*u^3\"]; "
      "c -> m [gain=\"-1\"]; m -> x [gain=\"1/(s+b)\"]; c -> g [nonlinear=\"u*u\"]; g -> y [gain=\"b\"]; }");
  subject.drives = {{"r", GiNaC::sin(2 * subject.time) + 1}};
  const std::vector<ExportedParameter> parameters = valued_parameters(subject.graph);
  const ExportedMotion motion = exported_motion(subject, parameters);
  const std::size_t n = motion.states.size();
  std::vector<double> x = motion.start, point = values_of(parameters), want_times{0, 0.5, 1, 2};
  // Runge and Kutta's method in the smallest steps that a test has patience for.
  const auto rates = [&](double t, const std::vector<double>& state) {
    std::vector<double> at = point;
    at.push_back(t);
    const std::vector<double> u = motion.drives.values(std::span<const double>(at));
    at.insert(at.end(), state.begin(), state.end());
    at.insert(at.end(), u.begin(), u.end());
    return motion.rates.values(std::span<const double>(at));
  };
  const SimulationQuestion question{.drives = {{subject.graph.at("r"), subject.drives.front().second}},
                                    .outputs = {subject.graph.at("y")},
                                    .time = subject.time};
  const std::vector<NamedResponse> want = transient(subject.graph, question, want_times);
  constexpr double h = 1e-3;
  std::size_t checked = 0;
  for (int k = 0; k <= 2000; ++k) {
    const double t = k * h;
    const std::vector<double> k1 = rates(t, x);
    if (std::abs(t - want_times[checked]) < h / 2) {
      EXPECT_NEAR(k1[n], want.front().value.value[checked], 1e-7) << t;
      if (++checked == want_times.size()) break;
    }
    const auto moved = [&](const std::vector<double>& by, double factor) {
      std::vector<double> y = x;
      for (std::size_t i = 0; i < n; ++i) y[i] += factor * by[i];
      return y;
    };
    const std::vector<double> k2 = rates(t + h / 2, moved(k1, h / 2)), k3 = rates(t + h / 2, moved(k2, h / 2)),
                              k4 = rates(t + h, moved(k3, h));
    for (std::size_t i = 0; i < n; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  EXPECT_EQ(checked, want_times.size());
}

TEST(ExportedMotion, LoopsOfLawsAreRefusedByName) {
  const ExportSubject subject =
      exported::subject("digraph { input=\"r\"; output=\"y\"; r -> y; y -> c [nonlinear=\"u^3\"]; c -> y [gain=\"-1\"]; }");
  try {
    exported_motion(subject, valued_parameters(subject.graph));
    FAIL();
  } catch (const NoAnswer& e) {
    EXPECT_NE(std::string(e.what()).find("'y' -> 'c'"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace sfg
