#pragma once
// Not installed: numbers in JSON, where what is not finite is null, and what is worth knowing beside an answer.
#include <nlohmann/json.hpp>

#include <cmath>
#include <complex>
#include <optional>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg::json {

using Json = nlohmann::ordered_json;

inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
inline Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }
inline Json text_or_null(const std::optional<exact::Rational>& value) { return value ? Json(value->text()) : Json(nullptr); }
inline Json texts(const std::vector<exact::Rational>& values) {
  Json list = Json::array();
  for (const exact::Rational& value : values) list.push_back(value.text());
  return list;
}
inline Json complex(std::complex<double> z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag()) ? Json::array({z.real(), z.imag()}) : Json(nullptr);
}
inline Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double v : values) list.push_back(number(v));
  return list;
}
/// Doubles hold 17 digits; more are written as strings.
inline Json root(const exact::Root& r, std::size_t digits) {
  if (digits > 17) return Json::array({decimal(r.real, digits), decimal(r.imaginary, digits)});
  return Json::array({r.value.real(), r.value.imag()});
}

/// "message; hint" of the warnings, or of the notes.
inline nlohmann::ordered_json texts(const std::vector<Diagnostic>& notes, bool warnings) {
  auto result = nlohmann::ordered_json::array();
  for (const Diagnostic& note : notes)
    if ((note.severity != Severity::note) == warnings)
      result.push_back(note.hint.empty() ? note.message : note.message + "; " + note.hint.text());
  return result;
}

}  // namespace sfg::json
