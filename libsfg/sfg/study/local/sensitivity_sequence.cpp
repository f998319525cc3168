// Reverse differentiation of a sequence (Griewank and Walther, Evaluating Derivatives, 2nd ed. 2008, ch. 3): with x̄ the
// derivative of T by the name x, every definition v(x, …) adds v̄·∂v/∂x to x̄, in the order from the last definition to the first.
// Parameters are names like any other; what is derived from them passes its share on. The check shares nothing with that: by
// Mason's rule the derivative by the gain g of a branch i → j is T_i·T_j, the response at i times the response of the output to a
// signal added at j, both by sparse elimination modulo a prime.
#include "sfg/study/local/sensitivity_sequence.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/study/local/exact_sensitivity.hpp"
#include "sfg/transfer/sequence_definitions.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {

namespace {

GiNaC::exmap offsets_of(const StudiedGraph& studied) {
  GiNaC::exmap offsets;
  for (const StudyParameter& parameter : studied.parameters)
    if (parameter.role != StudyParameter::Role::parameter) offsets[parameter.symbol] = 0;
  return offsets;
}

GiNaC::exset symbols_of(const GiNaC::ex& e) {
  GiNaC::exset found;
  for (auto part = e.preorder_begin(); part != e.preorder_end(); ++part)
    if (GiNaC::is_a<GiNaC::symbol>(*part)) found.insert(*part);
  return found;
}

/// A sequence whose products are short: those of many factors, of which every derivative would have nearly as many again, are
/// halved and halved again.
class ShortProducts {
 public:
  /// @param first  the number of the first new name
  ShortProducts(std::string prefix, std::size_t first, std::vector<TransferSequence::Definition>& definitions)
      : prefix_(std::move(prefix)), next_(first), definitions_(definitions) {}

  GiNaC::ex operator()(const GiNaC::ex& e) {
    if (GiNaC::is_exactly_a<GiNaC::add>(e)) {
      GiNaC::exvector terms;
      for (std::size_t i = 0; i < e.nops(); ++i) terms.push_back((*this)(e.op(i)));
      return GiNaC::add(terms);
    }
    constexpr std::size_t few = 4;
    if (!GiNaC::is_exactly_a<GiNaC::mul>(e) || e.nops() <= few) return e;
    std::vector<std::pair<std::string, GiNaC::ex>> factors;  // by text: the order of GiNaC is not that of another run
    for (std::size_t i = 0; i < e.nops(); ++i) factors.emplace_back(print(e.op(i)), e.op(i));
    std::ranges::sort(factors, {}, &std::pair<std::string, GiNaC::ex>::first);
    return product(factors);
  }

 private:
  GiNaC::ex product(std::span<const std::pair<std::string, GiNaC::ex>> factors) {
    if (factors.size() == 1) return factors.front().second;
    const std::size_t half = factors.size() / 2;
    const GiNaC::ex left = product(factors.first(half)), right = product(factors.subspan(half));
    return named(left) * named(right);
  }
  GiNaC::ex named(const GiNaC::ex& e) {
    if (!GiNaC::is_exactly_a<GiNaC::mul>(e)) return e;
    const auto [known, fresh] = names_.try_emplace(e);
    if (!fresh) return known->second;
    const std::string name = prefix_ + std::to_string(next_++);
    known->second = symbols_.symbol(name);
    definitions_.push_back({name, known->second, e});
    return known->second;
  }

  std::string prefix_;
  std::size_t next_;
  std::vector<TransferSequence::Definition>& definitions_;
  std::map<GiNaC::ex, GiNaC::ex, GiNaC::ex_is_less> names_;  // looked up only
  SymbolTable symbols_;
};

/// The same sequence with short products, its definitions in an order that defines before it uses.
TransferSequence shortened(TransferSequence sequence, const std::string& prefix) {
  std::vector<TransferSequence::Definition> before = std::move(sequence.definitions);
  sequence.definitions.clear();
  ShortProducts shortened(prefix, before.size() + 1, sequence.definitions);
  for (TransferSequence::Definition& definition : before) {
    definition.value = shortened(definition.value);
    sequence.definitions.push_back(std::move(definition));
  }
  sequence.numerator = shortened(sequence.numerator);
  sequence.denominator = shortened(sequence.denominator);
  return sequence;
}

/// The sweep back, written behind the sequence.
class SweepBack {
 public:
  SweepBack(const StudiedGraph& studied, std::vector<TransferSequence::Definition>& definitions)
      : s_(studied.graph.op.in(studied.graph.symbols)),
        derived_(definitions_of(studied)),
        offsets_(offsets_of(studied)),
        definitions_(definitions),
        count_(definitions.size()),
        out_(unused_prefix(studied.graph), definitions) {}

