// Equations as subsystems: Eq. 11 of Augustaitis et al. (2011), block by block.
#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <map>

#include "sfg/export/export_header.hpp"
#include "sfg/export/simulink/simulink_parts.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using Coefficients = std::vector<GiNaC::ex>;  // highest power first
using Kind = SimulinkBlock::Kind;

/// A row of Denc: what it multiplies and its polynomial.
struct DencRow {
  std::string signal;
  bool denominator = false;
  Coefficients polynomial;
};
struct EquationGroup {
  std::size_t unknown = 0;
  std::vector<DencRow> rows;  ///< the denominator first
};

std::optional<Coefficients> polynomial_of(const GiNaC::ex& entry, const GiNaC::ex& p) {
  auto found = polynomial_coefficients(entry, p);
  if (found && found->empty()) found = Coefficients{0};
  return found;
}

/// The groups of Mark: the unknown's own polynomial, the force, the other unknowns, the other sources.
std::optional<std::vector<EquationGroup>> groups_of(const EquationSystem& system) {
  const Assignment solved = assignment(system);
  const GiNaC::ex p = system.op.in(system.symbols);
  std::vector<EquationGroup> groups;
  for (std::size_t i = 0; i < system.equations.size(); ++i) {
    const EquationSystem::Equation& equation = system.equations[i];
    const std::size_t own = solved.unknown_of[i];
    EquationGroup group{own, {}};
    bool polynomial = true;
    const auto add = [&](const std::string& name, const GiNaC::ex& entry, bool denominator) {
      const auto found = polynomial_of(entry, p);
      polynomial = polynomial && found && (denominator || found->size() <= group.rows[0].polynomial.size());
      if (polynomial) group.rows.push_back({name, denominator, *found});
    };
    const auto add_sources = [&](bool forces) {
      for (const auto& [source, entry] : equation.right)
        if ((system.sources[source].kind == SourceKind::force) == forces && !vanishes(entry))
          add(system.sources[source].name, entry, false);
    };
    add(system.unknowns[own].name, equation.left.at(own), true);
    add_sources(true);
    for (const auto& [unknown, entry] : equation.left)
      if (unknown != own && !vanishes(entry)) add(system.unknowns[unknown].name, -entry, false);
    add_sources(false);
    if (!polynomial) return {};
    groups.push_back(std::move(group));
  }
  std::ranges::sort(groups, {}, &EquationGroup::unknown);
  return groups;
}

class EquationDiagram {
 public:
  EquationDiagram(const ExportSubject& subject, const MatlabNames& names, std::vector<EquationGroup> groups)
      : subject_(subject), names_(names), groups_(std::move(groups)) {
    for (const EquationGroup& group : groups_)
      for (const DencRow& row : group.rows) width_ = std::max(width_, row.polynomial.size());
  }

  std::optional<SimulinkDiagram> operator()() {
    state_matrix();
    const SimulinkPorts ports = add_ports(diagram_, subject_, true);
    for (const auto& [node, block] : ports.inputs) signals_[subject_.graph[node].name] = block;
    for (const EquationGroup& group : groups_) {
      const std::string& name = unknown(group);
      if (signals_.contains(name)) return {};  // a unit signal is added to it
      signals_[name] = diagram_.system.add({.name = "equation " + name,
                                            .kind = Kind::subsystem,
                                            .library = "built-in/SubSystem",
                                            .inputs = group.rows.size() - 1});
    }
    std::size_t row = 1;
    for (const EquationGroup& group : groups_) {
      fill(group, row);
      row += group.rows.size();
    }
    for (const auto& [node, block] : ports.outputs) {
      const auto from = signal(node);
      if (!from) return {};
      diagram_.system.connect(*from, 1, block);
    }
    diagram_.form = "a subsystem for every equation, solved for its own unknown, of blocks Trans i/j = Denc(i,:)/Denc(j,:)";
    return std::move(diagram_);
  }

 private:
  const std::string& unknown(const EquationGroup& group) const { return subject_.equations->unknowns[group.unknown].name; }

  void state_matrix() {
    std::vector<std::string>& lines = diagram_.preamble;
    lines.push_back("% Denc: the polynomials of " + comment_text(subject_.graph.op.symbol()) +
                    ", a row for every block, as Mark numbers them.");
    lines.emplace_back("Denc = [ ...");
    std::size_t number = 0;
    for (const EquationGroup& group : groups_)
      for (const DencRow& row : group.rows) {
        Coefficients padded(width_ - row.polynomial.size(), 0);
        padded.insert(padded.end(), row.polynomial.begin(), row.polynomial.end());
        const std::string text = names_.vector(padded);
        lines.push_back(fmt::format("  {}; ... % {}: {}{}", text.substr(1, text.size() - 2), ++number, comment_text(row.signal),
                                    row.denominator ? ", den" : ""));
      }
    lines.emplace_back("];");
  }

