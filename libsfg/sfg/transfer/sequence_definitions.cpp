#include "sfg/transfer/sequence_definitions.hpp"

#include <ginac/add.h>
#include <ginac/mul.h>
#include <ginac/operators.h>
#include <ginac/power.h>
#include <ginac/symbol.h>

#include <algorithm>

#include "sfg/expr/math_tree.hpp"

namespace sfg {

namespace {

/// A letter, a number, or one to the power of a number: what has its sign, if any, in sight.
bool is_plain(const GiNaC::ex& e) {
  if (GiNaC::is_exactly_a<GiNaC::power>(e))
    return GiNaC::is_exactly_a<GiNaC::symbol>(e.op(0)) && GiNaC::is_exactly_a<GiNaC::numeric>(e.op(1));
  return GiNaC::is_exactly_a<GiNaC::symbol>(e) ||
         (GiNaC::is_exactly_a<GiNaC::numeric>(e) && GiNaC::ex_to<GiNaC::numeric>(e).is_real());
}

/// As it is written: which of its sums carries the sign of a product differs from run to run.
bool is_negative(const GiNaC::ex& e) {
  if (!GiNaC::is_exactly_a<GiNaC::mul>(e))
    return GiNaC::is_exactly_a<GiNaC::numeric>(e) && GiNaC::ex_to<GiNaC::numeric>(e).is_negative();
  bool negative = false;
  for (std::size_t i = 0; i < e.nops(); ++i) {
    const GiNaC::ex factor = e.op(i);
    if (!is_plain(factor)) return math(e).is_negative();
    negative ^= GiNaC::is_exactly_a<GiNaC::numeric>(factor) && is_negative(factor);
  }
  return negative;
}

bool is_atom(const GiNaC::ex& e) { return GiNaC::is_exactly_a<GiNaC::symbol>(e) || GiNaC::is_exactly_a<GiNaC::numeric>(e); }

/// ± e as a term of one factor.
SequenceTerm signed_term(const GiNaC::ex& e) {
  SequenceTerm term{is_negative(e), {}};
  const GiNaC::ex magnitude = term.negative ? -e : e;
  if (!magnitude.is_equal(1)) term.factors.push_back(magnitude);
  return term;
}

bool is_numbered(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), name.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

SequenceTerm& SequenceTerm::operator*=(const SequenceTerm& other) {
  negative = negative != other.negative;
  factors.insert(factors.end(), other.factors.begin(), other.factors.end());
  return *this;
}

SequenceTerm& SequenceTerm::operator/=(const SequenceTerm& other) {
  negative = negative != other.negative;
  for (const GiNaC::ex& factor : other.factors) factors.push_back(GiNaC::pow(factor, -1));
  return *this;
}

GiNaC::ex SequenceTerm::value() const {
  if (factors.empty()) return negative ? -1 : 1;
  if (!negative) return factors.size() == 1 ? factors[0] : GiNaC::ex(GiNaC::mul(factors));
  GiNaC::exvector signed_factors = factors;
  signed_factors.push_back(-1);
  return GiNaC::mul(signed_factors);
}

SequenceTerm SequenceWriter::term(const GiNaC::ex& value, std::size_t uses) {
  SequenceTerm term = signed_term(value);
  if (uses > 1 && !term.factors.empty() && !is_atom(term.factors[0])) term.factors[0] = defined(term.factors[0]);
  return term;
}

SequenceTerm SequenceWriter::stored(const std::vector<SequenceTerm>& terms, std::size_t uses) {
  if (terms.size() == 1 && (uses <= 1 || terms[0].factors.size() <= 1)) return terms[0];
  const GiNaC::ex value = sum(terms);
  SequenceTerm term = signed_term(value);
  if (!term.factors.empty() && !is_atom(term.factors[0])) term.factors[0] = defined(term.factors[0]);
  return term;
}

GiNaC::ex SequenceWriter::sum(const std::vector<SequenceTerm>& terms) {
  GiNaC::exvector values;
  for (const SequenceTerm& term : terms) values.push_back(term.value());
  return GiNaC::add(values);
}

GiNaC::ex SequenceWriter::defined(const GiNaC::ex& value) {
  if (const auto known = names_.find(value); known != names_.end()) return known->second;
  const std::string name = prefix_ + std::to_string(definitions_.size() + 1);
  const GiNaC::ex symbol = GiNaC::symbol(name);  // the only one of that name: names are numbered
  definitions_.push_back({name, symbol, value});
  names_.emplace(value, symbol);
  return symbol;
}

std::string unused_prefix(const SignalFlowGraph& graph) {
  const auto taken = [&](const std::string& prefix) {
    return std::any_of(graph.symbols.all().begin(), graph.symbols.all().end(),
                       [&](const Symbol& symbol) { return is_numbered(symbol.name, prefix); }) ||
           std::any_of(graph.nodes().begin(), graph.nodes().end(),
                       [&](const Node& node) { return is_numbered(node.name, prefix); });
  };
  for (const char* letter : {"m", "q", "w", "d"})
    if (!taken(letter)) return letter;
  std::string prefix = "m_";
  while (taken(prefix)) prefix += '_';
  return prefix;
}

}  // namespace sfg
