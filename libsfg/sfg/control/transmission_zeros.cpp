#include "sfg/control/poles.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/exact/invariant_factors.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/transfer/transfer_table.hpp"
#include "sfg/transfer/unrounded_transfer.hpp"

namespace sfg {

namespace {

using exact::ExactNumber;
using exact::ExactPolynomial;
using exact::PolynomialMatrix;
using exact::Rational;
using exact::RationalPolynomial;

template <class Polynomial>
struct Entry {
  std::size_t row = 0, column = 0;
  Polynomial numerator, denominator;
};

template <class Polynomial>
using Fractions = std::vector<std::pair<Polynomial, Polynomial>>;

/// N(s)/d(s) with the least common denominator.
template <class Polynomial>
std::pair<PolynomialMatrix<Polynomial>, Polynomial> over_one(const std::vector<Entry<Polynomial>>& entries, std::size_t rows,
                                                             std::size_t columns) {
  Polynomial common = entries.front().denominator;
  for (const auto& entry : entries) common = divided(common * entry.denominator, gcd(common, entry.denominator)).first.monic();
  PolynomialMatrix<Polynomial> matrix(rows, std::vector<Polynomial>(columns));
  for (const auto& entry : entries) matrix[entry.row][entry.column] = entry.numerator * divided(common, entry.denominator).first;
  return {std::move(matrix), std::move(common)};
}

template <class Polynomial>
Fractions<Polynomial> in_lowest_terms(const std::vector<Polynomial>& factors, const Polynomial& below) {
  Fractions<Polynomial> result;
  for (const Polynomial& factor : factors) {
    const Polynomial common = gcd(factor, below);
    result.emplace_back(divided(factor, common).first.monic(), divided(below, common).first.monic());
  }
  return result;
}

Fractions<RationalPolynomial> form_of(const std::vector<Entry<RationalPolynomial>>& entries, std::size_t rows,
                                      std::size_t columns, const std::function<void()>& checkpoint) {
  constexpr std::size_t most = 120;  // degree of a minor that is factored in seconds, which nothing interrupts
  const auto [matrix, below] = over_one(entries, rows, columns);
  if (std::min(rows, columns) * static_cast<std::size_t>(std::max(0L, below.degree())) > most)
    throw LimitReached("the matrix is too large");
  const auto factors = invariant_factors(matrix, checkpoint);
  if (!have_common_divisors(matrix, factors, checkpoint))
    throw std::logic_error("the Smith-McMillan form does not agree with the minors of the matrix");
  return in_lowest_terms(factors, below);
}

/// Rows and columns mixed by random whole numbers: the invariant factors stay.
PolynomialMatrix<ExactPolynomial> mixed(PolynomialMatrix<ExactPolynomial> matrix) {
  std::mt19937_64 random(7);
  const auto by = [&] { return ExactPolynomial({ExactNumber(Rational(static_cast<long>(random() % 7) + 1))}); };
  for (std::size_t i = matrix.size(); i-- > 1;) {
    const ExactPolynomial factor = by();
    for (std::size_t j = 0; j < matrix[i].size(); ++j) matrix[i - 1][j] = matrix[i - 1][j] + factor * matrix[i][j];
  }
  for (std::size_t j = matrix.front().size(); j-- > 1;) {
    const ExactPolynomial factor = by();
    for (auto& row : matrix) row[j - 1] = row[j - 1] + factor * row[j];
  }
  return matrix;
}

Fractions<RationalPolynomial> form_of(const std::vector<Entry<ExactPolynomial>>& entries, std::size_t rows, std::size_t columns,
                                      exact::Boundary boundary, const std::function<void()>& checkpoint) {
  const auto [matrix, below] = over_one(entries, rows, columns);
  const auto factors = invariant_factors(matrix, checkpoint), again = invariant_factors(mixed(matrix), checkpoint);
  bool same = factors.size() == again.size();
  for (std::size_t i = 0; same && i < factors.size(); ++i) same = (factors[i].monic() - again[i].monic()).is_zero();
  if (!same) throw std::logic_error("two eliminations find different Smith-McMillan forms");
  Fractions<RationalPolynomial> result;
  for (const auto& [n, d] : in_lowest_terms(factors, below)) result.emplace_back(rounded(n, boundary), rounded(d, boundary));
  return result;
}

/// Of an irrational number that was rounded, or of a rational one of that length.
bool long_numbers(const ExactTransfer& transfer) {
  constexpr std::size_t digits = 90;
  for (const QuasiPolynomial* side : {&transfer.numerator, &transfer.denominator})
    for (const auto& part : side->parts)
      if (std::ranges::any_of(part.polynomial.coefficients(), [&](const Rational& c) { return c.text().size() > digits; }))
        return true;
  return false;
}

/// The irrational constants of a gain, rounded.
void add_constants(const GiNaC::ex& gain, std::size_t digits, GiNaC::exmap& constants) {
  const bool power = GiNaC::is_a<GiNaC::power>(gain) && !gain.op(1).info(GiNaC::info_flags::integer);
  const bool one = GiNaC::is_a<GiNaC::constant>(gain) || GiNaC::is_a<GiNaC::function>(gain) || power;
  if (one && symbol_names(gain).empty()) {
    if (const auto value = rational_value(gain, digits)) constants[gain] = numeric_value(*value);
    return;
  }
  for (const GiNaC::ex& part : gain) add_constants(part, digits, constants);
}

const Rational& small_part() {
  static const Rational part = [] {
    Rational value = 1;
    for (int i = 0; i < 30; ++i) value *= Rational(1) / Rational(10);
    return value;
  }();
  return part;
}

bool nearly_equal(const RationalPolynomial& a, const RationalPolynomial& b) {
  Rational size = 0;
  for (const Rational& c : a.coefficients()) size = std::max(size, c.abs());
  const auto differences = (a - b).coefficients();
  return a.degree() == b.degree() &&
         std::ranges::all_of(differences, [&](const Rational& c) { return c.abs() < size * small_part(); });
}

/// Distinct ones, so near to each other that they may be one.
bool roots_nearly_meet(const RationalPolynomial& p) {
  constexpr std::size_t digits = 50;
  const std::vector<exact::Root> roots = exact::roots(p.coefficients(), digits);
  for (std::size_t i = 0; i < roots.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Rational apart = std::max((roots[i].real - roots[j].real).abs(), (roots[i].imaginary - roots[j].imaginary).abs());
      const Rational size = std::max(Rational(1), std::max(roots[i].real.abs(), roots[i].imaginary.abs()));
      if (apart * apart * apart < size * size * size * small_part()) return true;
    }
  return false;
}

/// Whether every dead time is one of its row and one of its column: then it shifts signals as a whole.
bool of_rows_and_columns(const std::map<std::pair<std::size_t, std::size_t>, Rational>& delays) {
  std::map<std::size_t, Rational> rows, columns;
  const auto spread = [&] {
    bool any = false;
    for (const auto& [at, delay] : delays) {
      const auto row = rows.find(at.first), column = columns.find(at.second);
      if (row != rows.end() && column == columns.end())
        any = columns.emplace(at.second, delay - row->second).second;
      else if (row == rows.end() && column != columns.end())
        any = rows.emplace(at.first, delay - column->second).second;
    }
    return any;
  };
  for (const auto& [at, delay] : delays)
    if (!rows.contains(at.first) && !columns.contains(at.second)) {
      rows.emplace(at.first, 0);
      while (spread()) {
      }
    }
  return std::ranges::all_of(
      delays, [&](const auto& entry) { return rows.at(entry.first.first) + columns.at(entry.first.second) == entry.second; });
}

class MatrixOfTransfers {
 public:
  MatrixOfTransfers(const SignalFlowGraph& graph, std::span<const Question> questions, std::span<const ExactTransfer> transfers,
                    const PolesOptions& options)
      : graph_(graph), questions_(questions), transfers_(transfers), options_(options), share_(share_of(options.budget)) {}

