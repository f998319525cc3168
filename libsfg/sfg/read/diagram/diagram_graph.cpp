#include "sfg/read/diagram/diagram_graph.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>

#include "sfg/expr/constant.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/read/diagram/diagram_widths.hpp"
#include "sfg/read/diagram/flat_diagram.hpp"
#include "sfg/text/printable.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

using Kind = BlockMeaning::Kind;
using Time = BlockMeaning::Time;
using Member = FlatDiagram::Member;

class DiagramGraph {
 public:
  DiagramGraph(const BlockDiagram& diagram, const SourceText& source, ValueLanguage language, BlockVocabulary vocabulary,
               Problems& problems)
      : source_(source),
        problems_(problems),
        reading_(source, graph_.symbols, language),
        operators_{GiNaC::symbol("s"), GiNaC::symbol("z")},
        flat_(diagram, reading_, vocabulary, operators_, problems) {
    graph_.where = source.at(0);
    graph_.title = diagram.title;
  }

  SignalFlowGraph graph() {
    if (problems_.any_errors()) return {};
    settle_operator();
    settle_mask_parameters();
    widths_ = diagram_widths(flat_, problems_);
    if (problems_.any_errors()) return {};
    count_names();
    nodes_.resize(flat_.ports().size());
    for (const Member& member : flat_.members()) problems_.attempt([&] { add_nodes(member); });
    for (const Member& member : flat_.members()) {
      problems_.attempt([&] { add_branches(member); });
      if (problems_.full()) break;
    }
    ends();
    rests();
    if (graph_.nodes().empty() && !problems_.any_errors())
      problems_.error(source_.at(0), "the diagram has no block that a signal leaves", "name a diagram with blocks");
    return std::move(graph_);
  }

 private:
  // s or z; the sample time.

  void settle_operator() {
    const Member *continuous = nullptr, *discrete = nullptr, *timed = nullptr;
    for (const Member& member : flat_.members()) {
      if (member.meaning.time == Time::continuous && !continuous) continuous = &member;
      if (member.meaning.time != Time::discrete) continue;
      if (!discrete) discrete = &member;
      if (!member.meaning.period || member.meaning.period->is_zero()) continue;
      if (timed && !timed->meaning.period->is_equal(*member.meaning.period))
        problems_.error(
            member.block->where,
            "the block " + in_quotes(member.block->path) + " has another sample time than " + in_quotes(timed->block->path),
            "a graph in z has one sample time: take the diagram apart");
      if (!timed) timed = &member;
    }
    if (continuous && discrete)
      problems_.error(discrete->block->where,
                      "the block " + in_quotes(discrete->block->path) + " is discrete, and " +
                          in_quotes(continuous->block->path) + " is continuous",
                      "a graph is one of both: put discrete blocks in the place of the others, or take the diagram apart");
    const std::string name = discrete ? "z" : graph_.symbols.find("s") ? "p" : "s";
    if (graph_.symbols.find(name))
      problems_.error(graph_.symbols.find(name)->where, "a parameter is called '" + name + "' as the operator is", "rename it");
    if (problems_.any_errors()) return;
    graph_.op = Operator(name);
    if (timed) sample_time(*timed);
    values_[discrete ? operators_.z : operators_.s] = graph_.op.declare(graph_.symbols);
  }

  void sample_time(const Member& timed) {
    const SourceSpan where = place(source_, *timed.meaning.sample_time);
    const auto number = rational_value(timed.meaning.period->subs(graph_.symbols.values()));
    if (number && *number > exact::Rational(0))
      graph_.op = Operator("z", *number);
    else if (number)
      problems_.error(where, "the sample time is not above 0", "write another one");
    else
      problems_.remark(where, "the sample time " + in_quotes(timed.meaning.sample_time->text) + " has no value: 1 is taken",
                       "give it one where the model states its values");
  }

