#include "sfg/transfer/blocks.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/ddd/determinant_diagram.hpp"
#include "sfg/error.hpp"
#include "sfg/transfer/graph_matrix.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {

namespace {

constexpr std::uint64_t few_terms = 400;       ///< what is longer is written as definitions
constexpr std::size_t most_in_diagrams = 200;  ///< nodes; beyond, nodes are eliminated without a look at diagrams

SequenceOptions sequence_options(const SignalFlowGraph& graph, const BlockOptions& options) {
  SequenceOptions made{.budget = options.budget, .seed = options.seed};
  if (graph.nodes().size() > most_in_diagrams) made.method = SequenceOptions::Choice::elimination;
  return made;
}

/// Vertices of all the diagrams that the answers need, each counted once, without the one that stands for 1.
std::optional<std::size_t> diagram_vertices(const SignalFlowGraph& graph, std::span<const Question> questions,
                                            const Budget& budget) {
  if (graph.nodes().size() > most_in_diagrams) return {};
  try {
    GraphMatrix matrix(graph, DiagramLimits{std::uint64_t{1} << 18, 0.1}, budget);
    std::set<std::size_t> used;
    for (const Question& question : questions) {
      const GraphMatrix::Quotient quotient = matrix.response(question);
      used.insert(quotient.above.begin(), quotient.above.end());
      used.insert(quotient.below.begin(), quotient.below.end());
    }
    std::size_t count = 0;
    for (const std::size_t id : used)
      if (const std::size_t vertices = matrix.diagram(id).vertex_count(); vertices > 0) count += vertices - 1;
    return count;
  } catch (const ddd::TooLarge&) {
    return {};
  }
}

std::optional<std::vector<TransferFunction>> short_transfers(const SignalFlowGraph& graph, std::span<const Question> questions,
                                                             const BlockOptions& options) {
  if (graph.nodes().size() > most_in_diagrams) return {};
  try {
    return transfer_functions(graph, questions, {.budget = options.budget.with_terms(few_terms), .seed = options.seed});
  } catch (const LimitReached&) {
    options.budget.check("the functions of a block");
    return {};
  }
}

Verification both(Verification one, const Verification& other) {
  if (one.method.find(other.method) == std::string::npos) one.method += "; " + other.method;
  one.points = std::min(one.points, other.points);
  one.error_bound += other.error_bound;
  return one;
}

}  // namespace

std::string ClosedBlock::name_of(const BlockKind& kind, const std::string& name) const {
  if (renamed.empty() || !kind.own.contains(name)) return name;
  std::string made = name;
  for (const auto& [from, to] : renamed)
    if (made.ends_with(from)) made.replace(made.size() - from.size(), from.size(), to);
  return made;
}

SolvedPart solved_part(const SignalFlowGraph& graph, std::span<const Question> questions, const std::string& end,
                       const BlockOptions& options) {
  SolvedPart solved;
  if (questions.empty()) return solved;
  solved.vertices = diagram_vertices(graph, questions, options.budget);
  const auto check = [&](const Verification& each) {
    solved.verification = solved.verification ? both(*solved.verification, each) : each;
  };
  if (const auto transfers = short_transfers(graph, questions, options)) {
    for (const TransferFunction& transfer : *transfers) {
      solved.values.push_back(transfer.value.expression());
      check(transfer.verification);
    }
    return solved;
  }
  std::size_t count = 0;
  for (const TransferSequence& sequence : transfer_sequences(graph, questions, sequence_options(graph, options))) {
    GiNaC::exmap names;  // definitions of several answers must differ
    for (const TransferSequence::Definition& definition : sequence.definitions) {
      const std::string name = "w" + std::to_string(++count) + end;
      const GiNaC::symbol symbol(name);
      solved.definitions.push_back({name, symbol, definition.value.subs(names, GiNaC::subs_options::no_pattern)});
      names[definition.symbol] = symbol;
    }
    solved.values.push_back((sequence.numerator / sequence.denominator).subs(names, GiNaC::subs_options::no_pattern));
    check(sequence.verification);
  }
  return solved;
}

void solve_outside(const SignalFlowGraph& graph, std::span<const Question> questions, const BlockOptions& options,
                   BlockTransfers& made) {
  made.vertices = diagram_vertices(graph, questions, options.budget);
  const auto transfers = short_transfers(graph, questions, options);
  if (!transfers) {
    made.transfers = transfer_sequences(graph, questions, {.budget = options.budget, .seed = options.seed});
    return;
  }
  for (const TransferFunction& transfer : *transfers) {
    const PolynomialSpace& space = transfer.value.space();
    TransferSequence& sequence = made.transfers.emplace_back();
    sequence.question = transfer.question;
    sequence.numerator = space.expression(transfer.value.numerator());
    sequence.denominator = space.expression(transfer.value.denominator());
    sequence.terms = transfer.terms;
    sequence.verification = transfer.verification;
  }
}

void verify_whole(BlockTransfers& made, const SignalFlowGraph& outside, const SignalFlowGraph& whole,
                  std::span<const Question> questions, const BlockOptions& options) {
  SymbolTable symbols = outside.symbols;
  TransferSequence put_in;
  for (const ClosedBlock& block : made.blocks) {
    const BlockKind& kind = made.kinds[block.kind];
    GiNaC::exmap names;
    if (!block.renamed.empty()) {
      std::set<std::string> used;
      for (const auto& function : kind.functions)
        for (const std::string& name : symbol_names(function.value)) used.insert(name);
      for (const auto& function : kind.functions) names[function.symbol] = symbols.symbol(block.name_of(kind, function.name));
      for (const std::string& name : used)
        if (kind.own.contains(name)) names[symbols.symbol(name)] = symbols.symbol(block.name_of(kind, name));
    }
    for (const auto& function : kind.functions)
      put_in.definitions.push_back({block.name_of(kind, function.name),
                                    function.symbol.subs(names, GiNaC::subs_options::no_pattern),
                                    function.value.subs(names, GiNaC::subs_options::no_pattern)});
  }
  std::vector<TransferSequence> all;
  for (const TransferSequence& transfer : made.transfers) {
    TransferSequence& each = all.emplace_back(put_in);
    each.definitions.insert(each.definitions.end(), transfer.definitions.begin(), transfer.definitions.end());
    each.numerator = transfer.numerator;
    each.denominator = transfer.denominator;
  }
  // The degrees of both sides are those of determinants of the whole.
  double degree = 0;
  for (const Branch& branch : whole.branches())
    if (branch.linear()) degree += 4 * static_cast<double>(1 + operation_counts(branch.gain()).total());
  const std::vector<double> degrees(all.size(), degree);
  const auto checks = verified(
      whole, questions, [&](std::size_t i, const ModularPoint& point) { return value_modulo(all[i], point); }, degrees,
      options.seed + 1, 2, options.budget);
  for (std::size_t i = 0; i < checks.size(); ++i) made.transfers[i].verification = checks[i];
  made.whole = true;
}

GiNaC::ex BlockLetters::letter(const std::string& name, const GiNaC::ex& value) {
  if (value.is_zero() || value.is_equal(1) || value.is_equal(-1)) return value;
  for (const auto& known : kind_.functions) {
    if (known.value.is_equal(value)) return known.symbol;
    if (known.value.is_equal(-value)) return -known.symbol;
  }
  std::string free = name;
  while (symbols_.find(free)) free = "f" + free;
  kind_.functions.push_back({free, symbols_.symbol(free), value});
  kind_.own.insert(free);
  return kind_.functions.back().symbol;
}

}  // namespace sfg
