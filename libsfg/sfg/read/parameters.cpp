#include "sfg/read/parameters.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>

#include "sfg/expr/exact_value.hpp"

namespace sfg {

namespace {

const char* kind_name(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::parameter: return "a parameter";
    case SymbolKind::coordinate: return "a coordinate or its rate";
    case SymbolKind::input: return "an input or its rate";
    case SymbolKind::signal: return "a signal";
    case SymbolKind::laplace: return "the variable of the gains";
    case SymbolKind::time: return "the time";
  }
  return "";
}

/// Follows the references of stated values and finds those that come back to where they began.
class CircleSearch {
 public:
  CircleSearch(const SymbolTable& symbols, Problems& problems) : symbols_(symbols), problems_(problems) {}

  void visit(const Symbol& symbol) {
    if (!symbol.value || done_.contains(symbol.name)) return;
    const auto again = std::ranges::find(open_, symbol.name);
    if (again != open_.end()) {
      report({again, open_.end()});
      return;
    }
    constexpr std::size_t longest_chain = 1000;
    if (open_.size() > longest_chain) return;
    open_.push_back(symbol.name);
    std::set<std::string> names;
    for (GiNaC::const_preorder_iterator i = symbol.value->preorder_begin(); i != symbol.value->preorder_end(); ++i)
      if (GiNaC::is_a<GiNaC::symbol>(*i)) names.insert(GiNaC::ex_to<GiNaC::symbol>(*i).get_name());
    for (const std::string& name : names)
      if (const Symbol* other = symbols_.find(name)) visit(*other);
    open_.pop_back();
    done_.insert(symbol.name);
  }

 private:
  void report(const std::vector<std::string>& circle) {
    std::string names;
    for (const std::string& name : circle) names += "'" + name + "' → ";
    problems_.error(symbols_.at(circle.front()).where,
                    "the values of parameters refer to each other in a circle: " + names + "'" + circle.front() + "'",
                    "give one of them a number");
  }

  const SymbolTable& symbols_;
  Problems& problems_;
  std::vector<std::string> open_;
  std::set<std::string> done_;
};

}  // namespace

void doubt_number(const Passage& value, const SourceText& source, Problems& problems) {
  const Passage number = value.trimmed();
  if (const auto doubt = doubtful_number(number.text, place(source, number)))
    problems.warn(doubt->where, doubt->message, doubt->hint);
}

bool is_number_pi(std::string_view name, const SourceSpan& where, Problems& problems) {
  if (name != "pi") return false;
  problems.error(where, "name 'pi' is the number 3.14159… in every expression, and cannot be that of anything else",
                 "leave it out where the number is meant, else write another name");
  return true;
}

void state_parameter(SymbolTable& symbols, const Passage& name, const Passage& value, const SourceText& source,
                     Problems& problems) {
  const Passage bare = name.trimmed();
  const SourceSpan where = place(source, bare);
  if (!is_name(bare.text))
    return problems.error(
        where, bare.text.empty() ? "a parameter without a name" : "word " + in_quotes(bare.text) + " is no name of a parameter",
        "a name has letters, digits and '_' and does not begin with a digit");
  if (is_number_pi(bare.text, where, problems)) return;
  if (const Symbol* known = symbols.find(bare.text); known && (known->value || known->kind != SymbolKind::parameter)) {
    const bool twice = known->value.has_value();
    return problems.error(
        where,
        "name " + in_quotes(bare.text) +
            (twice ? " has a value already" : std::string(" is ") + kind_name(known->kind) + " and cannot be a parameter"),
        twice                                ? "state every parameter once"
        : known->kind == SymbolKind::laplace ? "give the parameter another name, or state another variable"
                                             : "give the parameter another name");
  }
  doubt_number(value, source, problems);
  problems.attempt([&] {
    symbols.symbol(bare.text, where);  // before those that its value names: the order is that of the file
    const GiNaC::ex number = parse_value(value, source, symbols);
    Symbol& symbol = *symbols.find(bare.text);
    symbol.value = number;
    symbol.where = where;
  });
}

namespace {

/// "K=0" and "5": a number with a decimal comma, cut at it.
bool is_decimals_of(const Passage* previous, const Passage& entry) {
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const std::size_t equals = previous ? previous->text.find('=') : std::string::npos;
  if (equals == std::string::npos || entry.text.starts_with(' ')) return false;
  std::string whole = previous->part(equals + 1, std::string::npos).trimmed().text;
  if (whole.starts_with('-') || whole.starts_with('+')) whole.erase(0, 1);
  return digits(whole) && digits(entry.trimmed().text.substr(0, entry.trimmed().text.find_first_not_of("0123456789")));
}

}  // namespace

