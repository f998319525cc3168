#include <algorithm>

#include "sfg/read/document/model_document.hpp"

namespace sfg {

namespace {

/// D(p) x = B u as lists of lists.
class MatrixReading {
 public:
  MatrixReading(const DocumentReader& reader, const Value& table)
      : reader_(reader), document_(reader.document()), table_(table) {}

  EquationSystem equations(const SharedParts& shared) {
    reader_.check_keys(table_, "[matrix]", {"unknowns", "inputs", "D", "B", "names"});
    system_.op = "s";
    if (shared.title)
      if (const auto title = reader_.string(*shared.title, "the title")) system_.title = title->text;
    read_symbols(reader_, shared, system_.op, system_.symbols);
    if (shared.equilibrium)
      reader_.error(*shared.equilibrium, "an equilibrium belongs to a [lagrange] model; [matrix] is linear", "remove it");
    names();
    const Value* D = reader_.find(&table_, "D");
    if (!D) reader_.error(table_, "the table [matrix] is without D", "write D = [[\"m*s^2 + k\", …], …]");
    const Value* B = reader_.find(&table_, "B");
    if (!B && !system_.sources.empty())
      reader_.error(table_, "the table [matrix] has inputs but is without B", "write B = [[\"1\"], …], a row for each equation");
    rows();
    if (D) matrix(*D, "D", system_.unknowns.size(), "unknown", &EquationSystem::Equation::left);
    if (B) matrix(*B, "B", system_.sources.size(), "input", &EquationSystem::Equation::right);
    ends(shared);
    return std::move(system_);
  }

 private:
  struct Name {
    std::string text;
    SourceSpan where;
  };

  std::vector<Name> list(const char* key) {
    std::vector<Name> names;
    const Value* value = reader_.find(&table_, key);
    if (!value) return names;
    for (const Passage& name : reader_.strings(*value, key)) {
      const SourceSpan where = place(reader_.source(), name);
      if (name.text.empty()) reader_.problems().error(where, std::string("an empty name in ") + key, "write a name");
      const bool is_taken = std::ranges::find(taken_, name.text) != taken_.end();
      if (is_taken)
        reader_.problems().error(where, "name " + in_quotes(name.text) + " is listed twice",
                                 "give every unknown and input a name of its own");
      taken_.push_back(name.text);
      names.push_back({name.text, where});
    }
    return names;
  }

  void names() {
    for (Name& name : list("unknowns")) system_.unknowns.push_back({std::move(name.text), std::move(name.where)});
    if (system_.unknowns.empty()) reader_.error(table_, "the table [matrix] is without unknowns", "write unknowns = [\"x1\", …]");
    for (Name& name : list("inputs")) system_.sources.push_back({std::move(name.text), SourceKind::input, std::move(name.where)});
  }

  void rows() {
    taken_.clear();
    const std::vector<Name> stated = list("names");
    for (std::size_t i = 0; i < system_.unknowns.size(); ++i) {
      EquationSystem::Equation row;
      row.name = i < stated.size() ? stated[i].text : std::to_string(i + 1);
      row.where = i < stated.size() ? stated[i].where : system_.unknowns[i].where;
      system_.equations.push_back(std::move(row));
    }
    if (!stated.empty() && stated.size() != system_.unknowns.size())
      reader_.error(*reader_.find(&table_, "names"),
                    std::to_string(stated.size()) + " names for " + std::to_string(system_.unknowns.size()) + " equations",
                    "there are as many equations as unknowns");
  }

  void matrix(const Value& value, const std::string& name, std::size_t columns, const std::string& what,
              std::map<std::size_t, GiNaC::ex> EquationSystem::Equation::*side) {
    if (!reader_.is_array(value, name)) return;
    if (value.items.size() != system_.equations.size())
      reader_.error(value,
                    name + " has " + counted(value.items.size(), "row") + " for " + counted(system_.equations.size(), "unknown"),
                    "write one row for each equation, as many as unknowns");
    for (std::size_t i = 0; i < std::min(value.items.size(), system_.equations.size()); ++i) {
      const Value& row = value.items[i];
      if (!reader_.is_array(row, "a row of " + name)) continue;
      if (row.items.size() != columns)
        reader_.error(row,
                      "row " + std::to_string(i + 1) + " of " + name + " has " + counted(row.items.size(), "entry") + " for " +
                          counted(columns, what),
                      "write one entry for each " + what + ", 0 where there is none");
      for (std::size_t j = 0; j < std::min(row.items.size(), columns); ++j) {
        const GiNaC::ex entry = reader_.expression(row.items[j], system_.symbols, "an entry of " + name);
        warn_of_unknowns(entry, row.items[j], name);
        if (!entry.is_zero()) (system_.equations[i].*side)[j] = entry;
      }
      if (name == "D") system_.equations[i].where = document_.where(row);
    }
  }

  /// An unknown's name inside of an entry is a parameter of that name, hardly what was meant.
  void warn_of_unknowns(const GiNaC::ex& entry, const Value& value, const std::string& name) {
    for (const auto& unknown : system_.unknowns)
      if (const Symbol* symbol = system_.symbols.find(unknown.name); symbol && entry.has(symbol->expr))
        reader_.problems().warn(
            document_.where(value),
            "name " + in_quotes(unknown.name) + " in an entry of " + name + " is a parameter, not the unknown of that name",
            "entries are coefficients");
  }

  void ends(const SharedParts& shared) {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    for (const auto& source : system_.sources) inputs.push_back(source.name);
    for (const auto& unknown : system_.unknowns) outputs.push_back(unknown.name);
    system_.inputs = read_ends(reader_, shared.input, "input", inputs);
    outputs.insert(outputs.end(), inputs.begin(), inputs.end());
    system_.outputs = read_ends(reader_, shared.output, "output", outputs, &system_.symbols);
  }

  const DocumentReader& reader_;
  const Document& document_;
  const Value& table_;
  EquationSystem system_;
  std::vector<std::string> taken_;
};

}  // namespace

EquationSystem equations_of(const DocumentReader& reader, const Value& table, const SharedParts& shared) {
  return MatrixReading(reader, table).equations(shared);
}

}  // namespace sfg
