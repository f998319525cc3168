#pragma once
#include <ginac/ex.h>

#include <map>
#include <string>

#include "sfg/multibody/compiled_motion.hpp"

// Not installed.
namespace sfg {

/// What can be seen of a mechanism that moves, by name: coordinates q, rates Dq and speeds, accelerations DDq, inputs, t; x(b),
/// y(b), z(b), vx(b) … wz(b) of a body's frame and in the plane phi(b); fx(J) … mz(J) of a joint; lambda(c) of a constraint; the
/// energies T, V, E; and every expression of these and parameters.
class MechanismSignals {
 public:
  explicit MechanismSignals(const CompiledMotion&);

  struct Signal {
    GiNaC::ex value;
    GiNaC::ex turning = {};  ///< of an angle that is known up to turns: its rate
  };
  /// @throws sfg::Error  for a name that is none, with the nearest one.
  Signal operator()(const std::string& text) const;

 private:
  void add(const std::string& call, const GiNaC::ex& value);
  void add_motion();
  void add_bodies();
  void add_joints();
  std::string with_placeholders(const std::string& text) const;

  const CompiledMotion& motion_;
  SymbolTable symbols_;
  GiNaC::exmap meaning_;                             ///< of the symbols that are added
  std::map<std::string, std::string> placeholders_;  ///< x(b) → a name
  std::map<std::string, GiNaC::ex> turning_;
};

}  // namespace sfg
