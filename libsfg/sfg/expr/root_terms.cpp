#include "sfg/expr/root_terms.hpp"

#include <ginac/ginac.h>

#include <map>
#include <set>
#include <string>

#include "sfg/error.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// What is under the roots and below the line in one term, as text; "" for a polynomial.
std::string divisors(const ex& term) {
  std::set<std::string> bases;
  const auto add = [&](const ex& factor) {
    const auto exponent = whole_exponent(factor);
    const bool is_divisor = exponent && *exponent < 0 && GiNaC::is_exactly_a<GiNaC::add>(factor.op(0));
    if (is_divisor || (is_root(factor) && !GiNaC::is_exactly_a<GiNaC::numeric>(factor.op(0)))) bases.insert(print(factor.op(0)));
  };
  if (GiNaC::is_exactly_a<GiNaC::mul>(term))
    for (const ex& factor : term) add(factor);
  else
    add(term);
  std::string text;
  for (const std::string& base : bases) text += base + "\n";
  return text;
}

ex shorter_form(const ex& sum) {
  if (!GiNaC::is_exactly_a<GiNaC::add>(sum)) return sum;
  try {
    const ex fraction = normal_form(sum);
    return print(fraction).size() < print(sum).size() ? fraction : sum;
  } catch (const LimitReached&) {
    return sum;
  }
}

}  // namespace

ex collected_by_roots(const ex& sum) {
  if (!GiNaC::is_exactly_a<GiNaC::add>(sum)) return sum;
  std::map<std::string, GiNaC::exvector> groups;
  for (const ex& term : sum) groups[divisors(term)].push_back(term);
  GiNaC::exvector parts;
  for (const auto& [key, terms] : groups) parts.push_back(key.empty() ? ex(GiNaC::add(terms)) : shorter_form(GiNaC::add(terms)));
  return GiNaC::add(parts);
}

namespace {

struct ShortestRoots : GiNaC::map_function {
  ex operator()(const ex& e) override {
    if (is_root(e))
      if (const auto root = constant_root(e)) return root->factor * GiNaC::pow(ex(root->radicand), GiNaC::numeric(1, 2));
    return e.map(*this);
  }
};

}  // namespace

GiNaC::ex with_shortest_roots(const ex& value) {
  ShortestRoots shortest;
  return shortest(value);
}

bool has_roots(const ex& e) {
  if (is_root(e)) return true;
  if (GiNaC::is_a<GiNaC::function>(e)) return false;
  for (std::size_t i = 0; i < e.nops(); ++i)
    if (has_roots(e.op(i))) return true;
  return false;
}

}  // namespace sfg
