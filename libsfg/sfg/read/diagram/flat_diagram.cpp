#include "sfg/read/diagram/flat_diagram.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/name.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

using Kind = BlockMeaning::Kind;

constexpr std::size_t most_members = 200'000, most_inputs = 10'000;

/// Statements of a workspace, cut at ';', ',' and ends of lines outside of brackets; comments are passed over.
std::vector<Passage> statements_of(const Passage& text, ValueLanguage language) {
  std::vector<Passage> found;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.text.size(); ++i) {
    const char c = i < text.text.size() ? text.text[i] : '\n';
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    const bool comment = language == ValueLanguage::matlab ? c == '%' : text.text.substr(i, 2) == "//";
    const bool ends = depth <= 0 && (c == ';' || c == '\n' || c == '\r' || c == ',');
    if (!comment && !ends) continue;
    if (Passage statement = text.part(begin, i - begin).trimmed(); !statement.text.empty()) found.push_back(std::move(statement));
    if (comment) i = std::min(text.text.find('\n', i), text.text.size());
    begin = i + 1;
    depth = 0;
  }
  return found;
}

}  // namespace

FlatDiagram::FlatDiagram(const BlockDiagram& diagram, MatrixReading& reading, BlockVocabulary vocabulary,
                         const DiagramOperators& operators, Problems& problems)
    : reading_(reading), vocabulary_(vocabulary), operators_(operators), problems_(problems) {
  read_level(diagram, none, none);
  drivers_.assign(ports_.size(), none);
  for (std::size_t port = 0; port < ports_.size() && !problems_.full(); ++port) {
    problems_.attempt([&] { drivers_[port] = found_driver(port); });
    const DiagramBlock& block = *members_[ports_[port].member].block;
    const auto named = block.signals.find(ports_[port].number);
    if (named != block.signals.end() && drivers_[port] != none) signals_.emplace(drivers_[port], named->second);
  }
}

std::string FlatDiagram::signal(std::size_t port) const {
  const auto found = signals_.find(port);
  return found == signals_.end() ? "" : found->second;
}

BlockMeaning FlatDiagram::meaning_of(const DiagramBlock& block) {
  BlockMeaning meaning;
  if (block.passed_over) return meaning;
  if (block.through) {
    meaning.kind = Kind::pass;
    return meaning;
  }
  problems_.attempt([&] {
    try {
      meaning = vocabulary_(block, reading_, operators_);
    } catch (const Error& error) {
      if (error.diagnostics().size() != 1 || error.diagnostics()[0].message.find(in_quotes(block.path)) != std::string::npos)
        throw;
      Diagnostic said = error.diagnostics()[0];  // of a value: whose it is
      said.message = "the block " + in_quotes(block.path) + " (" + block.type + "): " + said.message;
      throw Error(std::move(said));
    }
  });
  return meaning;
}

