#include "sfg/derive/joined.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/signal_sum.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// One system of several.
class Joining {
 public:
  Joining(const Joined& model, Rest rest, const Budget& budget)
      : model_(model), driven_(driven(model)), rest_(rest), budget_(budget) {
    system_.title = model.title;
    system_.op = model.op;
    system_.symbols = model.symbols;
    p_ = system_.op.declare(system_.symbols);
  }

  ModelEquations equations() {
    ModelEquations joined;
    for (Joined::Part part : model_.parts) {
      std::visit(
          [&](auto& kind) {
            kind.op = system_.op;
            kind.symbols.add(system_.symbols.at(system_.op.symbol()));
          },
          part);
      ModelEquations own = part_equations(std::move(part));
      joined.notes.insert(joined.notes.end(), own.notes.begin(), own.notes.end());
      if (!joined.searched) joined.searched = own.searched;
      add(own.system);
    }
    add_nodes();
    for (const Joined::Branch& branch : model_.branches) connect(branch);
    for (EquationSystem::Equation& equation : system_.equations) {
      if (equation.sum) clear(equation);
      std::erase_if(equation.left, [](const auto& entry) { return entry.second.is_zero(); });
    }
    for (const Joined::Node& input : model_.inputs) system_.inputs.push_back(input.name);
    if (system_.inputs.empty()) system_.inputs = std::move(inputs_);
    for (const Joined::Node& output : model_.outputs) system_.outputs.push_back(output.name);
    joined.system = std::move(system_);
    return joined;
  }

 private:
  /// Where a signal is: a column of D, or one of B.
  struct Column {
    bool known = false;  ///< of a source
    std::size_t index = 0;
  };

  /// A source that is driven is one whatever the netlist gives it as a value: 0 measures a current.
  ModelEquations part_equations(Joined::Part part) const {
    if (auto* circuit = std::get_if<Circuit>(&part))
      for (Circuit::Element& element : circuit->elements)
        if (std::ranges::find(driven_, element.name) != driven_.end()) {
          element.value = 1;
          std::erase(circuit->inputs, element.name);
        }
    return std::visit([&](auto& kind) { return model_equations(std::move(kind), NonlinearTerms::linearized, rest_, budget_); },
                      part);
  }

  void add_unknown(const std::string& name, const SourceSpan& where) {
    columns_[name] = {false, system_.unknowns.size()};
    system_.unknowns.push_back({name, where});
  }

  void add_source(const std::string& name, SourceKind kind, const SourceSpan& where) {
    columns_[name] = {true, system_.sources.size()};
    system_.sources.push_back({name, kind, where});
  }

  /// The row x − … = 0 of a signal that is stated as a sum.
  EquationSystem::Equation& add_sum(const std::string& name, const SourceSpan& where) {
    sums_[name] = system_.equations.size();
    add_unknown(name, where);
    EquationSystem::Equation& row = system_.equations.emplace_back();
    row.name = row_name(name);
    row.where = where;
    row.sum = true;
    row.left[columns_.at(name).index] = 1;
    return row;
  }

  /// Rows have names of their own: of a voltage source there is its element's law, and the sum that drives it.
  std::string row_name(std::string name) {
    while (!row_names_.insert(name).second) name += '_';
    return name;
  }

  /// Clears the row of denominators in the operator, whose roots are poles of the whole even where no loop has them.
  void clear(EquationSystem::Equation& row) {
    for (auto* side : {&row.left, &row.right})
      for (const auto& [column, entry] : *side) {
        const ex denominator = fraction(entry, p_).second;
        if (!denominator.has(p_)) continue;
        for (auto* other : {&row.left, &row.right})
          for (auto& [index, cleared] : *other) cleared = normal_form(cleared * denominator, p_);
      }
  }

  bool is_driven(const std::string& name) const { return std::ranges::find(driven_, name) != driven_.end(); }