  /// A name of a mask stays what it is where nobody else has it; else the name of its subsystem is behind it.
  void settle_mask_parameters() {
    for (const FlatDiagram::MaskParameter& parameter : flat_.mask_parameters()) {
      std::string name = parameter.name;
      const auto other = [&] { return graph_.symbols.find(name); };
      if (other() && !(other()->value && other()->value->is_equal(parameter.value) && of_masks_.contains(name))) {
        name += "_";
        for (const char c : parameter.path) name += is_word_character(c) ? c : '_';
        for (const std::string whole = name; other(); name = whole + "_" + std::to_string(++renamed_)) {
        }
      }
      const GiNaC::ex symbol = graph_.symbols.symbol(name, parameter.where);
      graph_.symbols.find(name)->value = parameter.value;
      of_masks_.insert(name);
      values_[parameter.symbol] = symbol;
    }
  }
  GiNaC::ex settled(const GiNaC::ex& value) const { return value.subs(values_, GiNaC::subs_options::no_pattern); }

  // Nodes.

  static bool has_nodes(const Member& member) {
    switch (member.meaning.kind) {
      case Kind::scale:
      case Kind::sum:
      case Kind::product:
      case Kind::states:
      case Kind::source: return true;
      case Kind::inlet: return member.top;
      default: return false;
    }
  }
  std::string stated_name(const Member& member) const {
    const std::string signal = member.ports > 0 ? flat_.signal(member.first_port) : "";
    return signal.empty() ? member.block->name : signal;
  }
  /// Ends of the whole keep their names; others have theirs where they are the only ones.
  void count_names() {
    for (const Member& member : flat_.members()) {
      if (member.top && (member.meaning.kind == Kind::inlet || member.meaning.kind == Kind::outlet))
        ends_.insert(member.block->name);
      if (has_nodes(member) || member.meaning.kind == Kind::sink) ++names_[stated_name(member)];
      for (const std::size_t input : member.inputs)
        if (input != FlatDiagram::none) used_.insert(input);
      if (member.top && member.meaning.kind == Kind::outlet && !member.inputs.empty() && member.inputs[0] != FlatDiagram::none)
        outlets_.emplace(flat_.driver(member.inputs[0]), member.block->name);
    }
  }
  std::string name_of(const Member& member) {
    std::string name = stated_name(member);
    const bool end = member.top && (member.meaning.kind == Kind::inlet || member.meaning.kind == Kind::outlet);
    if (!end && (names_[name] > 1 || (ends_.contains(name) && !leads_to_outlet(member, name)))) name = member.block->path;
    return name;
  }
  /// Whether an output of the whole shows this signal under the same name: they are one node.
  bool leads_to_outlet(const Member& member, const std::string& name) const {
    const auto [begin, end] = outlets_.equal_range(member.ports > 0 ? member.first_port : FlatDiagram::none);
    return std::any_of(begin, end, [&](const auto& outlet) { return outlet.second == name; });
  }
  NodeId new_node(std::string name, const SourceSpan& where, const GiNaC::ex* constant = nullptr) {
    if (has_steering(name)) throw Error(where, "the name of a block has a control character", "rename it");
    const std::string whole = name;
    for (std::size_t i = 2; graph_.find(name); ++i) name = whole + "_" + std::to_string(i);
    Node node{name, where, {}};
    if (constant) keep_rest(node, RestValue{settled(*constant), true});
    return graph_.add_node(std::move(node));
  }

  void add_nodes(const Member& member) {
    if (!has_nodes(member)) return;
    if (member.meaning.kind == Kind::source && !leads_on(member)) return;
    const std::string name = name_of(member);
    for (std::size_t port = 0; port < std::max<std::size_t>(member.ports, 1); ++port) {
      if (port >= member.ports) return;
      std::vector<NodeId>& nodes = nodes_[member.first_port + port];
      const std::size_t width = widths_[member.first_port + port];
      for (std::size_t i = 0; i < width; ++i)
        nodes.push_back(new_node(width == 1 ? name : name + "_" + std::to_string(i + 1), member.block->where,
                                 i < member.meaning.values.size() ? &member.meaning.values[i] : nullptr));
      if (member.meaning.kind != Kind::source && member.meaning.kind != Kind::inlet) break;
    }
  }
  bool leads_on(const Member& member) const {
    const auto first = used_.lower_bound(member.first_port);
    return first != used_.end() && *first < member.first_port + member.ports;
  }

