// A transmittance without expansion. Two programs are possible. The determinant diagrams: one sum for each minor, shared
// where it occurs again, and a single division at the end. Elimination: nodes are absorbed one after the other, which
// needs few operations on wide graphs where a diagram has many vertices, but divides by loop differences on the way.
// Either is written down as definitions; a value that is used once and is a product is put in where it is used.
#include "sfg/transfer/sequence.hpp"

#include <ginac/add.h>
#include <ginac/hash_map.h>
#include <ginac/mul.h>
#include <ginac/operators.h>
#include <ginac/power.h>
#include <ginac/symbol.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "sfg/ddd/elimination.hpp"
#include "sfg/error.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/graph_elimination.hpp"
#include "sfg/transfer/graph_matrix.hpp"
#include "sfg/transfer/sequence_definitions.hpp"
#include "sfg/transfer/singular.hpp"
#include "sfg/transfer/term_counts.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {

namespace {

constexpr DiagramLimits diagram_limits{std::uint64_t{1} << 20, 0.3};
constexpr std::size_t most_nodes_counted = 200;  ///< nodes of a graph whose products are counted though they are not needed
constexpr std::size_t short_sequence = 2500;     ///< operations that nobody minds for the sake of having no divisions
Remedy cheaper() { return Advice::raise_term_limit | Advice::reduce_graph; }

/// Value of a place of the matrix: [diagonal] − Σ gains.
GiNaC::ex entry_value(const SignalFlowGraph& graph, const GraphMatrix::Entry& entry) {
  const GiNaC::ex gain = entry.bundle ? entry.bundle->gain(graph) : GiNaC::ex(0);
  return (entry.diagonal ? 1 : 0) - gain;
}

bool is_unit(const GiNaC::ex& e) { return e.is_equal(1) || e.is_equal(-1); }

/// The determinant of one block as a program: vertices of the diagram, children first.
class DiagramProgram {
 public:
  DiagramProgram(const SignalFlowGraph& graph, const GraphMatrix::Block& block, const ddd::DeterminantDiagram& diagram)
      : diagram_(diagram) {
    for (const GraphMatrix::Entry& entry : block.entries) entries_.push_back(entry_value(graph, entry));
  }

  std::size_t operations() const {
    std::size_t count = 0;
    for (std::size_t v = 1; v < diagram_.vertex_count(); ++v) {
      std::size_t addends = 0;
      for (const auto& edge : diagram_.edges(v)) {
        const GiNaC::ex& entry = entries_[edge.entry()];
        if (entry.is_zero()) continue;
        ++addends;
        if (!is_unit(entry) && edge.child() != 0) ++count;
      }
      if (addends > 1) count += addends - 1;
    }
    return count;
  }

  GiNaC::ex write(SequenceWriter& out) const {
    if (diagram_.is_zero()) return 0;
    const std::size_t vertices = diagram_.vertex_count();
    std::vector<std::size_t> vertex_uses(vertices, 0), entry_uses(entries_.size(), 0);
    for (std::size_t v = 1; v < vertices; ++v)
      for (const auto& edge : diagram_.edges(v)) {
        ++entry_uses[edge.entry()];
        ++vertex_uses[edge.child()];
      }
    std::vector<std::optional<SequenceTerm>> entry(entries_.size());
    std::vector<std::optional<SequenceTerm>> value(vertices);  // nothing: 0
    value[0] = SequenceTerm{};
    for (std::size_t v = 1; v < vertices; ++v) {
      std::vector<SequenceTerm> terms;
      for (const auto& edge : diagram_.edges(v)) {
        const std::uint32_t e = edge.entry();
        if (entries_[e].is_zero() || !value[edge.child()]) continue;
        if (!entry[e]) entry[e] = out.term(entries_[e], entry_uses[e]);
        SequenceTerm& child = *value[edge.child()];
        SequenceTerm term = vertex_uses[edge.child()] == 1 ? std::move(child) : child;
        term *= *entry[e];
        if (edge.negative()) term.negative = !term.negative;
        terms.push_back(std::move(term));
      }
      if (v + 1 == vertices) return SequenceWriter::sum(terms);
      if (!terms.empty()) value[v] = out.stored(std::move(terms), vertex_uses[v]);
    }
    return 1;
  }