  void add(const EquationSystem& part) {
    const std::size_t first = system_.unknowns.size();
    for (const auto& unknown : part.unknowns) add_unknown(unknown.name, unknown.where);
    const std::size_t row = system_.equations.size();
    for (const auto& equation : part.equations) {
      EquationSystem::Equation& moved = system_.equations.emplace_back();
      moved.name = row_name(equation.name);
      moved.where = equation.where;
      moved.sum = equation.sum;
    }
    for (const auto& source : part.sources) {
      if (is_driven(source.name)) {
        add_sum(source.name, source.where);
        continue;
      }
      add_source(source.name, source.kind, source.where);
      if (source.kind == SourceKind::law) continue;
      if (part.inputs.empty() || std::ranges::find(part.inputs, source.name) != part.inputs.end()) inputs_.push_back(source.name);
    }
    for (std::size_t i = 0; i < part.equations.size(); ++i) {
      EquationSystem::Equation& moved = system_.equations[row + i];
      for (const auto& [column, entry] : part.equations[i].left) moved.left[first + column] = entry;
      for (const auto& [column, entry] : part.equations[i].right) add_term(moved, part.sources[column].name, entry);
    }
    system_.definitions.insert(system_.definitions.end(), part.definitions.begin(), part.definitions.end());
    for (EquationSystem::Law law : part.laws) {
      law.source = columns_.at(part.sources[law.source].name).index;
      system_.laws.push_back(std::move(law));
    }
    for (const Symbol& symbol : part.symbols.all())
      if (!system_.symbols.find(symbol.name)) system_.symbols.add(symbol);
  }

  /// The signal times the entry, on the right-hand side of the row.
  void add_term(EquationSystem::Equation& row, const std::string& signal, const ex& entry) {
    const Column column = columns_.at(signal);
    ex& sum = (column.known ? row.right : row.left)[column.index];
    sum += column.known ? entry : -entry;
  }

  void add_nodes() {
    const auto place = [&](const std::string& name) {
      return std::ranges::find(model_.branches, name, &Joined::Branch::to)->to_where;
    };
    for (const std::string& name : driven_)
      if (!columns_.contains(name)) add_sum(name, place(name));
    const auto source = [&](const std::string& name, const SourceSpan& where) {
      if (columns_.contains(name)) return;
      add_source(name, SourceKind::input, where);
      inputs_.push_back(name);
    };
    for (const Joined::Node& node : model_.nodes) source(node.name, node.where);
    for (const Joined::Branch& branch : model_.branches)
      if (is_name(branch.from) && !follows(branch.from)) source(branch.from, branch.from_where);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& [name, column] : columns_) found.push_back(name);
    for (const auto& definition : system_.definitions) found.push_back(definition.name);
    return found;
  }

  /// Whether a name that is no column yet is an auxiliary or a rate.
  bool follows(const std::string& name) const {
    const std::string signal = name.substr(std::min(name.find_first_not_of('D'), name.size()));
    const auto defined = [&](const auto& definition) {
      return definition.name == name || (definition.name == signal && name.starts_with('D'));
    };
    return columns_.contains(name) || (name.starts_with('D') && columns_.contains(signal)) ||
           std::ranges::any_of(system_.definitions, defined);
  }

  void connect(const Joined::Branch& branch) {
    if (!columns_.contains(branch.from)) define(branch);
    add_term(system_.equations[sums_.at(branch.to)], branch.from, branch.gain);
  }

  /// An expression that a branch leaves becomes a signal.
  void define(const Joined::Branch& branch) {
    const std::vector<std::string> known = names();
    const SignalSum sum = signal_sum(branch.from, system_.symbols, known, branch.from_where);
    EquationSystem::Equation row = add_sum(branch.from, branch.from_where);
    for (const SignalSum::Term& term : sum.terms) {
      if (term.derivatives > 0 && system_.op.discrete())
        throw Error(branch.from_where, "a signal of samples has no rate, so that 'D" + term.signal + "' means nothing here",
                    "write differences as branches with 1/z");
      const ex gain = term.coefficient * GiNaC::power(p_, GiNaC::numeric(static_cast<unsigned long>(term.derivatives)));
      if (term.signal != branch.from && columns_.contains(term.signal)) {  // its own column is new
        add_term(row, term.signal, gain);
        continue;
      }
      const auto definition = std::ranges::find(system_.definitions, term.signal, &EquationSystem::Definition::name);
      for (const auto& [signal, coefficient] : definition->terms) add_term(row, signal, gain * coefficient);
    }
    std::erase_if(system_.definitions, [&](const auto& definition) { return definition.name == branch.from; });
    system_.equations[sums_.at(branch.from)] = std::move(row);
  }

  const Joined& model_;
  std::vector<std::string> driven_;
  Rest rest_;
  const Budget& budget_;
  EquationSystem system_;
  ex p_;
  std::map<std::string, Column> columns_;
  std::map<std::string, std::size_t> sums_;  ///< rows
  std::set<std::string> row_names_;
  std::vector<std::string> inputs_;
};

}  // namespace

ModelEquations joined_equations(const Joined& model, Rest rest, const Budget& budget) {
  if (std::vector<Diagnostic> found = problems(model); !found.empty()) throw Error(std::move(found));
  return Joining(model, rest, budget).equations();
}

}  // namespace sfg
