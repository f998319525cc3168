#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <optional>
#include <string>

#include "sfg/error.hpp"

namespace sfg {

/// The point that energies are differentiated at: a value for every variable and every rate.
class OperatingPoint {
 public:
  explicit OperatingPoint(GiNaC::exmap values) : values_(std::move(values)) {}

  const GiNaC::exmap& values() const noexcept { return values_; }

  /// The value there of a derivative of an energy.
  /// @param what  the energy, for messages, and its place
  /// @throws sfg::Error when the derivative jumps at the point (dry friction, a stop just touched) or is infinite.
  GiNaC::ex value(const GiNaC::ex& derivative, const std::string& what, const SourceSpan& where) const;

 private:
  GiNaC::exmap values_;
};

/// Sets the number of decimal digits of GiNaC's floats while it lives: a global of that library.
class Precision {
 public:
  explicit Precision(long digits);
  ~Precision();
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;

 private:
  long before_;
};

/// The real number that an expression without symbols is; nothing when it is none (a symbol, a pole, a complex value).
std::optional<GiNaC::numeric> real_number(const GiNaC::ex&);

}  // namespace sfg