 private:
  const ddd::DeterminantDiagram& diagram_;
  std::vector<GiNaC::ex> entries_;
};

/// Elimination of all the nodes that matter to one response.
class EliminationProgram {
 public:
  EliminationProgram(const SignalFlowGraph& graph, NodeId driver, NodeId output, const Budget& budget)
      : elimination_(graph, std::span(&driver, 1), std::span(&output, 1), budget),
        plan_(elimination_.plan()),
        values_(elimination_.entries()) {}
  EliminationProgram(const EliminationProgram&) = delete;
  EliminationProgram& operator=(const EliminationProgram&) = delete;

  std::size_t operations() const { return 2 * plan_.multiplication_count() + plan_.division_count(); }

  GiNaC::ex write(SequenceWriter& out) const {
    const std::vector<std::uint32_t> uses = value_uses();
    std::vector<std::uint32_t> left_to_read = uses, at(plan_.value_count());
    std::unordered_map<std::uint32_t, Value> known;  // what is still read: of large graphs a small part
    auto version = static_cast<std::uint32_t>(values_.size());
    std::iota(at.begin(), at.begin() + version, 0U);
    const auto value = [&](std::uint32_t i) -> Value& {
      const auto [found, fresh] = known.try_emplace(i);
      if (fresh) found->second.terms = {SequenceTerm{false, {values_[i]}}};
      return found->second;
    };
    const auto last = elimination_.response(0, 0);
    const auto use = [&](std::uint32_t i) -> SequenceTerm {
      Value& used = value(i);
      if (!used.read) {
        const bool entry = used.terms.size() == 1 && used.terms[0].factors.size() == 1;
        used.read = entry ? out.term(used.terms[0].value(), uses[at[i]]) : out.stored(used.terms, uses[at[i]]);
        used.terms = {};
      }
      if (--left_to_read[at[i]] > 0 || last == i) return *used.read;
      SequenceTerm term = std::move(*used.read);
      known.erase(i);
      return term;
    };
    for (const auto& step : plan_.steps()) {
      SequenceTerm left = use(step.left);
      const SequenceTerm right = use(step.right);
      if (step.kind == ddd::Elimination::Step::Kind::divide) {
        left /= right;
      } else {
        left *= right;
        left.negative = !left.negative;
      }
      const bool fresh = step.kind != ddd::Elimination::Step::Kind::update;
      if (fresh || uses[at[step.target]] > left_to_read[at[step.target]]) {
        std::vector<SequenceTerm> start;
        if (!fresh) start.push_back(use(step.target));
        known[step.target] = {std::move(start), {}};
        at[step.target] = version++;
      }
      value(step.target).terms.push_back(std::move(left));
    }
    if (!last) return 0;
    const Value& answer = value(*last);
    return answer.read ? answer.read->value() : SequenceWriter::sum(answer.terms);
  }

 private:
  /// A sum that grows until it is read, and then is one term.
  struct Value {
    std::vector<SequenceTerm> terms = {};
    std::optional<SequenceTerm> read = {};
  };

  /// How often each version of a value is read; a value that was read gets a new version when it changes.
  std::vector<std::uint32_t> value_uses() const {
    std::vector<std::uint32_t> uses(values_.size(), 0), at(plan_.value_count());
    for (std::uint32_t i = 0; i < values_.size(); ++i) at[i] = i;
    for (const auto& step : plan_.steps()) {
      ++uses[at[step.left]];
      ++uses[at[step.right]];
      if (step.kind == ddd::Elimination::Step::Kind::update) {
        if (uses[at[step.target]] == 0) continue;
        ++uses[at[step.target]];
      }
      at[step.target] = static_cast<std::uint32_t>(uses.size());
      uses.push_back(0);
    }
    return uses;
  }