void state_parameters(SymbolTable& symbols, const Passage& list, const SourceText& source, Problems& problems) {
  if (list.trimmed().text.empty()) return;
  const std::vector<Passage> entries = split(list, ',');
  for (const Passage& entry : entries) {
    const Passage* previous = &entry == entries.data() ? nullptr : &entry - 1;
    const std::size_t equals = entry.text.find('=');
    if (equals == std::string::npos && is_decimals_of(previous, entry)) {
      const Passage number = previous->part(previous->text.find('=') + 1, std::string::npos).trimmed();
      problems.error(place(source, number), "number '" + number.text + "," + entry.trimmed().text + "' has a decimal comma",
                     "write decimals with a point: " + number.text + "." + entry.trimmed().text);
      continue;
    }
    if (equals == std::string::npos) {
      problems.error(place(source, entry.trimmed()), "a parameter is stated as name=value", "write, for instance, K=10, T=0.5");
      continue;
    }
    state_parameter(symbols, entry.part(0, equals), entry.part(equals + 1, std::string::npos), source, problems);
  }
}

void check_parameters(const SymbolTable& symbols, Problems& problems) {
  CircleSearch search(symbols, problems);
  for (const Symbol& symbol : symbols.all()) {
    search.visit(symbol);
    if (!symbol.value) continue;
    for (GiNaC::const_preorder_iterator i = symbol.value->preorder_begin(); i != symbol.value->preorder_end(); ++i) {
      if (!GiNaC::is_a<GiNaC::symbol>(*i)) continue;
      const Symbol* other = symbols.find(GiNaC::ex_to<GiNaC::symbol>(*i).get_name());
      if (other && other->kind != SymbolKind::parameter)
        problems.error(symbol.where,
                       "the value of " + in_quotes(symbol.name) + " contains " + in_quotes(other->name) + ", which is " +
                           kind_name(other->kind),
                       "a value is made of numbers and other parameters");
    }
  }
}

void state_operator(SymbolTable& symbols, Operator& op, const Passage& name, const SourceText& source, Problems& problems) {
  const Passage bare = name.trimmed();
  if (!is_name(bare.text))
    return problems.error(place(source, bare), "word " + in_quotes(bare.text) + " is no name of a variable", "write s, p or z");
  op = bare.text;
  op.declare(symbols, place(source, bare));
}

void state_sample_time(Operator& op, const Passage& value, const SourceText& source, Problems& problems) {
  try {
    if (const exact::Rational h = exact_value(parse_number(value.trimmed().text)); h.sign() > 0) {
      op = op.sampled(h);
      return;
    }
  } catch (const Error&) {
  }
  problems.error(place(source, value), "the sample time " + in_quotes(value.text) + " is not a positive number",
                 "write sample_time=\"0.1\", say");
}

namespace {

/// Whether the name is that of a parameter; a problem otherwise.
bool is_parameter(const SymbolTable& symbols, const Passage& name, const SourceText& source, Problems& problems) {
  const Symbol* symbol = symbols.find(name.text);
  if (symbol && symbol->kind == SymbolKind::parameter) return true;
  std::vector<std::string> names;
  for (const Symbol& known : symbols.all())
    if (known.kind == SymbolKind::parameter) names.push_back(known.name);
  problems.error(place(source, name), "a correlation with " + in_quotes(name.text) + ", which is no parameter of the model",
                 suggestion(name.text, names));
  return false;
}

std::optional<double> correlation_in(const Passage& value, const SourceText& source, Problems& problems) {
  try {
    const exact::Rational number = exact_value(parse_number(value.trimmed().text));
    if (number.abs() <= exact::Rational(1)) return number.to_double();
    problems.error(place(source, value), "the correlation " + in_quotes(value.text) + " is not between -1 and 1",
                   "write a number from -1 to 1");
  } catch (const Error&) {
    problems.error(place(source, value), "text " + in_quotes(value.text) + " is no correlation", "write a number from -1 to 1");
  }
  return {};
}

}  // namespace

void state_correlation(SymbolTable& symbols, const Passage& names, const Passage& value, const SourceText& source,
                       Problems& problems) {
  const std::vector<Passage> both = split(names, ',');
  if (both.size() != 2)
    return problems.error(place(source, names), "the correlation of " + in_quotes(names.text) + " is not one of two parameters",
                          "write the names of two, as in \"R1,R2\" = 0.8");
  const Passage first = both[0].trimmed(), second = both[1].trimmed();
  const bool known = is_parameter(symbols, first, source, problems), too = is_parameter(symbols, second, source, problems);
  const auto number = correlation_in(value, source, problems);
  if (!known || !too || !number) return;
  if (first.text == second.text)
    return problems.error(place(source, names), "the correlation of " + in_quotes(first.text) + " with itself is 1",
                          "write the names of two different parameters");
  for (const Correlation& stated : symbols.correlations)
    if ((stated.first == first.text && stated.second == second.text) ||
        (stated.first == second.text && stated.second == first.text))
      return problems.error(place(source, names),
                            "the correlation of " + in_quotes(first.text) + " and " + in_quotes(second.text) + " is stated twice",
                            "remove one of the two");
  symbols.correlations.push_back({first.text, second.text, *number, place(source, names)});
}

}  // namespace sfg
