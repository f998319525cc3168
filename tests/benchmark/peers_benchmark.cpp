// The same transfer functions by other libraries, from the same graphs: peers_benchmark PEER FILE, with PEER
//   ginac-determinant  two determinants expanded (Cramer's rule), GiNaC chooses the algorithm
//   ginac-solve        GiNaC's lsolve for all signals, then normal() of the one wanted
//   flint-minors       two determinants by shared minors over the rows, fmpz_mpoly, written by hand
// Reading the file is not timed. One line of JSON as transfer_benchmark.
#include <flint/fmpz_mpoly.h>

#include <set>
#include <stdexcept>
#include <unordered_map>

#include "benchmark/measure.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg::benchmark {
namespace {

GiNaC::matrix matrix_of(const SignalFlowGraph& graph) {
  const auto n = static_cast<unsigned>(graph.nodes().size());
  GiNaC::matrix M(n, n);
  for (unsigned i = 0; i < n; ++i) M(i, i) = 1;
  for (const Branch& branch : graph.branches()) M(branch.to.index, branch.from.index) -= branch.gain();
  return M;
}

/// Column `output` replaced by the unit vector of the input.
GiNaC::matrix cramer(GiNaC::matrix M, const Question& question) {
  for (unsigned i = 0; i < M.rows(); ++i) M(i, question.output.index) = i == question.input.index ? 1 : 0;
  return M;
}

void print_quotient(double seconds, const GiNaC::ex& above, const GiNaC::ex& below) {
  const ComparisonPoint point;
  print_line({{"seconds", seconds}}, {{"value", std::to_string(point.field().divide(point(above), point(below)))}});
}

void ginac_determinant(const SignalFlowGraph& graph, const Question& question) {
  const GiNaC::matrix M = matrix_of(graph);
  GiNaC::ex above, below;
  const Clock clock;
  above = cramer(M, question).determinant().expand();
  below = M.determinant().expand();
  print_quotient(clock.seconds(), above, below);
}

void ginac_solve(const SignalFlowGraph& graph, const Question& question) {
  GiNaC::lst equations, unknowns;
  std::vector<GiNaC::symbol> x;
  for (const Node& node : graph.nodes()) x.emplace_back("x_" + node.name);
  std::vector<GiNaC::ex> right(x.size());
  right[question.input.index] = 1;
  for (const Branch& branch : graph.branches()) right[branch.to.index] += branch.gain() * x[branch.from.index];
  for (std::size_t i = 0; i < x.size(); ++i) {
    equations.append(x[i] == right[i]);
    unknowns.append(x[i]);
  }
  const Clock clock;
  const GiNaC::ex solution = GiNaC::lsolve(equations, unknowns);
  const GiNaC::ex answer = solution.op(question.output.index).rhs().normal();
  print_quotient(clock.seconds(), answer.numer(), answer.denom());
}

/// Minors over the first rows, by the columns they use, each made once; columns that no later row has must be used.
class Minors {
 public:
  explicit Minors(const std::vector<std::string>& names) : names_(names) {
    fmpz_mpoly_ctx_init(context_, static_cast<slong>(names.size()), ORD_DEGREVLEX);
  }
  ~Minors() { fmpz_mpoly_ctx_clear(context_); }
  Minors(const Minors&) = delete;
  Minors& operator=(const Minors&) = delete;

  class Poly {
   public:
    explicit Poly(const fmpz_mpoly_ctx_struct* context) : context_(context) { fmpz_mpoly_init(p, context_); }
    Poly(Poly&& other) noexcept : Poly(other.context_) { fmpz_mpoly_swap(p, other.p, context_); }
    Poly(const Poly&) = delete;
    Poly& operator=(const Poly&) = delete;
    Poly& operator=(Poly&&) = delete;
    ~Poly() { fmpz_mpoly_clear(p, context_); }
    fmpz_mpoly_t p;

   private:
    const fmpz_mpoly_ctx_struct* context_;
  };

  struct Entry {
    unsigned column;
    Poly value;
  };
  using Rows = std::vector<std::vector<Entry>>;

