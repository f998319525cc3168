#include "sfg/write/discretize.hpp"

#include <algorithm>
#include <ostream>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page_parts.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;

namespace {

/// The numerator and denominator in lowest terms of what they are: the denominator monic.
std::pair<std::vector<exact::Rational>, std::vector<exact::Rational>> monic(const ExactTransfer& transfer) {
  std::vector<exact::Rational> n = transfer.numerator.polynomial().coefficients(),
                               d = transfer.denominator.polynomial().coefficients();
  const exact::Rational leading = d.front();
  for (auto* list : {&n, &d})
    for (exact::Rational& c : *list) c /= leading;
  return {n, d};
}

/// As numbers, highest power first; 0 is a polynomial of one coefficient.
std::vector<double> coefficients(const std::vector<exact::Rational>& polynomial) {
  const std::vector<double> values = exact::RationalPolynomial(polynomial).doubles();
  return values.empty() ? std::vector{0.0} : values;
}

std::string bracketed(const std::string& text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

}  // namespace

Page page(std::span<const ExactTransfer> transfers, const exact::Rational& sample_time, const std::string& method) {
  Page page;
  for (const ExactTransfer& transfer : transfers) {
    const auto [n, d] = monic(transfer);
    Math name = gain_name(transfer.input, transfer.output);
    page.add(Paragraph{{name, ", sample time " + sample_time.text() + " s, " + method}});
    Math value = polynomial_math(n, transfer.op.symbol());
    if (d.size() > 1) value = Math::quotient(std::move(value), polynomial_math(d, transfer.op.symbol()));
    page.add(Equations{{{std::move(name), {std::move(value)}}}, transfer.op.symbol(), 1});
  }
  return page;
}

void write_json(std::ostream& out, std::span<const ExactTransfer> transfers, const exact::Rational& sample_time,
                const std::string& method) {
  Json j{{"schema", "sfg/discretize/1"},
         {"variable", "z"},
         {"sample_time", sample_time.to_double()},
         {"method", method},
         {"transfers", Json::array()}};
  for (const ExactTransfer& transfer : transfers) {
    const auto [n, d] = monic(transfer);
    const std::string above = polynomial_text(n, transfer.op.symbol()), below = polynomial_text(d, transfer.op.symbol());
    j["transfers"].push_back({{"input", transfer.input},
                              {"output", transfer.output},
                              {"form", "numeric"},
                              {"expression", below == "1" ? above : bracketed(above) + "/" + bracketed(below)},
                              {"numerator", above},
                              {"denominator", below},
                              {"num", coefficients(n)},
                              {"den", coefficients(d)}});
  }
  out << j.dump() << '\n';
}

}  // namespace sfg