  std::optional<TransmissionZeros> operator()() {
    const auto ratio = [](const Question& question) { return question.mode == Question::Mode::ratio; };
    if (std::ranges::any_of(questions_, ratio)) return {};
    auto grid = grid_of(transfers_);
    if (!grid || grid->inputs.size() < 2 || grid->outputs.size() < 2) return {};
    result_.inputs = std::move(grid->inputs), result_.outputs = std::move(grid->outputs);
    places_ = std::move(grid->places);
    rows_ = result_.outputs.size(), columns_ = result_.inputs.size();
    result_.op = transfers_.front().op;
    if (delays_are_apart()) try {
        find();
      } catch (const exact::Undecided& why) {
        result_.open = why.what();
      } catch (const LimitReached&) {  // the entries have their answers all the same
        options_.budget.check("the Smith-McMillan form");
        result_.open = "the matrix is too large for its form to be found in the time that this part has";
      }
    return std::move(result_);
  }

 private:
  /// A fifth of the time at most: the answers for single entries do not wait for it.
  static Budget share_of(const Budget& whole) {
    constexpr double part = 0.2;
    Budget::Limits limits = whole.limits();
    if (limits.seconds) limits.seconds = part * *limits.seconds;
    return Budget(limits);
  }

  bool delays_are_apart() {
    std::map<std::pair<std::size_t, std::size_t>, Rational> delays;
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
      const auto& above = transfers_[i].numerator.parts;
      if (above.size() > 1 || !transfers_[i].denominator.rational()) {
        result_.open = "dead times are in sums, so that there may be infinitely many zeros";
        return false;
      }
      if (above.empty()) continue;
      delays.emplace(places_[i], above.front().delay);
      result_.dead_time = result_.dead_time || above.front().delay.sign() != 0;
    }
    if (of_rows_and_columns(delays)) return true;
    result_.open =
        "the entries have unlike dead times, which no shift of whole inputs and outputs takes away, so that there may be "
        "infinitely many zeros";
    return false;
  }

