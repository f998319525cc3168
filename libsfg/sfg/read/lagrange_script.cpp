#include "sfg/read/lagrange_script.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/read/parameters.hpp"
#include "sfg/read/script/script_energy.hpp"
#include "sfg/read/script/script_statements.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Role = Lagrangian::Role;

constexpr const char* order_of_statements =
    "a script has syms lines, K=[…], auxiliary lines name=expression;, TM=, PM=, FM=, the word Functions, and lines name=value "
    "%unit";

std::string quote(const std::string& name) { return in_quotes(name); }

/// "name = rest"; nothing when the statement is none.
struct Definition {
  Passage name;
  Passage value;
};

std::optional<Definition> definition(const Passage& statement) {
  const std::size_t equals = statement.text.find('=');
  if (equals == std::string::npos) return std::nullopt;
  Definition result{statement.part(0, equals).trimmed(),
                    statement.part(equals + 1, statement.text.size() - equals - 1).trimmed()};
  if (!is_name(result.name.text)) return std::nullopt;
  return result;
}

std::vector<Passage> words(const Passage& text) {
  std::vector<Passage> result;
  constexpr std::string_view blanks = " \t\r\n,";
  for (std::size_t begin = text.text.find_first_not_of(blanks); begin != std::string::npos;) {
    const std::size_t end = std::min(text.text.find_first_of(blanks, begin), text.text.size());
    result.push_back(text.part(begin, end - begin));
    begin = text.text.find_first_not_of(blanks, end);
  }
  return result;
}

class ScriptReader {
 public:
  ScriptReader(std::string_view text, std::string file) : source_(text, std::move(file)) {}

  Lagrangian operator()(std::vector<Diagnostic>* notes) {
    source_.check_characters();
    const ScriptStatements script = script_statements(source_, problems_);
    redundant_ = script.redundant;
    find_auxiliary_names(script.statements);
    for (const ScriptStatement& statement : script.statements) {
      if (problems_.full()) break;
      problems_.attempt([&] { read(statement); });
    }
    check_parts();
    settle_kinds();
    rename_rates();
    problems_.finish(notes);
    return std::move(model_);
  }

 private:
  SourceSpan at(const Passage& passage) const { return place(source_, passage); }

  [[noreturn]] void fail(const Passage& where, std::string message, std::string hint) const {
    throw Error(at(where), std::move(message), std::move(hint));
  }

  void find_auxiliary_names(const std::vector<ScriptStatement>& statements) {
    for (const ScriptStatement& statement : statements) {
      if (statement.text.text == "Functions") return;
      if (const auto found = definition(statement.text)) defined_later_.insert(found->name.text);
    }
  }

  void read(const ScriptStatement& statement) {
    const std::string& text = statement.text.text;
    if (text == "Functions") {
      in_functions_ = true;
      return;
    }
    if (text == "syms" || text.starts_with("syms ") || text.starts_with("syms\t")) return read_syms(statement.text);
    const auto found = definition(statement.text);
    if (!found) fail(statement.text, "line " + quote(text) + " is no statement of a Lagrange script", order_of_statements);
    if (found->value.text.empty())
      fail(found->name, "name " + quote(found->name.text) + " has nothing behind its '='", "write its value");
    const std::string& name = found->name.text;
    if (name == "K") return read_control_matrix(*found);
    if (name == "TM") return read_energy(*found, model_.T);
    if (name == "PM") return read_energy(*found, model_.Pi);
    if (name == "FM") return read_energy(*found, model_.Phi);
    if (in_functions_) return read_value(*found, statement.comment);
    read_definition(*found, statement.comment);
  }

  void read_syms(const Passage& statement) {
    for (const Passage& word : words(statement.part(4, statement.text.size() - 4))) {
      if (!is_name(word.text)) {
        problems_.error(at(word), "word " + quote(word.text) + " is not a name",
                        "names are letters, digits and '_', separated by blanks");
        continue;
      }
      if (is_number_pi(word.text, at(word), problems_)) continue;
      declared_.insert(word.text);
      model_.symbols.symbol(word.text, at(word));
    }
  }

  // ---- K