  Rows rows(const GiNaC::matrix& M) const {
    Rows result(M.rows());
    for (unsigned i = 0; i < M.rows(); ++i)
      for (unsigned j = 0; j < M.cols(); ++j) {
        if (M(i, j).is_zero()) continue;
        result[i].push_back({j, Poly(context_)});
        std::vector<const char*> variables;
        for (const std::string& name : names_) variables.push_back(name.c_str());
        if (fmpz_mpoly_set_str_pretty(result[i].back().value.p, print(M(i, j)).c_str(), variables.data(), context_) != 0)
          throw std::runtime_error("an entry is no polynomial");
      }
    return result;
  }

  Poly determinant(const Rows& rows) const {
    std::unordered_map<std::uint64_t, Poly> level;
    level.try_emplace(0, context_);
    fmpz_mpoly_one(level.at(0).p, context_);
    std::uint64_t dead = 0;
    Poly product(context_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::uint64_t later = 0;
      for (std::size_t k = i + 1; k < rows.size(); ++k)
        for (const Entry& entry : rows[k]) later |= std::uint64_t{1} << entry.column;
      for (const Entry& entry : rows[i])
        if ((later >> entry.column & 1U) == 0) dead |= std::uint64_t{1} << entry.column;
      std::unordered_map<std::uint64_t, Poly> next;
      for (const auto& [used, minor] : level)
        for (const Entry& entry : rows[i]) {
          const std::uint64_t bit = std::uint64_t{1} << entry.column;
          if ((used & bit) != 0 || ((used | bit) & dead) != dead) continue;
          const bool negative = __builtin_popcountll(used & ~(2 * bit - 1)) % 2 != 0;
          fmpz_mpoly_mul(product.p, minor.p, entry.value.p, context_);
          Poly& sum = next.try_emplace(used | bit, context_).first->second;
          (negative ? fmpz_mpoly_sub : fmpz_mpoly_add)(sum.p, sum.p, product.p, context_);
        }
      level = std::move(next);
    }
    return level.empty() ? Poly(context_) : std::move(level.begin()->second);
  }

  std::uint64_t value(const Poly& poly) const {
    std::vector<fmpz> values(names_.size());
    std::vector<fmpz*> pointers;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      fmpz_init_set_ui(&values[i], value_of(names_[i]));
      pointers.push_back(&values[i]);
    }
    fmpz_t result;
    fmpz_init(result);
    fmpz_mpoly_evaluate_all_fmpz(result, poly.p, pointers.data(), context_);
    const std::uint64_t residue = fmpz_fdiv_ui(result, ring::ModularRing::mersenne61);
    fmpz_clear(result);
    for (fmpz& v : values) fmpz_clear(&v);
    return residue;
  }

 private:
  std::vector<std::string> names_;
  fmpz_mpoly_ctx_t context_;
};

void flint_minors(const SignalFlowGraph& graph, const Question& question) {
  if (graph.nodes().size() > 64) throw std::runtime_error("more than 64 nodes");
  const GiNaC::matrix M = matrix_of(graph);
  const Minors minors(graph.symbols.names());
  const auto above = minors.rows(cramer(M, question)), below = minors.rows(M);
  std::uint64_t value = 0;
  const double seconds = best_of(5, [&] {
    const Minors::Poly n = minors.determinant(above), d = minors.determinant(below);
    if (value == 0) value = ring::ModularRing(ring::ModularRing::mersenne61).divide(minors.value(n), minors.value(d));
  });
  print_line({{"seconds", seconds}}, {{"value", std::to_string(value)}});
}

int run(const std::string& peer, const std::string& file) {
  const Input input = read_file(file, {});
  const auto& graph = std::get<SignalFlowGraph>(input.content);
  const Question question = questions(graph).front();
  if (peer == "ginac-determinant")
    ginac_determinant(graph, question);
  else if (peer == "ginac-solve")
    ginac_solve(graph, question);
  else if (peer == "flint-minors")
    flint_minors(graph, question);
  else
    return 2;
  return 0;
}

}  // namespace
}  // namespace sfg::benchmark

int main(int argc, char** argv) { return sfg::benchmark::program(argc, argv, sfg::benchmark::run); }