  GraphElimination elimination_;
  const ddd::Elimination& plan_;
  std::span<const GiNaC::ex> values_;
};

/// Both programs for a question; writes the one chosen.
class Programs {
 public:
  Programs(const SignalFlowGraph& graph, GraphMatrix& matrix, const Question& question, const SequenceOptions& options)
      : graph_(graph),
        question_(question),
        quotient_(matrix.response(question)),
        method_(options.method),
        budget_(options.budget) {
    if (method_ != Choice::elimination) plan_diagrams(matrix, method_ == Choice::diagram);
  }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  const GraphMatrix::Product& numerator() const { return quotient_.numerator; }
  bool has_diagrams() const noexcept { return diagrams_.has_value(); }  ///< those of the matrix

  /// What has the fewer operations.
  void choose() {
    const bool enough = diagrams_ && diagram_operations() <= short_sequence;
    if (method_ == Choice::elimination || (method_ == Choice::automatic && !enough)) plan_elimination();
    if (to_output_ && diagrams_ && diagram_operations() <= 2 * elimination_operations()) {
      to_output_.reset();
      to_input_.reset();
    }
  }

  void write(const std::string& prefix, TransferSequence& result) const {
    SequenceWriter out(prefix, result.definitions);
    result.method = to_output_ ? TransferSequence::Method::elimination : TransferSequence::Method::diagram;
    if (to_output_) {
      result.numerator = to_output_->write(out);
      result.denominator = to_input_ ? to_input_->write(out) : GiNaC::ex(1);
    } else {
      result.numerator = product(quotient_.above, out) * (quotient_.negative ? -1 : 1) * (quotient_.zero ? 0 : 1);
      result.denominator = product(quotient_.below, out);
    }
  }

 private:
  using Choice = SequenceOptions::Choice;
  void plan_diagrams(GraphMatrix& matrix, bool wanted) {
    diagrams_.emplace();
    try {
      for (const auto* ids : {&quotient_.below, &quotient_.above})  // what is too large is mostly below
        for (const std::size_t id : *ids) diagrams_->try_emplace(id, graph_, matrix.block(id), matrix.diagram(id));
    } catch (const ddd::TooLarge& failure) {
      if (wanted) throw LimitReached(failure.what(), "let the sequence be made by elimination");
      diagrams_.reset();
    }
  }
  void plan_elimination() {
    try {
      to_output_.emplace(graph_, driver(question_), question_.output, budget_);
      if (question_.mode == Question::Mode::ratio) to_input_.emplace(graph_, driver(question_), question_.input, budget_);
    } catch (const ddd::TooLarge& failure) {
      to_output_.reset();
      if (!diagrams_) throw LimitReached(failure.what(), cheaper());
    }
  }
  std::size_t diagram_operations() const {
    std::size_t count = 0;
    for (const auto& [id, program] : *diagrams_) count += program.operations();
    return count;
  }
  std::size_t elimination_operations() const { return to_output_->operations() + (to_input_ ? to_input_->operations() : 0); }
  /// Factors that are sums get a name when there are several.
  GiNaC::ex product(const std::vector<std::size_t>& ids, SequenceWriter& out) const {
    GiNaC::exvector factors;
    for (const std::size_t id : ids) {
      const GiNaC::ex value = diagrams_->at(id).write(out);
      factors.push_back(ids.size() > 1 ? out.term(value, 2).value() : value);
    }
    return GiNaC::mul(factors);
  }

  const SignalFlowGraph& graph_;
  const Question& question_;
  GraphMatrix::Quotient quotient_;
  Choice method_;
  const Budget& budget_;
  std::optional<std::map<std::size_t, DiagramProgram>> diagrams_;
  std::optional<EliminationProgram> to_output_, to_input_;
};

/// A sequence as steps, gone through once for all points: asking GiNaC for the parts of a sum makes them anew.
class SequenceSteps {
 public:
  explicit SequenceSteps(const TransferSequence& sequence) {
    for (const auto& definition : sequence.definitions) {
      const std::uint32_t at = step_of(definition.value);
      known_[definition.symbol] = at;
    }
    above_ = step_of(sequence.numerator);
    below_ = step_of(sequence.denominator);
  }

