#pragma once
#include <ginac/ex.h>

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace sfg {

/// A function of the expression grammar. GiNaC's own functions are used where they mean what an engineer means;
/// abs, sign, step, min and max are ours: real-valued, step(0) = 1, with derivatives that stay real. Laws of
/// nonlinear elements without memory (dead_zone, saturation, coulomb, friction, stribeck, relay, quantise) are rewritten into
/// these.
struct FunctionRule {
  std::string name;
  std::size_t least = 1;  ///< arguments
  std::size_t most = 1;   ///< arguments; `any` for min and max
  GiNaC::ex (*apply)(const GiNaC::exvector& arguments) = nullptr;

  static constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
};

/// The rule of that name, or nullptr.
const FunctionRule* function_rule(std::string_view name);

/// The name of the function that is called; "" where the expression is no call.
std::string function_name(const GiNaC::ex&);

/// All names of functions, sorted.
std::span<const std::string> function_names();

/// |x| with the derivative sign(x) (GiNaC's abs differentiates to complex conjugates).
GiNaC::ex absolute(const GiNaC::ex& x);
/// -1, 0 or 1.
GiNaC::ex sign(const GiNaC::ex& x);
/// Unit step: 0 below 0, 1 from 0 on.
GiNaC::ex unit_step(const GiNaC::ex& x);
GiNaC::ex minimum(const GiNaC::ex& a, const GiNaC::ex& b);
GiNaC::ex maximum(const GiNaC::ex& a, const GiNaC::ex& b);
/// The greatest integer that is not above x; of quantisers.
GiNaC::ex whole_part(const GiNaC::ex& x);

// Laws with memory are functions of the past of their argument, and have no derivative as functions: diff() throws sfg::Error.
/// Play of a gear: follows u at half the width behind, and rests while u turns around within the width.
/// @throws sfg::Error without place when the width is known to be negative.
GiNaC::ex backlash(const GiNaC::ex& u, const GiNaC::ex& width);
/// A relay: +size from u ≥ on until u ≤ off, then −size; −size at first. @throws sfg::Error without place when on < off.
GiNaC::ex hysteresis(const GiNaC::ex& u, const GiNaC::ex& on, const GiNaC::ex& off, const GiNaC::ex& size);

/// The value of a table at u (numeric/lookup_table.hpp): the function "lookup" of u and a number, as the operation of tapes.
GiNaC::ex table_value(const GiNaC::ex& u, std::size_t table);

}  // namespace sfg
