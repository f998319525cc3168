// What is certified is read back from the printed formulas: the residues of the evidence are those of the text, not of the
// expressions behind it, and an answer whose text does not satisfy the equations at every point is an error here already.
#include "sfg/transfer/certificate.hpp"

#include <cln/integer_io.h>
#include <cln/io.h>
#include <cln/real.h>
#include <ginac/operators.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/printed_formula.hpp"
#include "sfg/transfer/residue_system.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

using LetterKind = FormulaLetter::Kind;

/// The chance that a polynomial of the degree vanishes at a random point modulo a prime above 2^60.
double ratio_to_prime(const cln::cl_I& degree) {
  constexpr long bits = 60;
  return cln::integer_length(degree) > bits ? 1 : std::ldexp(cln::double_approx(degree), -bits);
}

std::string digits(const cln::cl_I& number) {
  std::ostringstream out;
  out << number;
  return out.str();
}

/// Formulas of an answer as they are printed.
struct AnswerText {
  std::vector<PrintedFormula> definitions = {};
  PrintedFormula numerator, denominator;
};

/// The answers as one expression each, whatever form they have.
struct Solved {
  std::vector<TransferSequence::Definition> definitions = {};
  GiNaC::ex numerator, denominator;
  const RationalFunction* fraction = nullptr;  ///< in lowest terms
};

class Certifier {
 public:
  Certifier(const SignalFlowGraph& graph, std::span<const Question> questions, const LinearEquations& equations,
            const CertificateOptions& options)
      : graph_(graph), questions_(questions), equations_(equations), options_(options) {}

  Certificate run() {
    result_.title = graph_.title;
    result_.op = graph_.op.symbol();
    result_.signals = equations_.signals;
    result_.left_out = equations_.left_out;
    solve();
    choose_letters();
    write_equations();
    for (std::size_t i = 0; i < solved_.size(); ++i) write_answer(i);
    result_.letters = letters_->all();
    bound_errors();
    add_points();
    return std::move(result_);
  }

 private:
  void solve() {
    if (options_.form != CertificateOptions::Form::sequence && solved_as_fractions()) return;
    sequences_ = transfer_sequences(graph_, questions_, {.budget = options_.budget, .seed = options_.seed});
    for (const TransferSequence& sequence : sequences_)
      solved_.push_back({sequence.definitions, sequence.numerator, sequence.denominator});
  }

  /// False where a fraction is long and not demanded.
  bool solved_as_fractions() {
    constexpr std::uint64_t readable = 5000;
    const bool demanded = options_.form == CertificateOptions::Form::fraction;
    const Budget budget = demanded ? options_.budget : options_.budget.with_terms(readable);
    try {
      fractions_ = transfer_functions(graph_, questions_, {.budget = budget, .seed = options_.seed});
    } catch (const LimitReached&) {
      if (demanded) throw;
      options_.budget.check("the transfer functions");
      return false;
    }
    for (const TransferFunction& transfer : fractions_) {
      const RationalFunction& value = transfer.value;
      const PolynomialSpace& space = value.space();
      solved_.push_back({{}, space.expression(value.numerator()), space.expression(value.denominator()), &value});
    }
    return true;
  }

  void choose_letters() {
    std::vector<GiNaC::ex> all;
    std::set<std::string> defined;
    for (const auto& equation : equations_.equations)
      for (const auto& [signal, coefficient] : equation.terms) all.push_back(coefficient);
    random_.emplace(all);
    for (const Solved& answer : solved_) {
      for (const auto& definition : answer.definitions) {
        defined.insert(definition.name);
        all.push_back(definition.value);
      }
      all.insert(all.end(), {answer.numerator, answer.denominator});
    }
    letters_.emplace(all, std::move(defined));
    letters_->written(graph_.op.in(graph_.symbols));
  }

  /// Collected by powers of the operator where its variables are letters already.
  std::string text(const RationalFunction& fraction, const ring::Polynomial& part) {
    for (std::size_t i = 0; i < fraction.space().size(); ++i)
      if (!letters_->written(fraction.space().generator(i)).is_equal(fraction.space().generator(i)))
        return text(fraction.space().expression(part));
    return print(part);
  }

  std::string text(const GiNaC::ex& e) { return print(letters_->written(e), Notation::text, result_.op); }

  void write_equations() {
    for (const auto& equation : equations_.equations) {
      Certificate::Equation& row = result_.equations.emplace_back(Certificate::Equation{equation.of});
      for (const auto& [signal, coefficient] : equation.terms) {
        coefficients_.emplace_back(text(coefficient));
        row.terms.emplace_back(signal, coefficients_.back().text());
      }
    }
  }

