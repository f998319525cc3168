#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/model/circuit.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/read/spice/dc_devices.hpp"

// Not installed.
namespace sfg {

/// matrix · x = right.
template <class T>
struct DcEquations {
  std::size_t size;
  std::vector<T> matrix, right;  ///< by rows

  explicit DcEquations(std::size_t unknowns) : size(unknowns), matrix(unknowns * unknowns, T(0)), right(unknowns, T(0)) {}
  T& at(Eigen::Index row, Eigen::Index column) {
    return matrix[static_cast<std::size_t>(row) * size + static_cast<std::size_t>(column)];
  }
  /// Ground has no row and no column.
  void add(Eigen::Index row, Eigen::Index column, const T& value) {
    if (row >= 0 && column >= 0) at(row, column) = at(row, column) + value;
  }
  void add_right(Eigen::Index row, const T& value) {
    if (row < 0) return;
    T& there = right[static_cast<std::size_t>(row)];
    there = there + value;
  }
};

/// Where no point is found.
inline constexpr const char* dc_what_to_try =
    "take the point that a simulator finds, or state it beside the devices: ID=, VDS=, IC=, VCE=";

/// Where the circuit stands at rest.
struct DcSolution {
  std::map<std::string, double> voltages;                        ///< by node
  std::vector<std::map<std::string, double>> small_signal = {};  ///< by device
  std::optional<double> within = {};  ///< V: there is a solution, and one alone, within so much of these voltages: proven
  std::string unproven = {};          ///< why that is not known
};

/// A power of ten that `within` does not exceed, "1e-9 V" at least.
std::string certain_volts(const DcSolution&);

/// Node equations of what is between the devices, with a current for every element that states a voltage, and of the devices.
class DcCircuit {
 public:
  DcCircuit(const Circuit&, const std::vector<DcDevice>&);

  /// Newton's method from 0 V, else with conductances to ground that go (1e-2 S to 0), else with sources that grow.
  /// @throws sfg::Error at a node that nothing holds, and at the one that moves most where nothing converges.
  DcSolution solved();

 private:
  using Index = Eigen::Index;
  using Vector = Eigen::VectorXd;
  struct Conductance {
    Index plus, minus;
    double siemens;
  };
  using Voltages = std::vector<std::vector<double>>;  ///< by device and node

  static bool has_current(const Circuit::Element&);
  Index node_of(const std::string& name);
  Index index_at(const std::string& node) const { return node == "0" ? -1 : index_.at(node); }
  static double number(const GiNaC::ex& value, const Circuit::Element&, const GiNaC::exmap& stated);
  void find_values();

  template <class T>
  void add_conductance(DcEquations<T>&, Index plus, Index minus, const T& siemens) const;
  template <class T>
  void add_current_of(DcEquations<T>&, Index row, const std::string& control, const T& gain) const;
  template <class T>
  void add_element(DcEquations<T>&, const Circuit::Element&, const T& value, double scale) const;
  template <class T>
  DcEquations<T> linear(double scale) const;

  std::vector<double> voltages_at(const std::vector<Index>& places, const Vector&) const;
  Voltages places(const Vector&) const;
  bool step(Vector&, double conductance, double scale);
  void check_held(DcEquations<double>&) const;
  std::optional<Vector> newton(Vector, double conductance, double scale);
  std::optional<Vector> with_conductances();
  std::optional<Vector> with_growing_sources();
  DcSolution solution(const Vector&) const;
  void prove(const Vector&, DcSolution&) const;
  Eigen::MatrixXd slopes(const Vector&, const Vector& within, Eigen::MatrixXd* radii, Vector* residual) const;

  const Circuit& circuit_;
  const std::vector<DcDevice>& devices_;
  std::map<std::string, Index> index_;
  std::vector<std::string> names_;
  std::map<std::string, Index> currents_;
  std::vector<std::vector<Index>> places_;  ///< of the nodes of each device
  std::vector<Conductance> series_;
  std::vector<double> values_;  ///< by element
  Index nodes_count_ = 0, unknowns_ = 0;
  Voltages last_;
  std::string moving_;
};

}  // namespace sfg