  // Branches.

  using Elements = std::vector<std::optional<NodeId>>;  ///< nothing: zero

  /// Of what is joined and parted each port is asked once: they may be many ways together.
  const Elements& elements(std::size_t port, std::size_t depth = 0) {
    static const Elements zero{std::nullopt};
    const std::size_t source = flat_.driver(port);
    if (source == FlatDiagram::none) return zero;
    const auto [known, is_new] = elements_.try_emplace(source);
    if (!is_new) return known->second;
    const Member& member = flat_.members()[flat_.ports()[source].member];
    if (depth > 1000) throw Error(member.block->where, "vectors are joined and parted more than 1000 times", "join them at once");
    Elements found;
    if (member.meaning.kind == Kind::join) {
      for (const std::size_t input : member.inputs) {
        const Elements& part = elements(input, depth + 1);
        if (part.empty()) joined_of_itself(member);
        found.insert(found.end(), part.begin(), part.end());
      }
    } else if (member.meaning.kind == Kind::part) {
      const Elements& whole = elements(member.inputs.empty() ? FlatDiagram::none : member.inputs[0], depth + 1);
      std::size_t begin = 0;
      for (std::size_t i = 0; i < flat_.ports()[source].number; ++i) begin += widths_[member.first_port + i];
      for (std::size_t i = begin; i < begin + widths_[source]; ++i) found.push_back(i < whole.size() ? whole[i] : std::nullopt);
      if (whole.empty()) joined_of_itself(member);
    } else {
      found.assign(nodes_[source].begin(), nodes_[source].end());
    }
    return known->second = std::move(found);
  }
  [[noreturn]] static void joined_of_itself(const Member& member) {
    throw Error(member.block->where, "the vector that enters " + in_quotes(member.block->path) + " is joined of parts of itself",
                "lead the signals themselves there");
  }
  Elements entering(const Member& member, std::size_t input) {
    const std::size_t port = input < member.inputs.size() ? member.inputs[input] : FlatDiagram::none;
    if (port == FlatDiagram::none)
      problems_.warn(
          member.block->where,
          "the input " + std::to_string(input + 1) + " of " + in_quotes(member.block->path) + " is not connected: it is zero",
          "connect it, or take the block out");
    return elements(port);
  }
  void branch(const std::optional<NodeId>& from, NodeId to, const GiNaC::ex& gain, const Member& member) {
    if (!from || gain.is_zero()) return;
    if (++branches_ > std::size_t{1'000'000}) throw Error(source_.at(0), "the diagram has too many branches", "take it apart");
    graph_.add_branch(*from, to, settled(gain), member.block->where);
  }
  /// An input of one element is as many as are wanted.
  static std::optional<NodeId> at(const Elements& elements, std::size_t index) {
    return elements.size() == 1 ? elements[0] : index < elements.size() ? elements[index] : std::nullopt;
  }