  std::optional<std::uint64_t> quotient(const ModularPoint& point) const {
    const ring::ModularRing field(point.prime());
    std::vector<std::uint64_t> values(steps_.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) values[i] = value(steps_[i], values, point, field);
    if (values[above_] == none || values[below_] == none || values[below_] == 0) return std::nullopt;
    return field.divide(values[above_], values[below_]);
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};  ///< no residue: a denominator vanishes
  struct Step {
    enum class Kind { number, given, sum, product, power } kind;
    std::int64_t number = 0;             ///< itself, an exponent, or the place of what the point gives
    std::uint32_t begin = 0, count = 0;  ///< the parts: their steps in `parts_`
  };

  std::uint32_t append(const Step& step) {
    steps_.push_back(step);
    return static_cast<std::uint32_t>(steps_.size() - 1);
  }

  std::uint32_t given(const GiNaC::ex& e) {
    given_.push_back(e);
    return append({Step::Kind::given, static_cast<std::int64_t>(given_.size() - 1)});
  }

  std::uint32_t step_of(const GiNaC::ex& e) {
    if (GiNaC::is_exactly_a<GiNaC::symbol>(e)) {
      const auto [at, fresh] = known_.emplace(e, 0);
      if (fresh) at->second = given(e);
      return at->second;
    }
    if (GiNaC::is_exactly_a<GiNaC::add>(e)) return combined(Step::Kind::sum, e);
    if (GiNaC::is_exactly_a<GiNaC::mul>(e)) return combined(Step::Kind::product, e);
    if (GiNaC::is_exactly_a<GiNaC::power>(e) && e.op(1).info(GiNaC::info_flags::integer)) {
      const std::uint32_t base = step_of(e.op(0));
      parts_.push_back(base);
      return append(
          {Step::Kind::power, GiNaC::ex_to<GiNaC::numeric>(e.op(1)).to_long(), static_cast<std::uint32_t>(parts_.size() - 1), 1});
    }
    if (GiNaC::is_exactly_a<GiNaC::numeric>(e))
      if (const auto& n = GiNaC::ex_to<GiNaC::numeric>(e); n.is_integer() && n.int_length() < 62)
        return append({Step::Kind::number, n.to_long()});
    return given(e);
  }

  std::uint32_t combined(Step::Kind kind, const GiNaC::ex& e) {
    std::vector<std::uint32_t> parts(e.nops());
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = step_of(e.op(i));
    const auto begin = static_cast<std::uint32_t>(parts_.size());
    parts_.insert(parts_.end(), parts.begin(), parts.end());
    return append({kind, 0, begin, static_cast<std::uint32_t>(parts.size())});
  }

  std::uint64_t value(const Step& step, const std::vector<std::uint64_t>& values, const ModularPoint& point,
                      const ring::ModularRing& field) const {
    if (step.kind == Step::Kind::number) return field.of(step.number);
    if (step.kind == Step::Kind::given) return point(given_[static_cast<std::size_t>(step.number)]).value_or(none);
    std::uint64_t result = step.kind == Step::Kind::sum ? 0 : 1;
    for (std::uint32_t i = step.begin; i < step.begin + step.count; ++i) {
      const std::uint64_t part = values[parts_[i]];
      if (part == none || (step.number < 0 && part == 0)) return none;
      if (step.kind == Step::Kind::sum)
        result = field.add(result, part);
      else
        result = field.multiply(result, step.kind == Step::Kind::product
                                            ? part
                                            : field.power(part, static_cast<std::uint64_t>(std::abs(step.number))));
    }
    return step.number < 0 ? field.inverse(result) : result;
  }

