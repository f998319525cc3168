#include "sfg/write/approximate.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <ginac/ginac.h>

#include <ostream>

#include "sfg/write/answer.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
using Kept = ApproximateTransfer::Kept;

std::string kept_text(const Kept& side) {
  return std::to_string(side.kept) + (side.of > 0 ? " of " + std::to_string(side.of) : "");
}

std::string number(std::complex<double> z) {
  if (z.imag() == 0) return fmt::format("{:.4g}", z.real());
  return fmt::format("{:.4g} {} {:.4g}j", z.real(), z.imag() < 0 ? "-" : "+", std::abs(z.imag()));
}

std::string numbers(const std::vector<std::complex<double>>& values) {
  std::string text;
  for (const std::complex<double> value : values) text += (text.empty() ? "" : ", ") + number(value);
  return text;
}

/// Coefficients of the operator's powers by their factors: (gm1 + gm2)*C*s reads better than a list of products.
GiNaC::ex by_factors(const PolynomialSpace& space, const ring::Polynomial& polynomial) {
  constexpr std::size_t most_terms = 200;  // factoring takes its time, and helps the eye no more
  if (polynomial.term_count() > most_terms) return space.expression(polynomial);
  GiNaC::ex sum = 0;
  for (const auto& [power, coefficient] : polynomial.sparse_coefficients(0)) {
    const auto factors = coefficient.factor();
    GiNaC::ex product = space.expression(ring::Polynomial::constant(space.context(), factors.constant));
    for (const auto& [factor, exponent] : factors.factors)
      product *= GiNaC::pow(space.expression(factor), static_cast<long>(exponent));
    sum += product * GiNaC::pow(space.generator(0), static_cast<long>(power));
  }
  return sum;
}

/// As a denominator.
std::string bracketed(const GiNaC::ex& e, const std::string& text) {
  const bool plain = GiNaC::is_a<GiNaC::symbol>(e) || (GiNaC::is_a<GiNaC::numeric>(e) && e.info(GiNaC::info_flags::nonnegint));
  return plain ? text : "(" + text + ")";
}

struct Fraction {
  std::string above, below, line;
};

/// A sign in front of everything is taken out of the numerator.
Fraction fraction(const RationalFunction& value, const std::string& variable, Notation notation) {
  const bool negative = value.numerator().content().sign() < 0;
  const GiNaC::ex N = by_factors(value.space(), negative ? -value.numerator() : value.numerator());
  const GiNaC::ex D = by_factors(value.space(), value.denominator());
  const std::string above = print(N, notation, variable), sign = negative ? "-" : "";
  const std::string numerator = GiNaC::is_a<GiNaC::add>(N) ? "(" + above + ")" : above;
  Fraction result{negative ? sign + numerator : above, {}, {}};
  result.line = result.above;
  if (value.denominator().is_one()) return result;
  result.below = print(D, notation, variable);
  result.line = sign + numerator + "/" + bracketed(D, result.below);
  return result;
}

void write_split(std::ostream& out, const char* name, const std::vector<SplitRoots>& groups, const std::string& variable,
                 Notation notation) {
  const Notation plain = notation == Notation::latex ? Notation::text : notation;
  for (const SplitRoots& group : groups) {
    const std::string text = fraction(group.formula, variable, plain).line;
    const std::string formula = group.values.size() == 1 ? variable + " = " + text : text + " = 0";
    fmt::print(out, "{}{}: {}\n{}    {} rad/s, exactly {}; {:.2g} % off\n", remark(notation), name, formula, remark(notation),
               numbers(group.values), numbers(group.exact), 100 * group.relative_error);
  }
}

void write_error(std::ostream& out, const ApproximateTransfer& transfer, Notation notation) {
  fmt::print(out, "{}within {:.2g} dB and {:.2g} degrees from {:.4g} to {:.4g} rad/s (wanted: {:.4g} dB, {:.4g} degrees){}\n",
             remark(notation), transfer.error.magnitude_db, transfer.error.phase_deg, transfer.low, transfer.high,
             transfer.limit.magnitude_db, transfer.limit.phase_deg, transfer.error.bounded ? "" : ", densely sampled");
  fmt::print(out, "{}terms kept: {} in the numerator, {} in the denominator\n", remark(notation), kept_text(transfer.numerator),
             kept_text(transfer.denominator));
  if (transfer.products.of > 0)
    fmt::print(out, "{}the equations were simplified first: {} of their {} products kept\n", remark(notation),
               transfer.products.kept, transfer.products.of);
}

Json list(const std::vector<std::complex<double>>& values) {
  Json result = Json::array();
  for (const std::complex<double> value : values) result.push_back({value.real(), value.imag()});
  return result;
}

Json split_json(const std::vector<SplitRoots>& groups, const std::string& variable) {
  Json result = Json::array();
  for (const SplitRoots& group : groups)
    result.push_back({{"formula", fraction(group.formula, variable, Notation::text).line},
                      {"values", list(group.values)},
                      {"exact", list(group.exact)},
                      {"relative_error", group.relative_error}});
  return result;
}

Json kept_json(const Kept& side) { return {side.kept, side.of > 0 ? Json(side.of) : Json(nullptr)}; }

Json json_of(const SignalFlowGraph& graph, const ApproximateTransfer& transfer) {
  Json json = answer_json(graph, transfer.question, "approximate");
  const Fraction text = fraction(transfer.value, graph.op.symbol(), Notation::text);
  json["expression"] = text.line;
  json["numerator"] = text.above;
  json["denominator"] = text.below.empty() ? "1" : text.below;
  const Deviation& error = transfer.error;
  json["error"] = {{"magnitude_db", error.magnitude_db},
                   {"phase_deg", error.phase_deg},
                   {"magnitude_at", error.magnitude_at},
                   {"phase_at", error.phase_at},
                   {"bounded", error.bounded}};
  json["wanted"] = {{"magnitude_db", transfer.limit.magnitude_db}, {"phase_deg", transfer.limit.phase_deg}};
  json["range"] = {transfer.low, transfer.high};
  json["kept"] = {{"numerator", kept_json(transfer.numerator)}, {"denominator", kept_json(transfer.denominator)}};
  if (transfer.products.of > 0) json["kept"]["equations"] = kept_json(transfer.products);
  json["split"] = {{"poles", split_json(transfer.poles, graph.op.symbol())},
                   {"zeros", split_json(transfer.zeros, graph.op.symbol())}};
  add_checks(json, transfer.terms, transfer.verification);
  return json;
}

}  // namespace

void write_text(std::ostream& out, const SignalFlowGraph& graph, std::span<const ApproximateTransfer> transfers,
                Notation notation) {
  for (const ApproximateTransfer& transfer : transfers) {
    if (&transfer != &transfers.front()) out << "\n";
    const Fraction text = fraction(transfer.value, graph.op.symbol(), notation);
    write_equation(out, answer_name(graph, transfer.question, notation), text.line, text.above, text.below, notation);
    write_error(out, transfer, notation);
    write_split(out, "pole", transfer.poles, graph.op.symbol(), notation);
    write_split(out, "zero", transfer.zeros, graph.op.symbol(), notation);
    write_checks(out, transfer.terms, transfer.verification, notation);
  }
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const ApproximateTransfer> transfers) {
  Json list = Json::array();
  for (const ApproximateTransfer& transfer : transfers) list.push_back(json_of(graph, transfer));
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