  /// Rows of a matrix, without the columns in which the denominator has only zeros.
  std::string row_text(std::size_t number, const DencRow& denominator) const {
    const std::size_t first = width_ - denominator.polynomial.size() + 1;
    return first == 1 ? fmt::format("Denc({},:)", number) : fmt::format("Denc({},{}:{})", number, first, width_);
  }

  GiNaC::ex quotient(const DencRow& above, const DencRow& below) const {
    const GiNaC::ex p = subject_.equations->op.in(subject_.equations->symbols);
    const auto value = [&](const Coefficients& c) {
      GiNaC::ex sum = 0;
      for (const GiNaC::ex& x : c) sum = sum * p + x;
      return sum;
    };
    return value(above.polynomial) / value(below.polynomial);
  }

  void fill(const EquationGroup& group, std::size_t first) {
    const SimulinkSystem::Index outer = signals_.at(unknown(group));
    SimulinkSystem& inner = diagram_.system.inside(outer);
    const bool discrete = subject_.graph.op.discrete();
    std::vector<std::pair<SimulinkSystem::Index, std::size_t>> terms;
    std::vector<SimulinkSystem::Index> inports;
    for (std::size_t k = 1; k < group.rows.size(); ++k) inports.push_back(inner.add_port(Kind::inport, group.rows[k].signal));
    const SimulinkSystem::Index out = inner.add_port(Kind::outport, unknown(group));
    for (std::size_t k = 1; k < group.rows.size(); ++k) {
      SimulinkBlock block{
          .name = fmt::format("Trans {}/{}", first + k, first),
          .kind = Kind::transfer,
          .library = discrete ? "built-in/DiscreteTransferFcn" : "built-in/TransferFcn",
          .settings = {{"Numerator", row_text(first + k, group.rows[0])}, {"Denominator", row_text(first, group.rows[0])}},
          .gain = quotient(group.rows[k], group.rows[0])};
      if (discrete) block.settings.emplace_back("SampleTime", names_.sample_time());
      const SimulinkSystem::Index made = inner.add(std::move(block));
      inner.connect(inports[k - 1], 1, made);
      terms.emplace_back(made, 1);
      diagram_.system.connect(signals_.at(group.rows[k].signal), 1, outer, k);
    }
    if (!terms.empty()) inner.connect(inner.sum("sum " + unknown(group), terms), 1, out);
  }

  /// A signal of the graph that is no unknown: it follows from others by branches. Nothing where one of these is improper.
  std::optional<SimulinkSystem::Index> signal(NodeId node) {
    const SignalFlowGraph& graph = subject_.graph;
    const std::string& name = graph[node].name;
    if (const auto known = signals_.find(name); known != signals_.end()) return known->second;
    std::vector<std::pair<SimulinkSystem::Index, std::size_t>> terms;
    if (++depth_ > graph.nodes().size()) return {};  // a loop that the equations do not have
    for (const BranchId id : graph.entering(node)) {
      const Branch& branch = graph[id];
      const auto from = signal(branch.from);
      if (!from || operator_fraction(branch.gain(), graph).excess() > 0) return {};
      terms.emplace_back(
          diagram_.system.add(fraction_block(graph[branch.from].name + " to " + name, branch.gain(), subject_, names_)), 1);
      diagram_.system.connect(*from, 1, terms.back().first);
    }
    --depth_;
    if (terms.empty()) return {};
    return signals_[name] = diagram_.system.sum("sum " + name, terms);
  }

  const ExportSubject& subject_;
  const MatlabNames& names_;
  std::vector<EquationGroup> groups_;
  std::size_t width_ = 3, depth_ = 0;
  SimulinkDiagram diagram_;
  std::map<std::string, SimulinkSystem::Index> signals_;  ///< the block whose output it is
};

}  // namespace

std::optional<SimulinkDiagram> equation_diagram(const ExportSubject& subject, const MatlabNames& names) {
  if (!subject.equations || !subject.equations->laws.empty()) return {};
  auto groups = groups_of(*subject.equations);
  if (!groups) return {};
  return EquationDiagram(subject, names, std::move(*groups))();
}

}  // namespace sfg
