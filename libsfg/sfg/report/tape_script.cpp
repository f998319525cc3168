#include "sfg/report/tape_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

using numeric::Instruction;
using numeric::Operation;

/// r.m(7,1,2): the letter, or f with the name of the function.
std::string statement(std::size_t place, const Instruction& i) {
  const auto of = [&](char letter) { return fmt::format("{}({},{},{});", letter, place, i.left, i.right); };
  switch (i.operation) {
    case Operation::add: return of('a');
    case Operation::subtract: return of('s');
    case Operation::multiply: return of('m');
    case Operation::divide: return of('d');
    case Operation::negate: return fmt::format("n({},{});", place, i.left);
    case Operation::integer_power: return fmt::format("p({},{},{});", place, i.left, i.exponent());
    case Operation::lookup: throw NoAnswer("a gain is interpolated in a table: the page does not recalculate it");
    case Operation::constant:
    case Operation::input: return "";
    default: break;
  }
  const std::string function = fmt::format("f({},\"{}\",{}", place, numeric::name(i.operation), i.left);
  return function + (numeric::operand_count(i.operation) == 2 ? fmt::format(",{});", i.right) : ");");
}

/// The statements, so many in a function that the engines of browsers still compile it.
std::string code(std::span<const Instruction> instructions) {
  constexpr std::size_t most = 400;
  std::string text, piece;
  std::size_t count = 0;
  const auto close = [&] {
    if (!piece.empty()) text += (text.empty() ? "" : ",\n") + std::string("({a,s,m,d,n,p,f})=>{") + piece + "}";
    piece.clear();
    count = 0;
  };
  for (std::size_t k = 0; k < instructions.size(); ++k) {
    const std::string one = statement(k, instructions[k]);
    piece += one;
    if (!one.empty() && ++count == most) close();
  }
  close();
  return text;
}

}  // namespace

std::string script_number(const exact::Rational& x) {
  const double near = x.to_double();
  return std::isfinite(near) && exact::Rational::of(near) == x ? fmt::format("{}", near) : "\"" + x.text() + "\"";
}

std::string script_string(std::string_view text) {
  std::string made;
  const std::string json = json_string(text);
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '<') {
      made += "\\u003c";
    } else if (json.compare(i, 3, "\xe2\x80\xa8") == 0 || json.compare(i, 3, "\xe2\x80\xa9") == 0) {  // line ends of JavaScript
      made += json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      made += json[i];
    }
  }
  return made;
}

std::string tape_script(const numeric::Tape& tape, std::size_t named,
                        std::span<const std::pair<std::string, exact::Rational>> numbers) {
  std::vector<int> places(named, -1);
  std::string fixed;
  const std::span<const Instruction> instructions = tape.instructions();
  const auto add = [&](std::size_t place, const std::string& values) {
    fixed += (fixed.empty() ? "" : ",") + fmt::format("[{},{}]", place, values);
  };
  for (std::size_t k = 0; k < instructions.size(); ++k) {
    const Instruction& i = instructions[k];
    if (i.operation == Operation::constant) add(k, fmt::format("{}", tape.constants()[i.left]));
    if (i.operation != Operation::input) continue;
    if (i.left < named) {
      places[i.left] = static_cast<int>(k);
      continue;
    }
    const std::string& name = tape.inputs()[i.left];
    const auto known = std::ranges::find(numbers, name, [](const auto& entry) { return entry.first; });
    if (known == numbers.end()) throw std::invalid_argument("tape_script: no value for " + name);
    add(k, script_number(known->second));
  }
  return fmt::format("{{size:{},inputs:[{}],numbers:[{}],code:[{}],outputs:[{}]}}", instructions.size(), fmt::join(places, ","),
                     fixed, code(instructions), fmt::join(tape.outputs(), ","));
}

}  // namespace sfg
