#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/rational.hpp"
#include "sfg/read/document/model_document.hpp"
#include "sfg/read/parameters.hpp"

namespace sfg {

namespace {

class LagrangeReading {
 public:
  using Role = Lagrangian::Role;

  LagrangeReading(const DocumentReader& reader, const Value& table)
      : reader_(reader), document_(reader.document()), problems_(reader.problems()), table_(table) {}

  Lagrangian lagrangian(const SharedParts& shared) {
    reader_.check_keys(
        table_, "[lagrange]",
        {"coordinates", "redundant", "excitations", "forces", "T", "Pi", "Phi", "equilibrium", "static", "auxiliary"});
    model_.where = document_.where(table_);
    if (shared.title)
      if (const auto title = reader_.string(*shared.title, "the title")) model_.title = title->text;
    if (shared.whole)
      read_symbols(reader_, shared, model_.op, model_.symbols);
    else
      read_operator(reader_, shared.variable, model_.op, model_.symbols);
    names();
    if (shared.parameters && !shared.whole) reader_.parameters(*shared.parameters, model_.symbols);
    auxiliaries();
    model_.T = energy("T");
    model_.Pi = energy("Pi");
    model_.Phi = energy("Phi");
    if (!reader_.find(&table_, "T") && !reader_.find(&table_, "Pi") && !reader_.find(&table_, "Phi"))
      reader_.error(table_, "the table [lagrange] is without energies",
                    "write T, Pi and Phi: the kinetic and potential energy and the dissipation function");
    else if (!reader_.find(&table_, "T"))
      problems_.warn(document_.where(table_), "T is missing: no kinetic energy", "write T = \"0\" if that is meant");
    static_forces();
    equilibrium(reader_.find(&table_, "equilibrium"));
    equilibrium(shared.equilibrium);
    ends(shared);
    warn_of_unstated_names();
    return std::move(model_);
  }

 private:
  Symbol* declare(const std::string& name, SymbolKind kind, const SourceSpan& where, const std::string& what) {
    if (!is_name(name)) {
      problems_.error(where, "word " + in_quotes(name) + " is no name for " + what,
                      "a name has letters, digits and '_' and does not begin with a digit");
      return nullptr;
    }
    if (is_number_pi(name, where, problems_)) return nullptr;
    if (const Symbol* known = model_.symbols.find(name)) {
      const auto variable = std::ranges::find(model_.variables, name, &Lagrangian::Variable::name);
      const bool same = variable != model_.variables.end();
      problems_.error(where,
                      "name " + in_quotes(name) +
                          (same                                 ? " is listed twice"
                           : known->kind == SymbolKind::laplace ? " is the variable of the operator polynomials"
                                                                : " has a meaning already"),
                      same ? "list every coordinate and excitation once" : "choose another name for " + what);
      return nullptr;
    }
    Symbol symbol;
    symbol.name = name;
    symbol.kind = kind;
    symbol.where = where;
    return &model_.symbols.add(std::move(symbol));
  }

  /// The name and, with D in front, its rate.
  bool declare_with_rate(const std::string& name, SymbolKind kind, const SourceSpan& where, const std::string& what) {
    if (!declare(name, kind, where, what)) return false;
    if (const Symbol* rate = model_.symbols.find(rate_name(name))) {
      problems_.error(where, "name " + in_quotes(rate->name) + " is a name of its own and also the rate of " + in_quotes(name),
                      "choose another name for one of them");
      return true;
    }
    declare(rate_name(name), kind, where, "the rate of " + in_quotes(name));
    return true;
  }

  void names() {
    variables("coordinates", Role::principal, SymbolKind::coordinate, "a coordinate");
    const bool none =
        std::ranges::none_of(model_.variables, [](const auto& variable) { return variable.role == Role::principal; });
    const Value* coordinates = reader_.find(&table_, "coordinates");
    if (none && !problems_.any_errors())
      reader_.error(coordinates ? *coordinates : table_, "the table [lagrange] is without coordinates",
                    "write coordinates = [\"x\", …]: one equation is formed for each");
    variables("redundant", Role::redundant, SymbolKind::coordinate, "a redundant coordinate");
    variables("excitations", Role::excitation, SymbolKind::input, "an excitation");
    if (const Value* auxiliary = reader_.find(&table_, "auxiliary"); auxiliary && reader_.is_table(*auxiliary, "auxiliary"))
      for (const Value::Entry& entry : auxiliary->entries)
        if (!rate_of(entry.key, *auxiliary))
          declare_with_rate(entry.key, SymbolKind::signal, document_.where(entry), "an auxiliary coordinate");
    if (const Value* forces = reader_.find(&table_, "forces"); forces && reader_.is_table(*forces, "forces"))
      for (const Value::Entry& entry : forces->entries) force(entry);
  }