  void write_answer(std::size_t i) {
    const Question& question = questions_[i];
    const Solved& solved = solved_[i];
    Certificate::Answer answer{.input = graph_[question.input].name,
                               .output = graph_[question.output].name,
                               .driven = graph_[driver(question)].name,
                               .mode = question.mode};
    std::vector<PrintedFormula> definitions;
    for (const auto& definition : solved.definitions) {
      definitions.emplace_back(text(definition.value));
      answer.definitions.emplace_back(definition.name, definitions.back().text());
    }
    answer.lowest_terms = solved.fraction != nullptr && !solved.fraction->space().has_roots();
    if (std::ranges::find(result_.driven, answer.driven) == result_.driven.end()) result_.driven.push_back(answer.driven);
    const RationalFunction* value = solved.fraction;
    texts_.push_back({std::move(definitions), PrintedFormula(value ? text(*value, value->numerator()) : text(solved.numerator)),
                      PrintedFormula(value ? text(*value, value->denominator()) : text(solved.denominator))});
    answer.numerator = texts_.back().numerator.text();
    answer.denominator = texts_.back().denominator.text();
    if (value) answer.poles = poles_of(*value);
    result_.answers.push_back(std::move(answer));
  }

  /// Nothing where the denominator has other letters than the operator.
  std::optional<PoleEnclosure> poles_of(const RationalFunction& value) const {
    std::vector<exact::Rational> coefficients;
    for (const ring::Polynomial& coefficient : value.denominator().coefficients(0)) {
      const GiNaC::ex number = value.space().expression(coefficient);
      if (!GiNaC::is_exactly_a<GiNaC::numeric>(number)) return {};
      coefficients.push_back(exact_value(GiNaC::ex_to<GiNaC::numeric>(number)));
    }
    return pole_enclosure(exact::RationalPolynomial(coefficients), graph_.op, options_.budget);
  }

