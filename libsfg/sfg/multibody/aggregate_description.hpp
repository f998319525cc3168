#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/multibody/aggregate.hpp"
#include "sfg/multibody/aggregate_run.hpp"

namespace sfg {

/// What an aggregate is made of, in Ivankov's letters: q̈ = A + Q0 + Σ ± B W of every part, C + D q̈ equal on both sides of every
/// connection (docs/guide/aggregates.md).
struct AggregateDescription {
  struct Part {
    std::string name, kind;
    std::size_t accelerations = 0, inputs = 0;
    std::vector<std::string> plus, minus;  ///< connections whose wrench acts on it, and whose opposite does
  };
  struct Connection {
    std::string name, first, second;
    Aggregate::Freedom free{};  ///< displacements along and rotations about x, y, z of the first place
    std::size_t wrench = 6;     ///< unknown components
  };
  std::string title;
  std::vector<Part> parts;
  std::vector<Connection> connections;
  std::size_t accelerations = 0, wrenches = 0;  ///< unknowns

  /// Numbers at a state.
  struct At {
    std::vector<IvankovLetters> letters;  ///< by part, without the places that nothing is connected with
    std::vector<std::vector<double>> accelerations;
    std::vector<std::array<double, 6>> wrenches;  ///< on the second part, at the place of the first, inertial components
    double whole_system = 0;                      ///< how far sparse LU of all equations is from that, relative
  };
  std::optional<At> at;
  std::vector<Diagnostic> notes = {};  ///< what of the state makes no difference
};

/// @param state  values of coordinates, speeds and inputs by name, others 0: adds the numbers there
/// @throws sfg::Error as AggregateModel, and for names that are none; NoAnswer where there are no accelerations.
AggregateDescription aggregate_description(const Multibody&, const std::optional<std::map<std::string, double>>& state = {});

}  // namespace sfg
