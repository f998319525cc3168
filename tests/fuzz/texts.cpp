// Pieces of text that stand in files and on command lines.
#include "sfg/expr/dimension.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/expr/tolerance.hpp"
#include "sfg/read/laws.hpp"

#include "fuzz/targets.hpp"

namespace sfg::fuzz {

int try_expression(std::string_view text) {
  SymbolTable symbols;
  GiNaC::ex value;
  if (!attempt([&] { value = parse(text, symbols); })) return 0;
  const std::string printed = print(value);
  if (has_long_number(printed)) return 0;
  for (const Notation notation : {Notation::latex, Notation::unicode}) print(value, notation);
  SymbolTable again = symbols;
  GiNaC::ex back;
  if (!attempt([&] { back = parse(printed, again); })) throw Broken("what is printed is no expression: " + printed);
  require(print(back) == printed, "what is printed and read is printed the same: " + printed + ", then " + print(back));
  const ModularPoint point = random_point(1);
  const auto before = point(value), after = point(back);
  require(!before || !after || *before == *after, "what is printed has the same value: " + printed);
  return 0;
}

int try_value(std::string_view text) {
  attempt([&] { parse_number(text); });
  foreign_number(text);
  doubtful_number(text);
  SymbolTable symbols;
  attempt([&] { print(parse_value(text, symbols)); });
  attempt([&] {
    const Tolerance tolerance = parse_tolerance(std::string(text));
    require(tolerance.size.sign() >= 0 && parse_tolerance(to_string(tolerance)) == tolerance,
            "a tolerance is read as it is written: " + to_string(tolerance));
  });
  attempt([&] { parse_distribution(std::string(text)); });
  return 0;
}

int try_law(std::string_view text) {
  // The law, and behind a line end the gain, and the further signals.
  const SourceText source(text, "law");
  if (!attempt([&] { source.check_characters(); })) return 0;
  Passage whole;
  whole.append(text, 0);
  const std::vector<Passage> parts = split(whole, '\n');
  SignalFlowGraph graph;
  for (const char* name : {"x", "y", "x2"}) graph.node(name);
  Problems problems;
  Laws laws(source, graph.symbols, problems);
  if (parts.size() > 1) laws.gain(parts[1]);
  Nonlinearity law = laws.nonlinear(parts.front(), source.at(0));
  if (parts.size() > 2) laws.arguments(split_list(parts[2]), law, graph);
  laws.finish();
  attempt([&] { problems.finish(nullptr); });
  return 0;
}

int try_unit(std::string_view text) {
  const auto dimension = dimension_of_unit(text);
  if (!dimension) return 0;
  const auto again = dimension_of_unit(dimension->text());
  require(again && *again == *dimension, "a dimension is read as it is written: " + dimension->text());
  unit_quotient(std::string(text), "m");
  unit_quotient("m", std::string(text));
  return 0;
}

}  // namespace sfg::fuzz