  void find() {
    const std::function<void()> checkpoint = [this] { share_.check("the Smith-McMillan form"); };
    result_.smith_mcmillan = form(checkpoint);
    RationalPolynomial numerators = RationalPolynomial::constant(1);
    for (const auto& [n, d] : result_.smith_mcmillan) {
      numerators *= n;
      result_.degree += static_cast<std::size_t>(d.degree());
    }
    result_.zeros = exact::roots(numerators.coefficients(), options_.digits);
  }

  Fractions<RationalPolynomial> form(const std::function<void()>& checkpoint) const {
    if (std::ranges::none_of(transfers_, long_numbers)) return form_of(rational(), rows_, columns_, checkpoint);
    const std::vector<Entry<ExactPolynomial>> entries = unrounded();
    const auto whole = [](const Entry<ExactPolynomial>& entry) {
      return entry.numerator.rational() && entry.denominator.rational();
    };
    if (std::ranges::all_of(entries, whole)) return form_of(rational(), rows_, columns_, checkpoint);
    if (auto found = of_rounded_constants(checkpoint)) return *std::move(found);
    return form_of(entries, rows_, columns_, result_.op.boundary(), checkpoint);
  }

  /// With every irrational constant rounded to the same number wherever it stands, what entries have in common stays in common,
  /// but for relations among constants: (√2)² is 2 no more. Two roundings tell: such a relation leaves roots that nearly meet, or
  /// numbers that differ between the two. Nothing then.
  std::optional<Fractions<RationalPolynomial>> of_rounded_constants(const std::function<void()>& checkpoint) const {
    constexpr std::size_t digits = 60, more = 90;
    const auto first = form_of(rounded_entries(digits), rows_, columns_, checkpoint);
    auto second = form_of(rounded_entries(more), rows_, columns_, checkpoint);
    if (first.size() != second.size()) return {};
    RationalPolynomial all = RationalPolynomial::constant(1);
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (!nearly_equal(first[i].first, second[i].first) || !nearly_equal(first[i].second, second[i].second)) return {};
      all *= second[i].first * second[i].second;
    }
    if (roots_nearly_meet(all)) return {};
    return second;
  }

  std::vector<Entry<RationalPolynomial>> rounded_entries(std::size_t digits) const {
    const SignalFlowGraph numbered = graph_.substituted(graph_.parameter_values());
    GiNaC::exmap constants;
    for (const BranchId id : numbered.branch_ids())
      if (const auto* gain = std::get_if<GiNaC::ex>(&numbered[id].law)) add_constants(*gain, digits, constants);
    const auto transfers = exact_transfers(numbered.substituted(constants), questions_, {.budget = options_.budget});
    return entries_of(transfers);
  }

  std::vector<Entry<RationalPolynomial>> rational() const { return entries_of(transfers_); }

  std::vector<Entry<RationalPolynomial>> entries_of(std::span<const ExactTransfer> transfers) const {
    std::vector<Entry<RationalPolynomial>> entries;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      const auto& above = transfers[i].numerator.parts;
      entries.push_back({places_[i].first, places_[i].second, above.empty() ? RationalPolynomial() : above.front().polynomial,
                         transfers[i].denominator.polynomial()});
    }
    return entries;
  }

  std::vector<Entry<ExactPolynomial>> unrounded() const {
    std::vector<Entry<ExactPolynomial>> entries;
    for (auto& transfer : unrounded_transfers(graph_, questions_, {.budget = options_.budget})) {
      const auto [row, column] = places_[entries.size()];
      entries.push_back({row, column, std::move(transfer.numerator), std::move(transfer.denominator)});
    }
    return entries;
  }

  const SignalFlowGraph& graph_;
  std::span<const Question> questions_;
  std::span<const ExactTransfer> transfers_;
  const PolesOptions& options_;
  const Budget share_;
  TransmissionZeros result_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;
  std::size_t rows_ = 0, columns_ = 0;
};

}  // namespace

std::optional<TransmissionZeros> transmission_zeros(const SignalFlowGraph& graph, std::span<const Question> questions,
                                                    std::span<const ExactTransfer> transfers, const PolesOptions& options) {
  return MatrixOfTransfers(graph, questions, transfers, options)();
}

}  // namespace sfg