  /// Of N·det = D·det', both sides cleared of denominators: those of every row of the equations, and those in N and D. Square
  /// roots and their like make the identity one of the product over all values that they may have, at points where they exist.
  void bound_errors() {
    PrintedFormula::Degrees degrees;
    cln::cl_I factor = 1;
    for (const FormulaLetter& letter : result_.letters) {
      degrees[letter.name] = {1, 0};
      if (letter.kind != LetterKind::root) continue;
      const DegreeBound under = PrintedFormula(letter.of).degree(degrees);
      degrees[letter.name] = {cln::max(cln::cl_I(1), under.above + under.below), under.below};
      factor = (factor == 1 ? cln::cl_I(2) : factor) * cln::cl_I(2 * letter.degree);
    }
    cln::cl_I rows = 0;
    auto coefficient = coefficients_.begin();
    for (const auto& equation : result_.equations) {
      cln::cl_I below = 0, most = 0;
      std::vector<DegreeBound> row;
      for (std::size_t i = 0; i < equation.terms.size(); ++i) row.push_back((coefficient++)->degree(degrees));
      for (const DegreeBound& entry : row) below = below + entry.below;
      for (const DegreeBound& entry : row) most = cln::max(most, entry.above + below - entry.below);
      rows = rows + cln::max(most, below);
    }
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      PrintedFormula::Degrees with = degrees;
      for (std::size_t d = 0; d < texts_[i].definitions.size(); ++d)
        with[result_.answers[i].definitions[d].first] = texts_[i].definitions[d].degree(with);
      const DegreeBound above = texts_[i].numerator.degree(with), below = texts_[i].denominator.degree(with);
      const cln::cl_I degree = cln::max(above.above + below.below, above.below + below.above) + rows;
      result_.answers[i].degree_bound = digits(degree);
      result_.answers[i].error_bound = std::pow(ratio_to_prime(factor * degree), static_cast<double>(options_.points));
    }
  }

  void add_points() {
    constexpr std::uint64_t most_unlucky = 40;
    for (std::uint64_t attempt = 0; result_.points.size() < options_.points; ++attempt) {
      if (attempt == options_.points + most_unlucky)
        throw std::logic_error("certificate: no point was found at which it could be checked");
      options_.budget.check("the certificate");
      if (auto point = point_at((*random_)(options_.seed * 1013 + attempt, options_.budget)))
        result_.points.push_back(*std::move(point));
    }
  }

  /// Nothing at an unlucky point: a divisor or a determinant vanishes there.
  std::optional<Certificate::Point> point_at(const ModularPoint& random) {
    Certificate::Point point{.prime = random.prime()};
    PrintedFormula::Values values;
    for (const FormulaLetter& letter : result_.letters) {
      const auto value = random(letter.value);
      if (!value || !is_root(letter, *value, values, point.prime)) return {};
      point.letters.push_back(*value);
      values.emplace(letter.name, *value);
    }
    if (std::ranges::find(result_.points, point.prime, &Certificate::Point::prime) != result_.points.end()) return {};
    if (!solve(point, values)) return {};
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const auto value = answer_at(i, point, values);
      if (!value) return {};
      point.answers.push_back(*value);
    }
    return point;
  }

  static bool is_root(const FormulaLetter& letter, std::uint64_t value, const PrintedFormula::Values& values,
                      std::uint64_t prime) {
    if (letter.kind != LetterKind::root) return true;
    return PrintedFormula(letter.of).modulo(prime, values) == ring::ModularRing(prime).power(value, letter.degree);
  }

  /// Residues of the matrix, its determinant and the solutions.
  bool solve(Certificate::Point& point, const PrintedFormula::Values& values) {
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < result_.signals.size(); ++i) place.emplace(result_.signals[i], i);
    ResidueSystem system{.prime = point.prime};
    std::vector<std::size_t> units(result_.driven.size());
    auto coefficient = coefficients_.begin();
    for (const auto& equation : result_.equations) {
      for (std::size_t i = 0; i < units.size(); ++i)
        if (result_.driven[i] == equation.of) units[i] = system.rows.size();
      ResidueSystem::Row& row = system.rows.emplace_back();
      std::vector<std::uint64_t>& residues = point.matrix.emplace_back();
      for (const auto& [signal, text] : equation.terms) {
        const auto value = (coefficient++)->modulo(point.prime, values);
        if (!value) return false;
        residues.push_back(*value);
        if (*value != 0) row.emplace(place.at(signal), *value);
      }
    }
    auto solution = system.solved(units);
    if (!solution) return false;
    point.determinant = solution->determinant;
    point.solutions = std::move(solution->x);
    return true;
  }

  /// The residue of the answer's text, which is that of the solution.
  std::optional<std::uint64_t> answer_at(std::size_t i, const Certificate::Point& point, PrintedFormula::Values values) {
    const Certificate::Answer& answer = result_.answers[i];
    for (std::size_t d = 0; d < answer.definitions.size(); ++d) {
      const auto value = texts_[i].definitions[d].modulo(point.prime, values);
      if (!value) return {};
      values[answer.definitions[d].first] = *value;
    }
    const auto above = texts_[i].numerator.modulo(point.prime, values), below = texts_[i].denominator.modulo(point.prime, values);
    if (!above || !below || *below == 0) return {};
    const auto signal = [&](const std::string& name) {
      const auto driven = std::ranges::find(result_.driven, answer.driven) - result_.driven.begin();
      const auto at = std::ranges::find(result_.signals, name) - result_.signals.begin();
      return point.solutions[static_cast<std::size_t>(driven)].at(static_cast<std::size_t>(at));
    };
    const ring::ModularRing field(point.prime);
    const std::uint64_t input = answer.mode == Question::Mode::ratio ? signal(answer.input) : 1;
    if (input == 0) return {};
    const std::uint64_t value = field.divide(*above, *below);
    if (field.multiply(value, input) != signal(answer.output)) refuse(answer);
    return value;
  }

  [[noreturn]] void refuse(const Certificate::Answer& answer) const {
    const std::string what = "the answer for '" + answer.output + "' from '" + answer.input + "'";
    for (const FormulaLetter& letter : result_.letters)
      if (letter.kind == LetterKind::function)
        throw NoAnswer(what + " needs more of " + letter.of + " than that it has a value: a certificate would not show it",
                       "replace functions of numbers by parameters");
    throw std::logic_error(what + " does not satisfy the equations modulo a prime");
  }

  const SignalFlowGraph& graph_;
  std::span<const Question> questions_;
  const LinearEquations& equations_;
  const CertificateOptions& options_;
  Certificate result_;
  std::vector<TransferFunction> fractions_;
  std::vector<TransferSequence> sequences_;
  std::vector<Solved> solved_;
  std::optional<FormulaLetters> letters_;
  std::optional<RandomPoints> random_;
  std::vector<PrintedFormula> coefficients_;  ///< of all equations, one after the other
  std::vector<AnswerText> texts_;             ///< by answer
};

}  // namespace

Certificate certificate(const SignalFlowGraph& graph, std::span<const Question> questions, const LinearEquations& equations,
                        const CertificateOptions& options) {
  if (options.points < 2) throw std::invalid_argument("certificate: at least two points");
  return Certifier(graph, questions, equations, options).run();
}

}  // namespace sfg