  void variables(const char* key, Role role, SymbolKind kind, const std::string& what) {
    const Value* list = reader_.find(&table_, key);
    if (!list) return;
    for (const Passage& name : reader_.strings(*list, key)) {
      const SourceSpan where = place(reader_.source(), name);
      if (!declare_with_rate(name.text, kind, where, what)) continue;
      Lagrangian::Variable variable;
      variable.name = name.text;
      variable.role = role;
      variable.where = where;
      model_.variables.push_back(std::move(variable));
    }
  }

  Lagrangian::Variable* variable(const Value::Entry& entry, const std::string& what) {
    const auto found = std::ranges::find(model_.variables, entry.key, &Lagrangian::Variable::name);
    if (found != model_.variables.end()) return &*found;
    std::vector<std::string> names;
    for (const Lagrangian::Variable& known : model_.variables) names.push_back(known.name);
    reader_.error(entry, "name " + in_quotes(entry.key) + " in " + what + " is no coordinate of the model",
                  suggestion(entry.key, names));
    return nullptr;
  }

  void force(const Value::Entry& entry) {
    Lagrangian::Variable* along = variable(entry, "forces");
    const auto name = reader_.string(entry.value, "the force along " + in_quotes(entry.key));
    if (!along || !name || name->text == "0") return;
    const SourceSpan where = place(reader_.source(), *name);
    if (along->role != Role::principal)
      return reader_.error(entry, "a force along " + in_quotes(entry.key) + ", for which no equation is formed",
                           "forces act along the coordinates of the list 'coordinates'");
    const bool known = std::ranges::find(model_.variables, name->text, &Lagrangian::Variable::force) != model_.variables.end();
    if (!known && !declare(name->text, SymbolKind::input, where, "a force")) return;
    along->force = name->text;
    along->force_where = where;
  }

  /// The auxiliary of which this key of the table states the rate; nullptr when it is an auxiliary itself.
  static const Value::Entry* rate_of(const std::string& key, const Value& auxiliary) {
    if (!key.starts_with('D')) return nullptr;
    const auto of = std::ranges::find(auxiliary.entries, std::string_view(key).substr(1), &Value::Entry::key);
    return of == auxiliary.entries.end() ? nullptr : &*of;
  }

  void auxiliaries() {
    const Value* table = reader_.find(&table_, "auxiliary");
    if (!table || table->kind != Value::Kind::table) return;
    for (const Value::Entry& entry : table->entries) {
      if (rate_of(entry.key, *table)) continue;
      Lagrangian::Auxiliary auxiliary;
      auxiliary.name = entry.key;
      auxiliary.where = document_.where(entry);
      auxiliary.value = reader_.expression(entry.value, model_.symbols, "the auxiliary " + in_quotes(entry.key));
      model_.auxiliaries.push_back(std::move(auxiliary));
    }
    for (const Value::Entry& entry : table->entries) {
      const Value::Entry* of = rate_of(entry.key, *table);
      if (!of) continue;
      const auto auxiliary = std::ranges::find(model_.auxiliaries, of->key, &Lagrangian::Auxiliary::name);
      auxiliary->rate = reader_.expression(entry.value, model_.symbols, "the rate " + in_quotes(entry.key));
      auxiliary->rate_where = document_.where(entry);
    }
  }

  std::vector<Lagrangian::Energy> energy(const std::string& key) {
    std::vector<Lagrangian::Energy> summands;
    const Value* value = reader_.find(&table_, key);
    if (!value) return summands;
    const auto add = [&](const Value& summand) {
      SourceSpan where = document_.where(summand);
      if (summand.kind == Value::Kind::string) where = place(reader_.source(), document_.text(summand));
      summands.push_back({reader_.expression(summand, model_.symbols, key), where});
    };
    if (value->kind != Value::Kind::array) add(*value);
    for (const Value& item : value->items) add(item);
    return summands;
  }

