#pragma once
#include <ginac/ex.h>

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace sfg {

/// A function of the expression grammar. GiNaC's own functions are used where they mean what an engineer means;
/// abs, sign, step, min and max are ours: real-valued, step(0) = 1, with derivatives that stay real.
struct FunctionRule {
  std::string name;
  std::size_t least = 1;  ///< arguments
  std::size_t most = 1;   ///< arguments; `any` for min and max
  GiNaC::ex (*apply)(const GiNaC::exvector& arguments) = nullptr;

  static constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
};

/// The rule of that name, or nullptr.
const FunctionRule* function_rule(std::string_view name);

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

}  // namespace sfg