  std::vector<Step> steps_;
  std::vector<std::uint32_t> parts_;
  std::vector<GiNaC::ex> given_;
  GiNaC::exhashmap<std::uint32_t> known_;  ///< of symbols
  std::uint32_t above_ = 0, below_ = 0;
};

/// Bound of the degrees of numerator and denominator of an expression.
double expression_degree(const GiNaC::ex& e) {
  if (GiNaC::is_exactly_a<GiNaC::numeric>(e)) return 0;
  if (GiNaC::is_exactly_a<GiNaC::power>(e) && e.op(1).info(GiNaC::info_flags::integer))
    return expression_degree(e.op(0)) * std::abs(GiNaC::ex_to<GiNaC::numeric>(e.op(1)).to_double());
  if (!GiNaC::is_exactly_a<GiNaC::add>(e) && !GiNaC::is_exactly_a<GiNaC::mul>(e)) return 1;
  double sum = 0;
  for (std::size_t i = 0; i < e.nops(); ++i) sum += expression_degree(e.op(i));
  return sum;
}

/// The sequences before they are verified. What they are made from is gone then, and the matrix already when the last one is to
/// be found by elimination: of a million nodes it is a gigabyte.
std::vector<TransferSequence> written_sequences(const SignalFlowGraph& graph, std::span<const Question> questions,
                                                const SequenceOptions& options) {
  std::optional<GraphMatrix> matrix(std::in_place, graph, diagram_limits, options.budget);
  TermCounter counter(*matrix, ParallelBranches::apart);
  // Counting takes the diagrams that elimination is to avoid in large graphs.
  const bool counted = options.method != SequenceOptions::Choice::elimination || graph.nodes().size() <= most_nodes_counted;
  const auto count = [&](const GraphMatrix::Product& product) { return counted ? counter.count(product) : std::nullopt; };
  const std::optional<ring::Integer> determinant_terms = count(matrix->determinant());
  const std::string prefix = unused_prefix(graph);
  std::vector<TransferSequence> results;
  for (const Question& question : questions) {
    TransferSequence& result = results.emplace_back();
    result.question = question;
    Programs programs(graph, *matrix, question, options);
    result.terms = {count(programs.numerator()), determinant_terms};
    if (results.size() == questions.size() && !programs.has_diagrams()) matrix.reset();
    programs.choose();
    programs.write(prefix, result);
    for (const auto& definition : result.definitions) result.operations += operation_counts(definition.value);
    result.operations += operation_counts(result.numerator);
    result.operations += operation_counts(result.denominator);
    if (!result.denominator.is_equal(1)) ++result.operations.divisions;
  }
  return results;
}

}  // namespace

std::optional<std::uint64_t> value_modulo(const TransferSequence& sequence, const ModularPoint& point) {
  return SequenceSteps(sequence).quotient(point);
}

std::vector<TransferSequence> transfer_sequences(const SignalFlowGraph& graph, std::span<const Question> questions,
                                                 const SequenceOptions& options) {
  require_answers(graph, questions, options.budget);
  double degree = 0;
  for (const Branch& branch : graph.branches())
    if (branch.linear()) degree += 2 * expression_degree(branch.gain());
  std::vector<TransferSequence> results = written_sequences(graph, questions, options);
  const std::vector<double> degrees(results.size(), degree);
  const std::vector<SequenceSteps> steps(results.begin(), results.end());
  const auto checks = verified(
      graph, questions, [&](std::size_t i, const ModularPoint& point) { return steps[i].quotient(point); }, degrees, options.seed,
      2, options.budget);
  for (std::size_t i = 0; i < results.size(); ++i) results[i].verification = checks[i];
  return results;
}

TransferSequence transfer_sequence(const SignalFlowGraph& graph, const Question& question, const SequenceOptions& options) {
  return std::move(transfer_sequences(graph, std::span(&question, 1), options).front());
}

}  // namespace sfg
