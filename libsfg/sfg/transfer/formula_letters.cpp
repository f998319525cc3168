#include "sfg/transfer/certificate.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using Number = GiNaC::numeric;

bool is_combined(const ex& e) { return GiNaC::is_exactly_a<GiNaC::add>(e) || GiNaC::is_exactly_a<GiNaC::mul>(e); }

/// The parts of a sum or product in an order that is the same on every run, as GiNaC's is not, and the signs of sums are not.
std::vector<ex> in_print_order(const ex& e) {
  std::vector<std::pair<std::string, ex>> parts;
  for (std::size_t i = 0; i < e.nops(); ++i) parts.emplace_back(std::min(print(e.op(i)), print(-e.op(i))), e.op(i));
  std::ranges::sort(parts, {}, &std::pair<std::string, ex>::first);
  std::vector<ex> result;
  for (auto& [text, part] : parts) result.push_back(std::move(part));
  return result;
}

[[noreturn]] void refuse_complex(const ex& e) {
  throw NoAnswer("the equations have the number " + print(e) + ", which is not real: a certificate has none for it",
                 "state the equations without the square root of a negative number");
}

}  // namespace

FormulaLetters::FormulaLetters(std::span<const ex> expressions, std::set<std::string> defined)
    : defined_(std::move(defined)), taken_(defined_) {
  for (const ex& e : expressions) {
    for (const std::string& name : symbol_names(e)) taken_.insert(name);
    collect(e);
  }
}

void FormulaLetters::collect(const ex& e) {
  if (GiNaC::is_a<GiNaC::symbol>(e)) return;
  if (is_combined(e)) {
    for (std::size_t i = 0; i < e.nops(); ++i) collect(e.op(i));
  } else if (whole_exponent(e) || is_root(e)) {
    collect(e.op(0));
  } else if (const auto found = exponential(e)) {
    auto& known = powers_[print(found->unit)];
    if (!known) known = std::make_shared<Families>();
    if (std::ranges::none_of(*known, [&](ExponentialFamily& family) { return family.join(found->multiple); }))
      known->emplace_back(*found);
  }
}

ex FormulaLetters::written(const ex& e) {
  if (GiNaC::is_exactly_a<Number>(e)) {
    const auto number = exact_number(e);
    if (!number) refuse_complex(e);
    return *number;
  }
  if (is_combined(e)) {
    GiNaC::exvector parts;
    for (const ex& part : in_print_order(e)) parts.push_back(written(part));
    return GiNaC::is_exactly_a<GiNaC::add>(e) ? ex(GiNaC::add(parts)) : ex(GiNaC::mul(parts));
  }
  if (const auto exponent = whole_exponent(e)) return GiNaC::power(written(e.op(0)), Number(*exponent));
  if (GiNaC::is_a<GiNaC::symbol>(e)) {
    const std::string name = ex_to<GiNaC::symbol>(e).get_name();
    if (defined_.contains(name)) return e;
    return is_name(name) ? letter(FormulaLetter::Kind::symbol, e, name) : letter(FormulaLetter::Kind::function, e, name);
  }
  if (is_root(e)) return root(e);
  if (const auto found = exponential(e))
    if (const auto known = powers_.find(print(found->unit)); known != powers_.end())
      for (const ExponentialFamily& family : *known->second)
        if (family.contains(found->multiple)) {
          const ex unit = family.generator();
          return GiNaC::power(letter(FormulaLetter::Kind::function, unit, print(unit)), Number(family.power(found->multiple)));
        }
  return letter(FormulaLetter::Kind::function, e, print(e));
}

ex FormulaLetters::root(const ex& e) {
  if (const auto constant = constant_root(e)) {
    if (constant->radicand.is_equal(1)) return constant->factor;
    return constant->factor *
           letter(FormulaLetter::Kind::root, GiNaC::power(ex(constant->radicand), Number(1, 2)), print(constant->radicand), 2);
  }
  const auto base = exact_number(e.op(0));
  const Number& exponent = ex_to<Number>(e.op(1));
  if (base && base->is_negative()) refuse_complex(e);
  const Number degree = exponent.denom();
  const std::string under = print(written(e.op(0)));
  return GiNaC::power(letter(FormulaLetter::Kind::root, GiNaC::power(e.op(0), degree.inverse()), under,
                             static_cast<std::size_t>(degree.to_long())),
                      exponent.numer());
}

ex FormulaLetters::letter(FormulaLetter::Kind kind, const ex& value, std::string of, std::size_t degree) {
  const bool symbol = kind == FormulaLetter::Kind::symbol;
  const std::string key = std::to_string(degree) + " " + of;
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const std::string name = symbol ? of : fresh_name();
  const ex result = symbol ? value : ex(GiNaC::symbol(name));
  letters_.push_back({.name = name, .kind = kind, .of = symbol ? "" : std::move(of), .degree = degree, .value = value});
  return known_.emplace(key, result).first->second;
}

std::string FormulaLetters::fresh_name() {
  for (std::size_t i = 1;; ++i)
    if (std::string name = "w" + std::to_string(i); taken_.insert(name).second) return name;
}

}  // namespace sfg