void FlatDiagram::read_level(const BlockDiagram& diagram, std::size_t above, std::size_t owner) {
  const std::size_t level = levels_.size(), first = members_.size();
  levels_.push_back({&diagram, above, owner, first, {}, {}});
  if (first + diagram.blocks.size() > most_members)
    throw Error(reading_.source().at(0), "the diagram has more than " + std::to_string(most_members) + " blocks",
                "take it apart");
  Names names;
  mask(diagram, owner == none ? "" : members_[owner].block->path, names);
  reading_.scopes.insert(reading_.scopes.begin(), &names);
  state_names(diagram, names);
  for (std::size_t i = 0; i < diagram.blocks.size(); ++i) {
    const DiagramBlock& block = diagram.blocks[i];
    Member member{&block, meaning_of(block), level, {}, ports_.size(), block.outputs, none, above == none};
    if (member.meaning.time == BlockMeaning::Time::discrete && !member.meaning.sample_time && !diagram.events.empty())
      if (auto clock = clock_of(level, i, 0))
        problems_.attempt([&] {
          member.meaning.period = reading_.scalar(*clock);
          member.meaning.sample_time = std::move(clock);
        });
    const bool has_output = member.meaning.kind == Kind::source || member.meaning.kind == Kind::inlet;
    if (has_output) member.ports = std::max<std::size_t>(member.ports, 1);
    if (member.ports > most_inputs || block.inputs > most_inputs)
      throw Error(block.where, "the block " + in_quotes(block.path) + " has too many ports", "take it apart");
    for (std::size_t port = 0; port < member.ports; ++port) ports_.push_back({members_.size(), port});
    std::size_t inputs = block.inputs;
    if (member.meaning.kind == Kind::sum) inputs = std::max(inputs, member.meaning.signs.size());
    member.inputs.assign(inputs, none);
    if (member.meaning.kind == Kind::send) {
      levels_[level].tags.emplace(member.meaning.tag, members_.size());
      if (member.meaning.everywhere) tags_everywhere_.emplace(member.meaning.tag, members_.size());
    }
    if (member.meaning.kind == Kind::outlet) levels_[level].outlets.emplace(member.meaning.number, members_.size());
    members_.push_back(std::move(member));
    if (problems_.full()) problems_.finish(nullptr);
  }
  connect(diagram, first);
  for (std::size_t i = 0; i < diagram.blocks.size(); ++i) {
    if (members_[first + i].meaning.kind != Kind::inside) continue;
    members_[first + i].inner_level = levels_.size();
    read_level(*diagram.blocks[i].inside, level, first + i);
  }
  reading_.scopes.erase(reading_.scopes.begin());
}

void FlatDiagram::connect(const BlockDiagram& diagram, std::size_t first) {
  for (const DiagramLine& line : diagram.lines) {
    Member &from = members_[first + line.from], &to = members_[first + line.to];
    if (line.from_port >= from.ports || line.to_port >= to.inputs.size()) continue;
    std::size_t& input = to.inputs[line.to_port];
    if (input != none && input != from.first_port + line.from_port)
      problems_.error(to.block->where,
                      "two lines enter " + in_quotes(to.block->path) + " at its input " + std::to_string(line.to_port + 1),
                      "add them by a sum");
    input = from.block->passed_over ? none : from.first_port + line.from_port;
  }
}

// Names that stand for something.

/// A number of a mask is a parameter of its name; what is made of names outside is put in.
void FlatDiagram::mask(const BlockDiagram& diagram, const std::string& path, Names& names) {
  for (const auto& [name, stated] : diagram.names) {
    StatedMatrix value;
    const bool readable = is_name(name.text) && [&, &name = name, &stated = stated] {  // Clang 14 captures no bindings
      try {
        value = reading_.matrix(stated);
        return true;
      } catch (const Error& error) {
        problems_.warn(
            place(reading_.source(), stated),
            "the mask of " + in_quotes(path) + " states for " + in_quotes(name.text) + " what is not read: " + error.what(),
            "the name is a parameter without a value");
        return false;
      }
    }();
    if (!readable) continue;
    if (value.scalar() && GiNaC::is_a<GiNaC::numeric>(value.entries[0]) &&
        GiNaC::ex_to<GiNaC::numeric>(value.entries[0]).is_rational()) {
      mask_parameters_.push_back({GiNaC::symbol(), name.text, path, value.entries[0], place(reading_.source(), name)});
      value.entries[0] = mask_parameters_.back().symbol;
    }
    names.insert_or_assign(name.text, std::move(value));
  }
}

void FlatDiagram::state_names(const BlockDiagram& diagram, Names& names) {
  for (const Passage& text : diagram.statements)
    for (const Passage& each : statements_of(text, reading_.language())) problems_.attempt([&] { statement(each, names); });
}