  void read_control_matrix(const Definition& K) {
    if (has_K_) fail(K.name, "K is given twice", "remove one of the two");
    has_K_ = true;
    model_.where = at(K.name);
    const std::string& text = K.value.text;
    if (text.front() != '[') fail(K.value, "K is not a matrix in brackets", "write K=[ names; rates; forces; flags ]");
    if (text.back() != ']' || text.find('[', 1) != std::string::npos) {
      if (text.find(']') == std::string::npos) return;  // reported as unclosed
      fail(K.value, "K is not one matrix in brackets", "write K=[ names; rates; forces; flags ]");
    }
    const auto rows = script_rows(K.value.part(1, text.size() - 2));
    constexpr std::size_t rows_of_K = 4;
    if (rows.size() != rows_of_K)
      fail(K.name, "K has " + std::to_string(rows.size()) + (rows.size() == 1 ? " row" : " rows") + ", not 4",
           "its rows are names, rates, forces and flags, separated by ';' or ends of lines");
    for (std::size_t i = 1; i < rows_of_K; ++i)
      if (rows[i].size() != rows[0].size())
        fail(rows[i].front(),
             "row " + std::to_string(i + 1) + " of K has " + std::to_string(rows[i].size()) +
                 (rows[i].size() == 1 ? " element, row 1 has " : " elements, row 1 has ") + std::to_string(rows[0].size()),
             "every row has an element for each variable; write 0 for none");
    for (const Passage& name : rows[0]) names_of_K_.insert(name.text);
    for (std::size_t i = 0; i < rows[0].size(); ++i)
      problems_.attempt([&] { add_variable(rows[0][i], rows[1][i], rows[2][i], rows[3][i]); });
    set_redundant();
  }

  void add_variable(const Passage& name, const Passage& rate, const Passage& force, const Passage& flag) {
    require_declared(name);
    for (const Lagrangian::Variable& known : model_.variables)
      if (known.name == name.text)
        fail(name, "name " + quote(name.text) + " stands twice in row 1 of K", "give every variable one column");
    Lagrangian::Variable variable;
    variable.name = name.text;
    variable.where = at(name);
    variable.role = is_flagged(flag) ? Role::principal : Role::excitation;
    if (rate.text != "0") set_rate(variable, rate);
    if (force.text != "0") {
      require_declared(force);
      if (variable.role != Role::principal)
        fail(force, "the force " + quote(force.text) + " stands over " + quote(name.text) + ", for which no equation is formed",
             "write 0 here, or a 1 in row 4");
      variable.force = force.text;
      variable.force_where = at(force);
    }
    model_.variables.push_back(std::move(variable));
  }