  void add_branches(const Member& member) {
    if (!has_nodes(member) || member.meaning.kind == Kind::source || member.meaning.kind == Kind::inlet || member.ports == 0)
      return;
    const std::vector<NodeId>& to = nodes_[member.first_port];
    const BlockMeaning& meaning = member.meaning;
    if (meaning.kind == Kind::scale) {
      const Elements from = entering(member, 0);
      for (std::size_t i = 0; i < to.size(); ++i)
        branch(at(from, i), to[i], meaning.gains[meaning.gains.size() == 1 ? 0 : i], member);
    } else if (meaning.kind == Kind::sum) {
      for (std::size_t input = 0; input < meaning.signs.size(); ++input) {
        const Elements from = entering(member, input);
        const GiNaC::ex weight = meaning.gains.empty() ? GiNaC::ex(meaning.signs[input]) : meaning.gains[input];
        if (meaning.signs.size() == 1)
          for (const auto& each : from) branch(each, to[0], weight, member);
        else
          for (std::size_t i = 0; i < to.size(); ++i) branch(at(from, i), to[i], weight, member);
      }
    } else if (meaning.kind == Kind::product) {
      times(meaning.matrix, entering(member, 0), to, 1, member);
    } else {
      states(member, to);
    }
  }
  void times(const StatedMatrix& matrix, const Elements& from, const std::vector<NodeId>& to, const GiNaC::ex& factor,
             const Member& member) {
    for (std::size_t i = 0; i < matrix.rows; ++i)
      for (std::size_t j = 0; j < matrix.columns; ++j) branch(at(from, j), to[i], matrix.at(i, j) * factor, member);
  }
  /// x = (A x + B u)/s, y = C x + D u.
  void states(const Member& member, const std::vector<NodeId>& to) {
    const BlockMeaning& meaning = member.meaning;
    const GiNaC::ex behind = 1 / (meaning.time == Time::discrete ? operators_.z : operators_.s);
    std::vector<NodeId> x;
    Elements state;
    for (std::size_t i = 0; i < meaning.A.rows; ++i) {
      x.push_back(new_node(name_of(member) + ".x" + std::to_string(i + 1), member.block->where));
      state.emplace_back(x.back());
    }
    const Elements from = meaning.D.columns == 0 ? Elements{} : entering(member, 0);
    if (!x.empty()) {
      times(meaning.A, state, x, behind, member);
      times(meaning.B, from, x, behind, member);
      times(meaning.C, state, to, 1, member);
    }
    times(meaning.D, from, to, 1, member);
  }
  // Inputs and outputs.

  void ends() {
    std::vector<const Member*> members;
    for (const Member& member : flat_.members()) members.push_back(&member);
    const auto order = [](const Member* member) {
      const bool port = member->top && (member->meaning.kind == Kind::inlet || member->meaning.kind == Kind::outlet);
      return port ? member->meaning.number : std::size_t{1} << 30;
    };
    std::ranges::stable_sort(members, {}, order);
    for (const Member* member : members) {
      if (member->meaning.kind == Kind::source || (member->meaning.kind == Kind::inlet && member->top))
        for (std::size_t port = 0; port < member->ports; ++port)
          graph_.inputs.insert(graph_.inputs.end(), nodes_[member->first_port + port].begin(),
                               nodes_[member->first_port + port].end());
      if (member->meaning.kind == Kind::sink || (member->meaning.kind == Kind::outlet && member->top))
        problems_.attempt([&] { output(*member); });
    }
  }
  void output(const Member& member) {
    Elements shown;
    for (std::size_t i = 0; i < member.inputs.size(); ++i)
      for (const auto& element : entering(member, i)) shown.push_back(element);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const std::string name = shown.size() == 1 ? member.block->name : member.block->name + "_" + std::to_string(i + 1);
      if (shown[i] && graph_[*shown[i]].name == name) {
        graph_.outputs.push_back(*shown[i]);
        continue;
      }
      const NodeId node = new_node(names_[name] > 1 ? member.block->path : name, member.block->where);
      branch(shown[i], node, 1, member);
      graph_.outputs.push_back(node);
    }
  }

  /// That blocks begin elsewhere than at zero is said.
  void rests() {
    for (const Member& member : flat_.members())
      if (member.meaning.states_rest)
        problems_.remark(member.block->where, "the initial value of " + in_quotes(member.block->path) + " is not taken",
                         "transfer functions are those from rest");
  }

  const SourceText& source_;
  Problems& problems_;
  SignalFlowGraph graph_;
  MatrixReading reading_;
  DiagramOperators operators_;
  FlatDiagram flat_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<NodeId>> nodes_;
  std::map<std::size_t, Elements> elements_;
  std::map<std::string, std::size_t> names_;
  std::set<std::string> ends_, of_masks_;
  std::set<std::size_t> used_;  ///< ports that lead somewhere
  std::multimap<std::size_t, std::string> outlets_;
  GiNaC::exmap values_;
  std::size_t branches_ = 0, renamed_ = 0;
};

}  // namespace

SignalFlowGraph diagram_graph(const BlockDiagram& diagram, const SourceText& source, ValueLanguage language,
                              BlockVocabulary vocabulary, Problems& problems) {
  return DiagramGraph(diagram, source, language, vocabulary, problems).graph();
}

}  // namespace sfg
