#include "sfg/write/certificate.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/write/json_numbers.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* claim =
    "Let the right-hand side of the equation of the driven signal be 1 and that of all others 0. The equations have one "
    "solution, "
    "and each answer is its output, or of a ratio its output by its input, as a function of the letters.";

const char* mode_name(Question::Mode mode) {
  switch (mode) {
    case Question::Mode::inject: return "injected";
    case Question::Mode::ratio: return "ratio";
    default: return "source";
  }
}

/// Integers as text: many readers of JSON round beyond 2^53.
Json residues(const std::vector<std::uint64_t>& values) {
  Json list = Json::array();
  for (const std::uint64_t value : values) list.push_back(std::to_string(value));
  return list;
}

Json json_of(const FormulaLetter& letter, const std::string& op) {
  Json json{{"name", letter.name}};
  switch (letter.kind) {
    case FormulaLetter::Kind::symbol: json["is"] = letter.name == op ? "operator" : "parameter"; break;
    case FormulaLetter::Kind::function:
      json["is"] = "function";
      json["of"] = letter.of;
      break;
    case FormulaLetter::Kind::root:
      json["is"] = "root";
      json["degree"] = letter.degree;
      json["of"] = letter.of;
      break;
  }
  return json;
}

/// All digits of a finite decimal.
std::string decimal_text(const exact::Rational& number) {
  constexpr std::size_t more_than_any = 2000;
  std::string text = exact::decimal(number, more_than_any);
  const std::size_t exponent = std::min(text.find('e'), text.size());
  if (text.find('.') >= exponent) return text;
  std::size_t end = exponent;
  while (text[end - 1] == '0') --end;
  if (text[end - 1] == '.') --end;
  return text.erase(end, exponent - end);
}

void add_poles(Json& json, const PoleEnclosure& poles) {
  json["poles"] = Json::array();
  for (const PoleFactor& factor : poles.factors) {
    Json discs = Json::array();
    for (const PoleDisc& disc : factor.discs)
      discs.push_back({decimal_text(disc.real), decimal_text(disc.imaginary), decimal_text(disc.radius)});
    json["poles"].push_back(
        {{"factor", json::texts(factor.polynomial.coefficients())}, {"multiplicity", factor.multiplicity}, {"discs", discs}});
  }
  json["stable"] = poles.stable;
}

Json json_of(const Certificate::Answer& answer) {
  Json json{{"output", answer.output}, {"input", answer.input}, {"mode", mode_name(answer.mode)}, {"driven", answer.driven}};
  if (!answer.definitions.empty()) json["definitions"] = answer.definitions;
  json["numerator"] = answer.numerator;
  json["denominator"] = answer.denominator;
  json["lowest_terms"] = answer.lowest_terms;
  if (answer.poles) add_poles(json, *answer.poles);
  json["degree_bound"] = answer.degree_bound;
  json["error_bound"] = answer.error_bound;
  return json;
}

/// Of whole numbers alone.
std::string whole_polynomial(const exact::RationalPolynomial& p, const std::string& op) {
  std::string text;
  const std::vector<exact::Rational> coefficients = p.coefficients();
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const std::size_t power = coefficients.size() - 1 - i;
    if (coefficients[i].is_zero()) continue;
    text += (coefficients[i].sign() < 0 ? " - " : text.empty() ? "" : " + ") + coefficients[i].abs().text();
    if (power > 0) text += "*" + op + (power > 1 ? "^" + std::to_string(power) : "");
  }
  return text;
}

Json json_of(const Certificate::Matrix& matrix, const std::string& op) {
  Json json{{"inputs", matrix.inputs}, {"outputs", matrix.outputs}, {"smith_mcmillan", Json::array()}};
  for (const auto& [n, d] : matrix.smith_mcmillan)
    json["smith_mcmillan"].push_back({whole_polynomial(n, op), whole_polynomial(d, op)});
  return json;
}

/// Objects and lists down to a depth are spread over lines, what is deeper stands on one.
void write(std::ostream& out, const Json& json, std::size_t depth, const std::string& indent = "") {
  if (depth == 0 || !json.is_structured() || json.empty()) {
    out << json.dump();
    return;
  }
  const std::string inner = indent + "  ";
  out << (json.is_object() ? "{" : "[");
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    out << (first ? "\n" : ",\n") << inner;
    first = false;
    if (json.is_object()) out << Json(key).dump() << ": ";
    write(out, value, depth - 1, inner);
  }
  out << "\n" << indent << (json.is_object() ? "}" : "]");
}

Json json_of(const Certificate::Point& point, const Certificate& whole) {
  Json json{{"prime", std::to_string(point.prime)}, {"letters", residues(point.letters)}};
  json["matrix"] = Json::array();
  for (const auto& row : point.matrix) json["matrix"].push_back(residues(row));
  json["determinant"] = std::to_string(point.determinant);
  json["solutions"] = Json::array();
  for (std::size_t i = 0; i < whole.driven.size(); ++i)
    json["solutions"].push_back({{"driven", whole.driven[i]}, {"x", residues(point.solutions[i])}});
  json["answers"] = residues(point.answers);
  return json;
}

}  // namespace

void write_json(std::ostream& out, const Certificate& certificate) {
  Json json{{"schema", "sfg/certificate/1"}, {"title", certificate.title}, {"claim", claim}};
  if (!certificate.settings.empty()) json["settings"] = certificate.settings;
  json["letters"] = Json::array();
  for (const FormulaLetter& letter : certificate.letters) json["letters"].push_back(json_of(letter, certificate.op));
  json["signals"] = certificate.signals;
  if (!certificate.left_out.empty()) json["left_out"] = certificate.left_out;
  json["equations"] = Json::array();
  for (const auto& equation : certificate.equations)
    json["equations"].push_back({{"of", equation.of}, {"terms", equation.terms}});
  json["answers"] = Json::array();
  for (const auto& answer : certificate.answers) json["answers"].push_back(json_of(answer));
  if (certificate.matrix) json["matrix"] = json_of(*certificate.matrix, certificate.op);
  json["points"] = Json::array();
  for (const auto& point : certificate.points) json["points"].push_back(json_of(point, certificate));
  constexpr std::size_t lines = 3;
  out << "{";
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    out << (first ? "\n  " : ",\n  ") << Json(key).dump() << ": ";
    first = false;
    write(out, value,
          key == "signals" || key == "left_out" || key == "settings" ? 0
          : key == "answers" || key == "points"                      ? lines - 1
                                                                     : 1,
          "  ");
  }
  out << "\n}\n";
}

}  // namespace sfg
