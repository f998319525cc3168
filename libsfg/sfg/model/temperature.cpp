#include "sfg/model/temperature.hpp"

#include <ginac/ginac.h>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/model/noise.hpp"

namespace sfg {

GiNaC::numeric celsius_of(const std::string& text) {
  const GiNaC::numeric zero(27315, 100);  // 0 °C in kelvin
  bool celsius = false;
  std::string number = text;
  const auto without = [&](std::string_view unit, bool is_celsius) {
    if (number.size() == text.size() && text.ends_with(unit)) {
      number.resize(text.size() - unit.size());
      celsius = is_celsius;
    }
  };
  without("°C", true);
  without("degC", true);
  without("C", true);
  without("K", false);
  const GiNaC::numeric value = parse_number(number);
  const GiNaC::numeric kelvin = celsius ? value + zero : value;
  if (kelvin <= 0)
    throw Error(SourceSpan{}, "'" + text + "' is not above absolute zero",
                "a number alone is in kelvin; write degrees Celsius as -40C");
  return kelvin - zero;
}

double noise_temperature_of(const SymbolTable& symbols, double otherwise) {
  const Symbol* kelvin = symbols.find(noise_temperature);
  if (!kelvin || !kelvin->value) return otherwise;
  const GiNaC::exmap values = symbols.values();
  const auto known = values.find(kelvin->expr);
  return known == values.end() ? otherwise : double_value(known->second).value_or(otherwise);
}

}  // namespace sfg