  void static_forces() {
    const Value* table = reader_.find(&table_, "static");
    if (!table || !reader_.is_table(*table, "static")) return;
    for (const Value::Entry& entry : table->entries) {
      const GiNaC::ex load = reader_.expression(entry.value, model_.symbols, "the static load along " + in_quotes(entry.key));
      const Lagrangian::Variable* along = variable(entry, "static");
      if (!along) continue;
      if (along->role == Role::principal)
        model_.static_forces[entry.key] = load;
      else
        reader_.error(entry, "a static load along " + in_quotes(entry.key) + ", for which no equation is formed",
                      "loads act along the coordinates of the list 'coordinates'");
    }
  }

  void equilibrium(const Value* value) {
    if (!value) return;
    if (model_.equilibrium)
      return reader_.error(*value, "the equilibrium is stated twice", "state it in [lagrange] or in [equilibrium]");
    Lagrangian::Equilibrium point;
    point.where = document_.where(*value);
    if (value->kind == Value::Kind::string) {
      const Passage word = document_.text(*value);
      if (word.text != "find")
        return reader_.error(*value, "equilibrium = " + in_quotes(word.text) + " is not known",
                             "write \"find\", or a table of values { x = 0 }");
      point.find = true;
    } else if (reader_.is_table(*value, "the equilibrium")) {
      for (const Value::Entry& entry : value->entries) equilibrium_entry(entry, point);
    }
    model_.equilibrium = std::move(point);
  }

  void equilibrium_entry(const Value::Entry& entry, Lagrangian::Equilibrium& point) {
    if (entry.key == "find" && entry.value.kind == Value::Kind::boolean) {
      point.find = entry.value.truth;
      return;
    }
    const GiNaC::ex value = reader_.expression(entry.value, model_.symbols, "the value of " + in_quotes(entry.key));
    if (variable(entry, "the equilibrium")) point.values[entry.key] = value;
  }

  void ends(const SharedParts& shared) {
    std::vector<std::string> signals;
    for (const Lagrangian::Variable& variable : model_.variables) {
      signals.push_back(variable.name);
      if (!variable.force.empty()) signals.push_back(variable.force);
    }
    model_.inputs = read_ends(reader_, shared.input, "input", signals);
    for (const Lagrangian::Auxiliary& auxiliary : model_.auxiliaries) signals.push_back(auxiliary.name);
    model_.outputs = read_ends(reader_, shared.output, "output", signals, &model_.symbols);
  }

  /// A name that the file states nowhere is a parameter without a value; one that is nearly a stated name is likely a slip.
  void warn_of_unstated_names() {
    std::vector<std::string> stated;
    for (const Symbol& symbol : model_.symbols.all())
      if (symbol.value || symbol.kind != SymbolKind::parameter) stated.push_back(symbol.name);
    constexpr std::size_t shortest = 3;  // short names are near each other by nature
    for (const Symbol& symbol : model_.symbols.all()) {
      if (symbol.value || symbol.kind != SymbolKind::parameter) continue;
      const Symbol* tail = symbol.name.starts_with('D') ? model_.symbols.find(std::string_view(symbol.name).substr(1)) : nullptr;
      if (tail && tail->kind == SymbolKind::parameter) {
        problems_.warn(symbol.where,
                       "name " + in_quotes(symbol.name) + " is no rate, since " + in_quotes(tail->name) +
                           " is no coordinate, excitation or auxiliary",
                       "list " + in_quotes(tail->name) + " among them if it moves");
        continue;
      }
      if (symbol.name.size() < shortest) continue;
      const std::string near = nearest(symbol.name, stated);
      if (near.empty() || differ_in_digits_only(near, symbol.name)) continue;
      problems_.warn(symbol.where,
                     "name " + in_quotes(symbol.name) + " is stated nowhere and taken as a parameter without a value",
                     "did you mean '" + near + "'?");
    }
  }

  const DocumentReader& reader_;
  const Document& document_;
  Problems& problems_;
  const Value& table_;
  Lagrangian model_;
};

}  // namespace

Lagrangian lagrangian_of(const DocumentReader& reader, const Value& table, const SharedParts& shared) {
  return LagrangeReading(reader, table).lagrangian(shared);
}

}  // namespace sfg
