#include "sfg/export/circuits/spice_language.hpp"

#include <algorithm>
#include <cctype>

#include "sfg/error.hpp"
#include "sfg/text/legal_names.hpp"
#include "sfg/write/page/table_formula.hpp"

namespace sfg {

namespace {

using numeric::Operation;

/// Functions, words and constants of formulas and of behavioural sources.
const std::set<std::string> spice_reserved{
    "sqr",     "sqrt",   "sin",         "cos",   "exp",    "ln",     "arctan", "abs",        "pow",      "pwr",   "max",
    "min",     "int",    "log",         "log10", "sinh",   "cosh",   "tanh",   "agauss",     "aunif",    "gauss", "unif",
    "limit",   "ceil",   "floor",       "asin",  "acos",   "atan",   "asinh",  "acosh",      "atanh",    "tan",   "nint",
    "sgn",     "u",      "u2",          "uramp", "pwl",    "ddt",    "idt",    "table",      "poly",     "v",     "i",
    "eq",      "ne",     "gt",          "lt",    "ge",     "le",     "and",    "or",         "not",      "div",   "mod",
    "defined", "if",     "else",        "time",  "temp",   "temper", "hertz",  "pi",         "e",        "c",     "boltz",
    "echarge", "kelvin", "planck",      "yes",   "no",     "true",   "false",  "all",        "gnd",      "null",  "vt",
    "dc",      "ac",     "tc1",         "tc2",   "tc",     "m",      "ic",     "scale",      "value",    "vol",   "cur",
    "params",  "param",  "ternary_fcn", "var",   "vec",    "subckt", "func",   "macro",      "dtemp",    "l",     "w",
    "off",     "cpoly",  "noisy",       "rnd",   "sgauss", "sunif",  "gmin",   "reciproctf", "reciprocm"};

std::string folded(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

CodeText spice_product(const std::string& base, int exponent) {
  std::string text = base;
  for (int k = 1; k < exponent; ++k) text += "*" + base;
  return {text, Binding::product};
}

/// What both kinds of formulas have.
CodeText spice_call(const char* name, const std::string& left, const std::string& right) {
  return {std::string(name) + "(" + left + (right.empty() ? "" : ", " + right) + ")"};
}

/// x^y by its logarithm: the principal value for x above 0, as both kinds of formulas give it.
CodeText common_function(Operation operation, const std::string& left, const std::string& right) {
  switch (operation) {
    case Operation::log: return spice_call("ln", left, right);
    case Operation::sign: return spice_call("sgn", left, right);
    case Operation::power: return spice_call("pow", left, right);
    case Operation::lookup:
    case Operation::atan2:
      throw NoAnswer("a netlist has no " + std::string(name(operation)) + " of parameters", "the target c has it");
    default: return spice_call(std::string(name(operation)).c_str(), left, right);
  }
}

CodeText signal_function(Operation operation, const std::string& left, const std::string& right) {
  if (operation == Operation::step) return spice_call("u", left, "");
  if (operation == Operation::lookup)
    return {table_formula(static_cast<std::uint32_t>(std::stoul(right)), "(" + left + ")",
                          [](const std::string& difference) { return "uramp" + difference; })};
  if (operation != Operation::atan2) return common_function(operation, left, right);
  const std::string y = "(" + left + ")", x = "(" + right + ")", length = "sqrt(" + x + "*" + x + " + " + y + "*" + y + ")";
  // Of half the angle; either form is well behaved on its side.
  return {"(" + x + " >= 0 ? 2*atan(" + y + "/(" + length + " + " + x + ")) : 2*atan((" + length + " - " + x + ")/" + y + "))"};
}

CodeText constant_function(Operation operation, const std::string& left, const std::string& right) {
  if (operation == Operation::step) return {"((" + left + " < 0) ? 0 : 1)"};
  return common_function(operation, left, right);
}

}  // namespace

std::string SpiceNames::operator()(const std::string& name) {
  const std::string wanted = LegalNames()(name);
  std::string legal = wanted;
  for (int n = 2; spice_reserved.contains(folded(legal)) || !taken_.insert(folded(legal)).second; ++n)
    legal = wanted + "_" + std::to_string(n);
  if (legal != name) renamed_.emplace_back(name, legal);
  return legal;
}

std::string SpiceNames::beginning(std::string wanted) const {
  const auto used = [&](const std::string& name) {
    return name.size() > wanted.size() && name.starts_with(folded(wanted)) &&
           std::isdigit(static_cast<unsigned char>(name[wanted.size()])) != 0;
  };
  while (std::ranges::any_of(taken_, used)) wanted += "_";
  return wanted;
}

CodeSyntax spice_constants() { return {code_number, spice_product, constant_function}; }
CodeSyntax spice_signals() { return {code_number, spice_product, signal_function}; }

}  // namespace sfg
