#include "sfg/write/transmission_zeros.hpp"

#include <fmt/format.h>

#include "sfg/expr/constant.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

namespace {

/// Irrational ones, which are known to 120 digits, as doubles.
std::vector<exact::Rational> shown_coefficients(const exact::RationalPolynomial& p) {
  constexpr std::size_t long_number = 90;
  std::vector<exact::Rational> result = p.coefficients();
  for (exact::Rational& c : result)
    if (c.text().size() > long_number) c = decimal_rational(c.to_double());
  return result;
}

Math signed_number(const std::string& text) {
  return text.starts_with('-') ? Math::negative(Math::number(text.substr(1))) : Math::number(text);
}

Math entry_math(const std::pair<exact::RationalPolynomial, exact::RationalPolynomial>& entry, const std::string& variable) {
  Math above = polynomial_math(shown_coefficients(entry.first), variable);
  if (entry.second.degree() == 0) return above;
  return Math::quotient(std::move(above), polynomial_math(shown_coefficients(entry.second), variable));
}

}  // namespace

Math root_math(const exact::Root& r, std::size_t digits) {
  const auto text = [&](const exact::Rational& exact, double value) {
    return digits > 17 ? decimal(exact, digits) : fmt::format("{:.10g}", value);
  };
  if (r.is_real) return signed_number(text(r.real, r.value.real()));
  Math imaginary = Math::number(text(r.imaginary.abs(), std::abs(r.value.imag())) + "j");
  return Math::sum({r.on_axis && digits <= 17 ? Math::number("0") : signed_number(text(r.real, r.value.real())),
                    r.imaginary.sign() < 0 ? Math::negative(std::move(imaginary)) : std::move(imaginary)});
}

void add_matrix_zeros(Page& page, const TransmissionZeros& matrix, std::size_t digits) {
  const std::size_t rows = matrix.outputs.size(), columns = matrix.inputs.size(), rank = matrix.smith_mcmillan.size();
  page.add(Paragraph{words(fmt::format("the matrix of all of them, {} outputs by {} inputs, as one:", rows, columns))});
  if (!matrix.open.empty()) {
    page.add(Paragraph{words("transmission zeros: not known; " + matrix.open), 1});
  } else {
    page.add(Paragraph{words("Smith-McMillan form, entries of its diagonal:"), 1});
    for (const auto& entry : matrix.smith_mcmillan) page.add(Paragraph{{entry_math(entry, matrix.op.symbol())}, 2});
    for (std::size_t i = rank; i < std::min(rows, columns); ++i) page.add(Paragraph{{Math::number("0")}, 2});
    if (matrix.dead_time) page.add(Paragraph{words("without the dead times, which are of whole inputs and outputs"), 1});
    page.add(Paragraph{words(fmt::format("McMillan degree: {}", matrix.degree)), 1});
    if (matrix.singular())
      page.add(
          Paragraph{words(fmt::format("singular for all {}: the rank is {}, not {}; of the outputs only {} can be chosen at will",
                                      matrix.op.symbol(), rank, std::min(rows, columns), rank)),
                    1});
    page.add(Paragraph{words(matrix.zeros.empty() ? "transmission zeros: none" : "transmission zeros:"), 1});
    for (const exact::Root& zero : matrix.zeros)
      for (std::size_t i = 0; i < zero.multiplicity; ++i) page.add(Paragraph{{root_math(zero, digits)}, 2});
  }
  page.add(Paragraph{words("zeros of single entries are not those of the matrix"), 1});
}

void add_matrix_zeros(json::Json& json, const TransmissionZeros& matrix, std::size_t digits) {
  if (!matrix.open.empty()) {
    json["transmission_zeros"] = json["smith_mcmillan"] = nullptr;
    json["transmission_zeros_open"] = matrix.open;
    return;
  }
  json::Json zeros = json::Json::array(), form = json::Json::array();
  for (const exact::Root& zero : matrix.zeros)
    for (std::size_t i = 0; i < zero.multiplicity; ++i) zeros.push_back(json::root(zero, digits));
  for (const auto& [n, d] : matrix.smith_mcmillan)
    form.push_back(
        {polynomial_text(shown_coefficients(n), matrix.op.symbol()), polynomial_text(shown_coefficients(d), matrix.op.symbol())});
  json["transmission_zeros"] = std::move(zeros);
  json["smith_mcmillan"] = std::move(form);
  json["mcmillan_degree"] = matrix.degree;
  if (matrix.dead_time) json["without_dead_times"] = true;
}

}  // namespace sfg
