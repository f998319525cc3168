#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/nonlinear/analog/analog_program.hpp"

// Not installed: how expressions become elements of an analog computer.
namespace sfg {

/// A sum of signals with factors, by number of the signal.
using SignalSum = std::map<std::size_t, double>;

void add(SignalSum& to, const SignalSum& terms, double factor = 1);

/// Adds the elements of laws to equations; equal products, moduli and functions are made once.
class LawElements {
 public:
  explicit LawElements(AnalogEquations& equations) : equations_(equations) {}

  /// What a symbol of the laws stands for.
  void define(const GiNaC::ex& symbol, SignalSum value, std::string name);
  /// @param name   of signals that have no other
  /// @param where  of the law, for errors
  SignalSum operator()(const GiNaC::ex& law, const std::string& name, const SourceSpan& where);
  /// One signal with a factor: a new sum where there are several terms.
  AnalogEquations::Term signal(const SignalSum&, const std::string& name);

 private:
  struct Named {
    SignalSum value;
    std::string name;
  };
  SignalSum sum(const GiNaC::ex&);
  SignalSum factors(const GiNaC::ex&);
  SignalSum power(const GiNaC::ex& base, int exponent);
  SignalSum call(const GiNaC::ex&);
  SignalSum generated(const GiNaC::ex&, const GiNaC::ex& symbol);
  SignalSum function_of(const GiNaC::ex& inside, const GiNaC::ex& law);
  AnalogEquations::Term product(AnalogEquations::Term, AnalogEquations::Term, std::string name = {});
  std::size_t made(AnalogEquations::Kind, std::vector<AnalogEquations::Term>, const GiNaC::ex& law, std::string name);
  std::vector<GiNaC::ex> symbols_of(const GiNaC::ex&) const;
  [[noreturn]] void refuse(const GiNaC::ex&) const;

  AnalogEquations& equations_;
  std::map<std::string, std::pair<GiNaC::ex, Named>> meaning_;  // by name: an order that GiNaC's is not
  std::map<std::string, std::size_t> known_;
  std::string name_, function_;  ///< of sums and functions
  SourceSpan where_;
};

}  // namespace sfg
