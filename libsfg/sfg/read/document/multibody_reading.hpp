#pragma once
#include <ginac/ex.h>
#include <ginac/ginac.h>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sfg/model/multibody.hpp"
#include "sfg/read/document/model_document.hpp"

namespace sfg {

/// A table [multibody] while it is read: typed values of its entries, names that the model knows already, and the model.
class MultibodyReading {
 public:
  using Vector = Multibody::Vector;

  MultibodyReading(const DocumentReader&, const Value& table, const SharedParts&);

  const DocumentReader& reader;
  Problems& problems;
  const Value& table;
  Multibody model;

  void error(const Value& value, std::string message, Remedy hint = {}) const {
    reader.error(value, std::move(message), std::move(hint));
  }
  const Value* find(const Value& item, const char* key) const { return reader.find(&item, key); }
  SourceSpan where(const Value& value) const { return reader.document().where(value); }
  /// The tables of a list, each after the check of its keys. `what`: "a joint"
  std::vector<const Value*> items(const char* key, const std::string& what, const std::vector<std::string>& keys) const;

  /// A name of its own in `kind`: not empty, and stated once. `what`: "a body"
  std::optional<std::string> name(const Value& item, const std::string& what, std::set<std::string>& taken,
                                  const std::string& otherwise = {}) const;
  GiNaC::ex expression(const Value&, const std::string& what);
  /// "4.7k" is a number here, as it is among the parameters.
  GiNaC::ex quantity(const Value&, const std::string& what);
  /// The quantity of a key; 0 where it is absent.
  GiNaC::ex quantity(const Value& item, const char* key, const std::string& what);
  /// Three expressions; in the plane two, or a third that is 0 where `flat`.
  Vector vector(const Value&, const std::string& what, bool flat = true);
  Vector vector_of(const Value& item, const char* key, const std::string& what);
  /// A moment: a vector, in the plane also its component about z alone.
  Vector moment(const Value&, const std::string& what);
  /// About the centre of mass: 3 principal values, 3×3, or in the plane I_zz alone.
  Multibody::Matrix3 inertia(const Value&, const std::string& what);
  /// "x", "-y", or a vector, made of length 1.
  Vector axis(const Value&, const std::string& what);
  /// Four numbers, scalar first, or a matrix whose columns are the axes; made of length 1.
  Multibody::Quaternion orientation(const Value&, const std::string& what);
  /// The number of a body; nothing where there is none, which is then a problem.
  std::optional<std::size_t> body(const Value&, const std::string& what);
  /// The number of the joint of that name.
  std::optional<std::size_t> joint(const Value&, const std::string& what);
  /// The one whose only coordinate something acts along; a cut joint and one of several coordinates are problems.
  std::optional<std::size_t> moving_joint(const Value&, const std::string& what);
  /// Two bodies with the points `at` and the orientations `orient` in them.
  std::optional<std::array<Multibody::Place, 2>> places(const Value& item, const char* bodies, const std::string& what);

  /// Makes the name that of a coordinate, a speed or a signal of a sensor; false where it cannot be.
  bool declare(const std::string& name, SymbolKind kind, const SourceSpan&, const std::string& what);
  /// And "Dname" its rate.
  void declare_coordinate(const std::string& name, const SourceSpan&, const std::string& what);
  /// Rates of coordinates whose speeds have names of their own.
  void state_rate(const std::string& coordinate, const GiNaC::ex& rate);
  const GiNaC::ex& symbol(const std::string& name) { return model.symbols.symbol(name); }
  bool is_declared(const std::string& name) const { return declared_.contains(name); }
  /// The file states it in [parameters], or another part of a joined model has it.
  bool is_stated(const std::string& name) const { return stated_.contains(name); }
  /// Names that came with expressions since the first so many symbols and that nothing states.
  std::vector<std::string> new_names(std::size_t since) const;
  const GiNaC::exmap& rates() const { return rates_; }
  std::set<std::string> body_names;  ///< of bodies and particles
  std::set<std::string> signals;     ///< of sensors
  std::set<std::string> driven;      ///< names that the file gives as functions of time, or calls its input

 private:
  std::set<std::string> stated_;
  std::map<std::string, std::string> declared_;  ///< what it is
  std::map<std::string, std::size_t> bodies_;    ///< numbers by name, of the first `numbered_`
  std::size_t numbered_ = 0;
  GiNaC::exmap rates_;
};

// The entries, in the order in which they are read.
void read_bodies(MultibodyReading&);
void read_joints(MultibodyReading&);
void read_elastic(MultibodyReading&);
void read_flywheels(MultibodyReading&);
void read_particles(MultibodyReading&);
void read_springs(MultibodyReading&);
void read_surroundings(MultibodyReading&);  ///< sensors, orbit, gravity_field, magnetic
void read_conditions(MultibodyReading&);    ///< constraints, events, assembly, independent, normalize, equilibrium
/// Forces, motor torques, laws of control: names in them that nothing states are inputs.
void read_loads(MultibodyReading&);
void read_equilibrium(MultibodyReading&, const Value&);

/// Makes rows symmetric whose entries on the two sides of the diagonal differ by no more than rounding: of numbers by 1e-12 of
/// the largest, of expressions by that factor. What stands above the diagonal is taken.
/// @returns the first place (row below column) where they differ by more
template <class Rows>
std::optional<std::pair<std::size_t, std::size_t>> settle_symmetry(Rows& rows) {
  static const GiNaC::numeric rounding(1, 1'000'000'000'000);
  GiNaC::numeric largest = 0;
  for (const auto& row : rows)
    for (const GiNaC::ex& entry : row)
      if (GiNaC::is_a<GiNaC::numeric>(entry) && GiNaC::abs(GiNaC::ex_to<GiNaC::numeric>(entry)) > largest)
        largest = GiNaC::abs(GiNaC::ex_to<GiNaC::numeric>(entry));
  const auto is_at_most = [](const GiNaC::ex& size, const GiNaC::numeric& bound) {
    return GiNaC::is_a<GiNaC::numeric>(size) && GiNaC::ex_to<GiNaC::numeric>(size).is_real() &&
           GiNaC::abs(GiNaC::ex_to<GiNaC::numeric>(size)) <= bound;
  };
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const GiNaC::ex &above = rows[j][i], apart = (rows[i][j] - above).expand();
      if (!apart.is_zero() && !is_at_most(apart, rounding * largest) &&
          (above.is_zero() || !is_at_most((apart / above).normal(), rounding)))
        return std::pair(i, j);
      rows[i][j] = above;
    }
  return std::nullopt;
}

}  // namespace sfg
