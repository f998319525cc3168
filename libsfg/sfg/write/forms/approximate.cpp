#include "sfg/write/forms/approximate.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <cmath>
#include <ostream>

#include "sfg/write/answer.hpp"
#include "sfg/write/forms/form_parts.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
using Kept = ApproximateTransfer::Kept;

std::string kept_text(const Kept& side) {
  return std::to_string(side.kept) + (side.of > 0 ? " of " + std::to_string(side.of) : "");
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

/// Two digits that are no less than the error, or the limit that it keeps: what is said holds.
std::string two_digits_upwards(double error, double limit) {
  if (error == 0 || !std::isfinite(error)) return fmt::format("{:.2g}", error);
  const double unit = std::pow(10.0, std::floor(std::log10(error)) - 1);
  constexpr double rounding = 1e-12;  // of the quotient
  const double said = std::ceil(error / unit * (1 - rounding)) * unit;
  return said > limit && error <= limit ? fmt::format("{:.4g}", limit) : fmt::format("{:.2g}", said);
}

struct Fraction {
  Math above, below;  ///< `below` is 1 where there is no denominator
  bool negative = false;

  Math whole() const {
    Math value = simple_quotient(above, below);
    return negative ? Math::negative(std::move(value)) : value;
  }
  std::string text() const { return write(whole(), Notation::text); }
};

/// A sign in front of everything is taken out of the numerator.
Fraction fraction(const RationalFunction& value, const std::string& variable) {
  const bool negative = value.numerator().content().sign() < 0;
  const auto side = [&](const ring::Polynomial& polynomial) { return math(by_factors(value.space(), polynomial), variable); };
  return {side(negative ? -value.numerator() : value.numerator()), side(value.denominator()), negative};
}

void add_split(AnswerPage& page, const char* name, const std::vector<SplitRoots>& groups, const std::string& variable) {
  for (const SplitRoots& group : groups) {
    const Math value = fraction(group.formula, variable).whole();
    page.remark({name, group.values.size() == 1 ? Math::equation(Math::name(variable), value)
                                                : Math::equation(value, Math::number("0"))});
    page.remark({fmt::format("{} rad/s, exactly {}; {:.2g} % off", complex_numbers(group.values), complex_numbers(group.exact),
                             100 * group.relative_error)},
                3);
  }
}

void add_error(AnswerPage& page, const ApproximateTransfer& transfer) {
  page.remark({error_text(transfer.error, transfer)});
  page.remark({"terms kept: " + kept_text(transfer.numerator) + " in the numerator, " + kept_text(transfer.denominator) +
               " in the denominator"});
  if (transfer.products.of > 0)
    page.remark({fmt::format("the equations were simplified first: {} of their {} products kept", transfer.products.kept,
                             transfer.products.of)});
}

Json pole_list(const std::vector<std::complex<double>>& values) {
  Json result = Json::array();
  for (const std::complex<double> value : values) result.push_back({value.real(), value.imag()});
  return result;
}

Json split_json(const std::vector<SplitRoots>& groups, const std::string& variable) {
  Json result = Json::array();
  for (const SplitRoots& group : groups)
    result.push_back({{"formula", fraction(group.formula, variable).text()},
                      {"values", pole_list(group.values)},
                      {"exact", pole_list(group.exact)},
                      {"relative_error", group.relative_error}});
  return result;
}

Json kept_json(const Kept& side) { return {side.kept, side.of > 0 ? Json(side.of) : Json(nullptr)}; }

Json json_of_approximation(const SignalFlowGraph& graph, const ApproximateTransfer& transfer) {
  Json json = answer_json(graph, transfer.question, "approximate");
  const Fraction value = fraction(transfer.value, graph.op.symbol());
  json["expression"] = value.text();
  json["numerator"] = write(value.negative ? Math::negative(value.above) : value.above, Notation::text);
  json["denominator"] = write(value.below, Notation::text);
  add_error(json, transfer.error, transfer);
  json["kept"] = {{"numerator", kept_json(transfer.numerator)}, {"denominator", kept_json(transfer.denominator)}};
  if (transfer.products.of > 0) json["kept"]["equations"] = kept_json(transfer.products);
  json["split"] = {{"poles", split_json(transfer.poles, graph.op.symbol())},
                   {"zeros", split_json(transfer.zeros, graph.op.symbol())}};
  add_checks(json, transfer.terms, transfer.verification);
  return json;
}

}  // namespace

std::string complex_numbers(const std::vector<std::complex<double>>& values) {
  std::string text;
  for (const std::complex<double> z : values) {
    text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", z.real());
    if (z.imag() != 0) text += fmt::format(" {} {:.4g}j", z.imag() < 0 ? "-" : "+", std::abs(z.imag()));
  }
  return text;
}

std::string deviation_text(const Deviation& error, const ErrorLimit& limit) {
  return two_digits_upwards(error.magnitude_db, limit.magnitude_db) + " dB and " +
         two_digits_upwards(error.phase_deg, limit.phase_deg) + " degrees";
}

std::string error_text(const Deviation& error, const ApproximateTransfer& transfer) {
  return fmt::format("within {} from {:.4g} to {:.4g} rad/s (wanted: {:.4g} dB, {:.4g} degrees){}",
                     deviation_text(error, transfer.limit), transfer.low, transfer.high, transfer.limit.magnitude_db,
                     transfer.limit.phase_deg, error.bounded ? "" : ", densely sampled");
}

void add_measured(Json& json, const Deviation& error, std::pair<double, double> range) {
  json["error"] = {{"magnitude_db", error.magnitude_db},
                   {"phase_deg", error.phase_deg},
                   {"magnitude_at", error.magnitude_at},
                   {"phase_at", error.phase_at},
                   {"bounded", error.bounded}};
  json["range"] = {range.first, range.second};
}

void add_error(Json& json, const Deviation& error, const ApproximateTransfer& transfer) {
  add_measured(json, error, {transfer.low, transfer.high});
  json["wanted"] = {{"magnitude_db", transfer.limit.magnitude_db}, {"phase_deg", transfer.limit.phase_deg}};
}

Page page(const SignalFlowGraph& graph, std::span<const ApproximateTransfer> transfers, Detail detail) {
  AnswerPage page(detail);
  for (const ApproximateTransfer& transfer : transfers) {
    page.begin();
    page.equation(graph, transfer.question, fraction(transfer.value, graph.op.symbol()).whole());
    add_error(page, transfer);
    add_split(page, "pole: ", transfer.poles, graph.op.symbol());
    add_split(page, "zero: ", transfer.zeros, graph.op.symbol());
    page.end(transfer.terms, transfer.verification);
  }
  return std::move(page).take();
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const ApproximateTransfer> transfers) {
  Json list = Json::array();
  for (const ApproximateTransfer& transfer : transfers) list.push_back(json_of_approximation(graph, transfer));
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