  /// T = numerator/denominator.
  GiNaC::ex begin(const GiNaC::ex& numerator, const GiNaC::ex& denominator, const Budget& budget) {
    const GiNaC::ex above = named(numerator), below = named(denominator), T = named(above / below);
    const GiNaC::ex by_above = named(1 / below), by_below = named(-T / below);
    spread(numerator, by_above);
    spread(denominator, by_below);
    for (std::size_t i = count_; i-- > 0;) {
      budget.check("differentiating the sequence");
      const auto found = adjoints_.find(definitions_[i].symbol);
      if (found == adjoints_.end()) continue;
      const GiNaC::ex value = definitions_[i].value;  // definitions_ grows
      spread(value, total(found->second));
    }
    return T;
  }

  /// ∂T/∂k, named.
  GiNaC::ex derivative(const GiNaC::ex& k) {
    GiNaC::ex sum = share(k);
    for (const auto& [parameter, definition] : derived_)
      if (const GiNaC::ex part = share(parameter); !part.is_zero()) sum += part * definition.diff(GiNaC::ex_to<GiNaC::symbol>(k));
    return named(sum.subs(offsets_, GiNaC::subs_options::no_pattern));
  }

 private:
  static GiNaC::exmap definitions_of(const StudiedGraph& studied) { return definitions(studied.graph.symbols); }

  void spread(const GiNaC::ex& value, const GiNaC::ex& adjoint) {
    for (const GiNaC::ex& symbol : symbols_of(value)) {
      if (symbol.is_equal(s_)) continue;
      const GiNaC::ex partial = value.diff(GiNaC::ex_to<GiNaC::symbol>(symbol));
      if (!partial.is_zero()) adjoints_[symbol].push_back(adjoint * partial);
    }
  }
  GiNaC::ex total(const GiNaC::exvector& terms) { return named(GiNaC::add(terms)); }
  GiNaC::ex share(const GiNaC::ex& symbol) const {
    const auto found = adjoints_.find(symbol);
    return found == adjoints_.end() ? GiNaC::ex(0) : GiNaC::add(found->second);
  }
  GiNaC::ex named(const GiNaC::ex& e) { return out_.term(e, 2).value(); }

  GiNaC::ex s_;
  GiNaC::exmap derived_, offsets_;
  std::vector<TransferSequence::Definition>& definitions_;
  std::size_t count_;
  SequenceWriter out_;
  std::map<GiNaC::ex, GiNaC::exvector, GiNaC::ex_is_less> adjoints_;  // looked up only
};

/// A factor of the random combination that is checked.
std::int64_t weight(std::size_t k, std::uint64_t seed) {
  std::uint64_t x = seed * 0x9E3779B97F4A7C15U + k + 1;  // splitmix64 (Steele, Lea and Flood 2014)
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return static_cast<std::int64_t>((x ^ (x >> 31U)) >> 34U);
}

/// Σ weight·∂T/∂k modulo a prime from the responses of the graph without offsets.
class AdjointCheck {
 public:
  AdjointCheck(const StudiedGraph& studied, const Question& question)
      : question_(question),
        nodes_(relevant_nodes(studied.graph, question)),
        plain_(studied.graph.substituted(offsets_of(studied))) {
    const GiNaC::exmap derived = definitions(studied.graph.symbols), offsets = offsets_of(studied);
    std::map<GiNaC::ex, std::set<std::size_t>, GiNaC::ex_is_less> influences;  // of a symbol: parameters that it depends on
    for (std::size_t k = 0; k < studied.parameters.size(); ++k) {
      const GiNaC::ex& symbol = studied.parameters[k].symbol;
      influences[symbol].insert(k);
      for (const auto& [parameter, definition] : derived)
        if (definition.has(symbol)) influences[parameter].insert(k);
    }
    for (const Branch& branch : studied.graph.branches()) {
      if (!branch.linear() || !nodes_[branch.from.index] || !nodes_[branch.to.index]) continue;
      std::vector<std::pair<std::size_t, GiNaC::ex>> slopes;
      std::set<std::size_t> moving;
      for (const GiNaC::ex& symbol : symbols_of(branch.gain())) moving.merge(std::set(influences[symbol]));
      for (const std::size_t k : moving) {
        const GiNaC::ex slope = total_derivative(branch.gain(), studied.parameters[k].symbol, derived);
        if (!slope.is_zero()) slopes.emplace_back(k, slope.subs(offsets, GiNaC::subs_options::no_pattern));
      }
      if (!slopes.empty()) branches_.push_back({branch.from, branch.to, std::move(slopes)});
    }
  }
  const SignalFlowGraph& graph() const { return plain_; }
  RandomPoints points() const { return random_points(plain_, nodes_); }