void FlatDiagram::statement(const Passage& stated, Names& names) {
  const std::size_t equals = stated.text.find('=');
  const Passage name = stated.part(0, std::min(equals, stated.text.size())).trimmed();
  const SourceSpan where = place(reading_.source(), name);
  if (equals == std::string::npos || !is_name(name.text) || stated.text.substr(equals).starts_with("==")) {
    problems_.remark(where, "the statement " + in_quotes(stated.text) + " is not read", "write NAME = VALUE");
    return;
  }
  StatedMatrix value;
  try {
    value = reading_.matrix(stated.part(equals + 1, std::string::npos));
  } catch (const Error& error) {
    problems_.warn(where, "what is stated for " + in_quotes(name.text) + " is not read: " + error.what(),
                   "the name is a parameter without a value");
    return;
  }
  if (!value.scalar()) {
    names.insert_or_assign(name.text, std::move(value));
    return;
  }
  const GiNaC::ex symbol = reading_.symbols().symbol(name.text, where);
  Symbol& known = *reading_.symbols().find(name.text);
  if (value.entries[0].has(symbol)) {
    if (!known.value) throw Error(where, in_quotes(name.text) + " is stated by itself", "write its value");
    value.entries[0] = value.entries[0].subs(symbol == *known.value);
  }
  known.value = value.entries[0];
}

/// The period of the clock that activates a block of Xcos, as stated.
std::optional<Passage> FlatDiagram::clock_of(std::size_t level, std::size_t block, std::size_t depth) const {
  if (depth > deepest_subsystem) return {};
  const BlockDiagram& diagram = *levels_[level].diagram;
  for (const DiagramLine& event : diagram.events) {
    if (event.to != block) continue;
    const DiagramBlock& from = diagram.blocks[event.from];
    if (from.type == "SampleCLK" || from.type.starts_with("EVTDLY"))
      if (const Passage* period = from.find("1")) return *period;
    if (from.type.starts_with("CLOCK") && from.inside)
      for (const DiagramBlock& inner : from.inside->blocks)
        if (const Passage* period = inner.find("1"); period && inner.type.starts_with("EVTDLY")) return *period;
    if (from.type == "CLKSPLIT_f")
      if (auto period = clock_of(level, event.from, depth + 1)) return period;
    if (from.type.starts_with("CLKIN") && levels_[level].owner != none)
      return clock_of(levels_[level].above, levels_[level].owner - levels_[levels_[level].above].first_member, depth + 1);
  }
  return {};
}

// Who drives whom.

std::size_t FlatDiagram::sender(const Member& member) const {
  const std::string& tag = member.meaning.tag;
  if (const auto found = levels_[member.level].tags.find(tag); found != levels_[member.level].tags.end()) return found->second;
  if (const auto found = tags_everywhere_.find(tag); found != tags_everywhere_.end()) return found->second;
  throw Error(member.block->where, "no Goto has the tag " + in_quotes(tag) + " of " + in_quotes(member.block->path),
              "add one, or take the block out");
}

/// Whose signal leaves a block that is seen through.
std::size_t FlatDiagram::passed_on(const Member& member, std::size_t number) const {
  const auto input = [&](const Member& of, std::size_t i) { return i < of.inputs.size() ? of.inputs[i] : none; };
  if (member.meaning.kind == Kind::pass) return input(member, 0);
  if (member.meaning.kind == Kind::receive) return input(members_[sender(member)], 0);
  if (member.meaning.kind == Kind::inlet)
    return member.meaning.number == 0 ? none : input(members_[levels_[member.level].owner], member.meaning.number - 1);
  const Level& inner = levels_[member.inner_level];
  const auto outlet = inner.outlets.find(number + 1);
  return outlet == inner.outlets.end() ? none : input(members_[outlet->second], 0);
}

std::size_t FlatDiagram::found_driver(std::size_t port) const {
  for (std::size_t steps = 0; port != none; ++steps) {
    const Member& member = members_[ports_[port].member];
    const Kind kind = member.meaning.kind;
    if (kind == Kind::nothing || kind == Kind::ground || kind == Kind::terminator) return none;
    const bool through =
        kind == Kind::pass || kind == Kind::receive || kind == Kind::inside || (kind == Kind::inlet && !member.top);
    if (!through) return port;
    if (steps > ports_.size())
      throw Error(member.block->where, "what enters " + in_quotes(member.block->path) + " is what leaves it, and nothing else",
                  "put a block into the loop, or take it out");
    port = passed_on(member, ports_[port].number);
  }
  return none;
}

}  // namespace sfg