  /// Row 4: the size of a flag has no meaning.
  bool is_flagged(const Passage& flag) {
    const bool digits =
        !flag.text.empty() && std::ranges::all_of(flag.text, [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
    if (!digits)
      fail(flag, "flag " + quote(flag.text) + " in row 4 of K is neither 0 nor a positive integer",
           "write 1 where an equation is formed, else 0");
    const bool flagged = flag.text.find_first_not_of('0') != std::string::npos;
    if (flagged && flag.text != "1")
      problems_.remark(at(flag), "the flag " + flag.text + " in row 4 of K counts as 1", "its size has no meaning");
    return flagged;
  }

  void set_rate(Lagrangian::Variable& variable, const Passage& rate) {
    require_declared(rate);
    variable.stated_rate = true;
    const std::string wanted = rate_name(variable.name);
    if (rate.text == wanted) return;
    const bool of_another = rate.text.starts_with('D') && names_of_K_.contains(rate.text.substr(1));
    if (of_another || names_of_K_.contains(rate.text))
      fail(rate,
           "rate " + quote(rate.text) + " stands in the column of " + quote(variable.name) + ", whose rate is " + quote(wanted),
           "put every rate under its own variable");
    renamed_rates_[rate.text] = wanted;
  }

  void set_redundant() {
    for (const Passage& list : redundant_) {
      for (const Passage& name : words(list)) {
        const auto found = std::ranges::find(model_.variables, name.text, &Lagrangian::Variable::name);
        if (found == model_.variables.end())
          problems_.error(at(name), "name " + quote(name.text) + " is named redundant but stands in no column of K",
                          "add a column with flag 0");
        else if (found->role == Role::principal)
          problems_.error(at(name), "name " + quote(name.text) + " is named redundant but an equation is formed for it",
                          "write 0 in row 4 of its column");
        else
          found->role = Role::redundant;
      }
    }
  }

  void require_declared(const Passage& name) {
    if (declared_.contains(name.text)) return;
    if (!is_name(name.text)) fail(name, "word " + quote(name.text) + " is not a name", "rows 1 to 3 of K contain names or 0");
    fail(name, "name " + quote(name.text) + " is not declared by syms", hint_for(name.text));
  }

  std::string hint_for(const std::string& name) const {
    const std::string near = nearest(name, std::vector<std::string>(declared_.begin(), declared_.end()));
    return near.empty() ? "add it to a syms line" : "did you mean " + quote(near) + "?";
  }

  // ---- definitions

  /// Runs a parse; names that it met for the first time are not declared.
  template <class Parse>
  ex checked(Parse&& parse) {
    const std::size_t known = model_.symbols.all().size();
    const ex result = parse();
    for (std::size_t i = known; i < model_.symbols.all().size(); ++i) {
      const Symbol& symbol = model_.symbols.all()[i];
      const bool later = defined_later_.contains(symbol.name);
      problems_.error(symbol.where,
                      "name " + quote(symbol.name) + (later ? " is used before it is defined" : " is not declared by syms"),
                      later ? "put its definition above" : hint_for(symbol.name));
      declared_.insert(symbol.name);  // once is enough
    }
    return result;
  }

  ex expression(const Passage& text) {
    return checked([&] { return parse(scalar_operators(text), source_, model_.symbols); });
  }

  /// Above the word Functions: an auxiliary coordinate, the rate of one, or the number of a parameter.
  void read_definition(const Definition& found, const Passage& comment) {
    const std::string& name = found.name.text;
    if (names_of_K_.contains(name))
      fail(found.name, "name " + quote(name) + " is a variable of K: it cannot be defined", "choose another name");
    const bool twice = std::ranges::any_of(model_.auxiliaries, [&](const auto& known) { return known.name == name; }) ||
                       stated_rates_.contains(name);
    if (twice) fail(found.name, "name " + quote(name) + " is defined twice", "remove one of the two");
    const ex value = expression(found.value);
    if (declared_.contains(name) && symbol_names(value).empty()) return set_value(found, value, comment);
    declared_.insert(name);
    if (name.starts_with('D') && defined_later_.contains(name.substr(1))) {
      model_.symbols.symbol(name, at(found.name));
      stated_rates_[name] = {value, at(found.name)};
      return attach_rates();
    }
    model_.symbols.symbol(name, at(found.name));
    model_.symbols.symbol(rate_name(name), at(found.name));
    declared_.insert(rate_name(name));
    Lagrangian::Auxiliary auxiliary;
    auxiliary.name = name;
    auxiliary.value = value;
    auxiliary.where = at(found.name);
    model_.auxiliaries.push_back(std::move(auxiliary));
    attach_rates();
  }

  void attach_rates() {
    for (Lagrangian::Auxiliary& auxiliary : model_.auxiliaries) {
      const auto stated = stated_rates_.find(rate_name(auxiliary.name));
      if (stated == stated_rates_.end() || auxiliary.rate) continue;
      auxiliary.rate = stated->second.first;
      auxiliary.rate_where = stated->second.second;
    }
  }

  void read_energy(const Definition& found, std::vector<Lagrangian::Energy>& energy) {
    if (!energies_read_.insert(found.name.text).second)
      fail(found.name, found.name.text + " is given twice", "remove one of the two");
    checked([&] {
      energy = script_energy(found.value, source_, model_.symbols, problems_);
      return ex(0);
    });
  }

  void read_value(const Definition& found, const Passage& unit) {
    if (!declared_.contains(found.name.text))
      problems_.warn(at(found.name), "name " + quote(found.name.text) + " is not declared by syms: its value has no effect",
                     hint_for(found.name.text));
    doubt_number(found.value, source_, problems_);
    const ex value = checked([&] { return parse_value(scalar_operators(found.value), source_, model_.symbols); });
    set_value(found, value, unit);
  }

  void set_value(const Definition& found, const ex& value, const Passage& unit) {
    const std::string& name = found.name.text;
    if (names_of_K_.contains(name))
      fail(found.name, "name " + quote(name) + " is a variable of K: it cannot have a fixed value", "choose another name");
    for (const Lagrangian::Auxiliary& auxiliary : model_.auxiliaries)
      if (name == auxiliary.name || name == rate_name(auxiliary.name))
        fail(found.name, "name " + quote(name) + " is an auxiliary coordinate: it cannot have a fixed value",
             "choose another name");
    model_.symbols.symbol(name, at(found.name));
    Symbol& symbol = *model_.symbols.find(name);
    if (symbol.value)
      problems_.warn(at(found.name), "name " + quote(name) + " has a value already: this one counts", "remove one of the two");
    symbol.value = value;
    symbol.unit = unit.text;
  }

  // ---- the whole

  void check_parts() {
    if (!has_K_) problems_.error(source_.at(0, 1), "there is no control matrix K", order_of_statements);
    if (problems_.any_errors()) return;
    if (energies_read_.empty()) problems_.error(source_.at(0, 1), "there are no energies", order_of_statements);
    for (const auto& [name, meaning] :
         std::map<std::string, std::string>{{"TM", "kinetic energy"}, {"PM", "potential energy"}, {"FM", "dissipation"}})
      if (!energies_read_.contains(name)) {
        const std::string message = name + " is missing: no " + meaning, hint = "write " + name + "=0 if that is meant";
        if (name == "TM")
          problems_.warn(model_.where, message, hint);
        else
          problems_.remark(model_.where, message, hint);
      }
  }

  Symbol* symbol(const std::string& name) { return model_.symbols.find(name); }

  void settle_kinds() {
    const auto set = [&](const std::string& name, SymbolKind kind) {
      if (Symbol* known = symbol(name)) known->kind = kind;
    };
    for (const Lagrangian::Variable& variable : model_.variables) {
      set(variable.name, variable.role == Role::excitation ? SymbolKind::input : SymbolKind::coordinate);
      set(rate_name(variable.name), SymbolKind::signal);
      if (!variable.force.empty()) set(variable.force, SymbolKind::input);
    }
    for (const Lagrangian::Auxiliary& auxiliary : model_.auxiliaries) {
      set(auxiliary.name, SymbolKind::signal);
      set(rate_name(auxiliary.name), SymbolKind::signal);
    }
    if (Symbol* time = symbol("t"); time != nullptr && !time->value && !names_of_K_.contains("t")) time->kind = SymbolKind::time;
    choose_operator();
  }

  bool is_used(const std::string& name) {
    const Symbol* known = symbol(name);
    if (known == nullptr) return false;
    if (known->value || known->kind != SymbolKind::parameter) return true;
    const auto occurs = [&](const ex& value) { return value.has(known->expr); };
    const auto in_energy = [&](const std::vector<Lagrangian::Energy>& energy) {
      return std::ranges::any_of(energy, [&](const Lagrangian::Energy& summand) { return occurs(summand.value); });
    };
    return in_energy(model_.T) || in_energy(model_.Pi) || in_energy(model_.Phi) ||
           std::ranges::any_of(model_.auxiliaries, [&](const Lagrangian::Auxiliary& a) { return occurs(a.value); });
  }

  /// The authors' operator is p; s where the script uses p for something else.
  void choose_operator() {
    model_.op = is_used("p") ? "s" : "p";
    if (is_used("p") && is_used("s"))
      problems_.error(model_.where, "both 'p' and 's' are used: none is left for the operator d/dt", "rename one of them");
    model_.op.declare(model_.symbols);
  }

  /// Row 2 of K may name a rate otherwise than D…; from here on it is D….
  void rename_rates() {
    if (renamed_rates_.empty()) return;
    GiNaC::exmap renamed;
    for (const auto& [name, rate] : renamed_rates_) renamed[model_.symbols.symbol(name)] = model_.symbols.symbol(rate);
    const auto rename = [&](ex& value) { value = value.subs(renamed, GiNaC::subs_options::no_pattern); };
    for (auto* energy : {&model_.T, &model_.Pi, &model_.Phi})
      for (Lagrangian::Energy& summand : *energy) rename(summand.value);
    for (Lagrangian::Auxiliary& auxiliary : model_.auxiliaries) {
      rename(auxiliary.value);
      if (auxiliary.rate) rename(*auxiliary.rate);
    }
  }

  SourceText source_;
  Problems problems_;
  Lagrangian model_;
  std::vector<Passage> redundant_;
  std::set<std::string> declared_, names_of_K_, defined_later_, energies_read_;
  std::map<std::string, std::pair<ex, SourceSpan>> stated_rates_;
  std::map<std::string, std::string> renamed_rates_;
  bool has_K_ = false;
  bool in_functions_ = false;
};

}  // namespace

Lagrangian read_lagrange_script(std::string_view text, std::string file, std::vector<Diagnostic>* notes) {
  return ScriptReader(text, std::move(file))(notes);
}

}  // namespace sfg