  std::optional<std::uint64_t> at(const ModularPoint& point, std::uint64_t seed) const try {
    const ring::ModularRing field(point.prime());
    ModularElimination elimination(plain_, point, nodes_);
    const NodeId source = driver(question_);
    const bool ratio = question_.mode == Question::Mode::ratio;
    const auto to = [&](NodeId node) { return elimination.response({source, node, Question::Mode::source, {}}); };
    const auto from = [&](NodeId node, NodeId end) { return elimination.response({node, end, Question::Mode::inject, {}}); };
    const auto T = elimination.response(question_), below = ratio ? to(question_.input) : std::optional<std::uint64_t>(1);
    if (!T || !below || *below == 0) return {};
    std::uint64_t sum = 0;
    for (const Influence& branch : branches_) {
      auto response = from(branch.to, question_.output);
      if (ratio) response = field.subtract(response.value(), field.multiply(*T, from(branch.to, question_.input).value()));
      const std::uint64_t both = field.multiply(to(branch.from).value(), response.value());
      for (const auto& [k, slope] : branch.slopes) {
        const auto value = point(slope);
        if (!value) return {};
        sum = field.add(sum, field.multiply(field.multiply(both, *value), field.of(weight(k, seed))));
      }
    }
    return field.divide(sum, *below);
  } catch (const std::domain_error&) {
    return {};
  } catch (const std::bad_optional_access&) {
    return {};
  }

 private:
  struct Influence {
    NodeId from, to;
    std::vector<std::pair<std::size_t, GiNaC::ex>> slopes;
  };
  Question question_;
  std::vector<bool> nodes_;
  SignalFlowGraph plain_;
  std::vector<Influence> branches_;
};

/// @throws std::logic_error when the derivatives differ from the responses of the graph.
void verify(const SensitivitySequence& found, const StudiedGraph& studied, const SequenceOptions& options) {
  const AdjointCheck check(studied, found.question);
  TransferSequence combination{found.question, found.definitions, 0, 1, {}, {}, {}, {}};
  GiNaC::exvector sum;
  for (std::size_t k = 0; k < found.parameters.size(); ++k)
    sum.push_back(GiNaC::numeric(static_cast<long>(weight(k, options.seed))) * found.parameters[k].derivative);
  combination.numerator = GiNaC::add(sum);
  const RandomPoints random = check.points();
  std::size_t checked = 0;
  constexpr std::size_t wanted = 2, attempts = 20;
  for (std::size_t attempt = 0; attempt < attempts && checked < wanted; ++attempt) {
    options.budget.check("the check of the sensitivities");
    const ModularPoint point = random(options.seed * 1013 + attempt, options.budget);
    const auto expected = check.at(point, options.seed);
    const auto given = expected ? value_modulo(combination, point) : std::nullopt;
    if (!given) continue;
    if (*given != *expected)
      throw std::logic_error("the sensitivities of '" + studied.graph[found.question.output].name +
                             "' differ from an elimination modulo " + std::to_string(point.prime()));
    ++checked;
  }
  if (checked < wanted) throw std::logic_error("no point was found at which the sensitivities could be checked");
}

}  // namespace

SensitivitySequence sensitivity_sequence(const StudiedGraph& studied, const Question& question, const SequenceOptions& options) {
  TransferSequence sequence = shortened(transfer_sequence(studied.graph, question, options), unused_prefix(studied.graph));
  SensitivitySequence result{question, std::move(sequence.definitions), 0, {}, {}, sequence.terms, sequence.verification};
  SweepBack reverse(studied, result.definitions);
  result.transfer = reverse.begin(sequence.numerator, sequence.denominator, options.budget);
  const bool nothing = result.transfer.is_zero();
  for (const StudyParameter& parameter : studied.parameters) {
    const GiNaC::ex slope = reverse.derivative(parameter.symbol);
    result.parameters.push_back({parameter.name, slope, nothing ? GiNaC::ex(0) : parameter.nominal * slope / result.transfer});
  }
  const GiNaC::exmap offsets = offsets_of(studied);
  const auto settle = [&](GiNaC::ex& e) { e = e.subs(offsets, GiNaC::subs_options::no_pattern); };
  for (auto& definition : result.definitions) settle(definition.value);
  settle(result.transfer);
  for (const auto& definition : result.definitions) result.operations += operation_counts(definition.value);
  verify(result, studied, options);
  // derivatives have at most twice the degree, and a combination may hide an error once in 2^30
  result.verification.error_bound = std::pow(2 * std::sqrt(result.verification.error_bound) + 0x1p-30, 2);
  return result;
}

}  // namespace sfg
