// A text that a person wrote is changed where it says what changes, and nowhere else: the places of statements are sought by
// their tokens, what they make is what the scan of the whole file found.
#include "sfg/read/dot/dot_edit.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "sfg/read/dot/dot_scan.hpp"
#include "sfg/read/dot/dot_statements.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

namespace {

std::string decimal(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, std::end(buffer), value, std::chars_format::fixed, 2).ptr;
  std::string text(buffer, end);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

struct Replacement {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

class DotEditor {
 public:
  explicit DotEditor(const SourceText& source) : source_(source) {
    Problems problems;
    file_ = scan_dot(source, problems);
    problems.finish(nullptr);
    statements_ = dot_statements(source);
    for (std::uint32_t i = 0; i < file_.edges.size(); ++i) edges_of_[statement_of(file_.edges[i])].push_back(i);
  }

  std::string operator()(const PlaceNode& edit) {
    const DotNode& node = node_named(edit.node);
    const std::string pos = dot_string(decimal(edit.x) + "," + decimal(edit.y));
    if (const DotAttribute* stated = attribute(node.attributes, "pos"))
      if (const DotStatement* own = statement_at(stated->begin); own && !own->edges && own->names.size() == 1) {
        replace_value(*stated, pos);
        return result();
      }
    for (const DotStatement& statement : statements_.list)
      if (!statement.edges && statement.names.size() == 1 && name_of(statement.names.front()) == edit.node) {
        add_attribute(statement, "pos=" + pos);
        return result();
      }
    add_statement(text_of(node) + " [pos=" + pos + "]");
    return result();
  }

  std::string operator()(const AddNode& edit) {
    for (const DotNode& node : file_.nodes)
      if (meaning(node) == edit.node) throw Error(place(node), "there is a node " + quoted(edit.node), "choose another name");
    if (edit.node.empty()) throw Error(SourceSpan{}, "a node without a name", "name it");
    add_statement(dot_string(edit.node));
    return result();
  }

  std::string operator()(const AddBranch& edit) {
    const auto end = [&](const std::string& name) {
      const auto node = find(name);
      return node == file_.nodes.end() ? dot_string(name) : text_of(*node);
    };
    add_statement(end(edit.from) + " -> " + end(edit.to) + " [gain=" + dot_string(edit.gain) + "]");
    return result();
  }

  std::string operator()(const SetGain& edit) {
    const DotEdge& edge = edge_numbered(edit.branch);
    const std::size_t number = plain_statement(edge);
    const DotStatement& statement = statements_.list[number];
    const std::vector<std::uint32_t>& edges = edges_of_.at(number);
    const DotAttribute* stated = attribute(edge.attributes, "gain");
    if (!stated) stated = attribute(edge.attributes, "nonlinear");
    if (!stated) stated = attribute(edge.attributes, "label");
    const auto stands_here = [&](const DotAttribute* a) { return a && statement.begin <= a->begin && a->begin < statement.end; };
    const bool own = stands_here(stated);
    const std::string gain = dot_string(edit.gain);
    std::vector<std::pair<const DotAttribute*, std::string>> values;  // what is said of the old gain goes with it
    if (own) values.emplace_back(stated, gain);
    if (const DotAttribute* lost = attribute(edge.attributes, "hidden_modes"); stands_here(lost)) values.emplace_back(lost, "1");
    std::ranges::sort(values, std::greater(), [](const auto& value) { return value.first->begin; });
    if (edges.size() > 1) {
      std::string text;
      for (const std::uint32_t other : edges) {
        if (!text.empty()) text += "; ";
        std::string lists(lists_of(statement));
        if (other == edit.branch) {
          for (const auto& [old, value] : values) lists.replace(old->begin - statement.ends, value_end(*old) - old->begin, value);
          if (!own) lists += " [gain=" + gain + "]";
        }
        text += ends_of(file_.edges[other]) + lists;
      }
      replacements_.push_back({statement.begin, statement.end, text});
    } else {
      for (const auto& [old, value] : values) replace_value(*old, value);
      if (!own) add_attribute(statement, "gain=" + gain);
    }
    return result();
  }

  std::string operator()(const DeleteBranch& edit) {
    const DotEdge& edge = edge_numbered(edit.branch);
    plain_statement(edge);
    drop({edit.branch}, nullptr);
    return result();
  }

  std::string operator()(const DeleteNode& edit) {
    const DotNode& node = node_named(edit.node);
    const auto index = static_cast<std::uint32_t>(&node - file_.nodes.data());
    std::set<std::size_t> gone;
    for (std::size_t i = 0; i < file_.edges.size(); ++i)
      if (file_.edges[i].tail == index || file_.edges[i].head == index) {
        if (!by_subgraph(file_.edges[i], index)) plain_statement(file_.edges[i]);
        gone.insert(i);
      }
    drop(gone, &edit.node);
    for (const DotAttribute& list : file_.attributes)
      if (file_.names[list.name] == "input" || file_.names[list.name] == "output") leave_out(list, edit.node);
    return result();
  }

  /// The number of the one branch between two nodes.
  std::size_t branch_between(const std::string& from, const std::string& to) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < file_.edges.size(); ++i)
      if (meaning(file_.nodes[file_.edges[i].tail]) == from && meaning(file_.nodes[file_.edges[i].head]) == to)
        found.push_back(i);
    const std::string ends = "from " + quoted(from) + " to " + quoted(to);
    if (found.empty()) throw Error(SourceSpan{}, "there is no branch " + ends, "'sfg graph' lists the branches");
    if (found.size() > 1) {
      std::string numbers;
      for (const std::size_t number : found) numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
      throw Error(SourceSpan{}, "there are " + std::to_string(found.size()) + " branches " + ends,
                  "name one by its number: " + numbers);
    }
    return found.front();
  }

 private:
  // --- what is there ---
  std::string meaning(const DotNode& node) const {
    return node.name.find('\\') == std::string::npos ? node.name : name_at(node.begin);
  }
  std::string name_at(std::size_t offset) const { return dot_meaning(dot_value(source_, offset)).text; }
  std::string name_of(const DotAtom& atom) const { return name_at(atom.begin); }
  std::string_view written(std::size_t begin, std::size_t end) const { return source_.text().substr(begin, end - begin); }
  std::string text_of(const DotNode& node) const { return std::string(written(node.begin, node.end)); }
  std::string_view lists_of(const DotStatement& statement) const { return written(statement.ends, statement.end); }
  std::string ends_of(const DotEdge& edge) const {
    return text_of(file_.nodes[edge.tail]) + " -> " + text_of(file_.nodes[edge.head]);
  }
  SourceSpan place(const DotNode& node) const { return source_.at(node.begin, node.end - node.begin); }
  std::vector<DotNode>::const_iterator find(const std::string& name) const {
    return std::ranges::find_if(file_.nodes, [&](const DotNode& node) { return meaning(node) == name; });
  }
  const DotNode& node_named(const std::string& name) const {
    const auto found = find(name);
    if (found == file_.nodes.end()) throw Error(SourceSpan{}, "there is no node " + quoted(name), "'sfg graph' lists the nodes");
    return *found;
  }
  const DotEdge& edge_numbered(std::size_t number) const {
    if (number < file_.edges.size()) return file_.edges[number];
    throw Error(SourceSpan{}, "there is no branch number " + std::to_string(number),
                "the graph has " + std::to_string(file_.edges.size()) + ", counted from 0");
  }
  const DotAttribute* attribute(const std::vector<DotAttribute>& list, std::string_view name) const {
    const auto found = std::ranges::find_if(list, [&](const DotAttribute& entry) { return file_.names[entry.name] == name; });
    return found == list.end() ? nullptr : &*found;
  }
  std::size_t value_end(const DotAttribute& attribute) const { return DotTokens(source_, attribute.begin).take_atom().end; }

  /// The innermost statement around a place.
  const DotStatement* statement_at(std::size_t offset) const {
    const DotStatement* inner = nullptr;
    for (const DotStatement& statement : statements_.list)
      if (statement.begin <= offset && offset < statement.end && (!inner || statement.begin > inner->begin)) inner = &statement;
    return inner;
  }
  /// That makes a branch: statements begin in the order of the file, and an edge begins with a side of its own.
  std::size_t statement_of(const DotEdge& edge) const {
    std::size_t inner = statements_.list.size();
    const auto after = std::ranges::upper_bound(statements_.list, edge.begin, {}, &DotStatement::begin);
    for (auto i = static_cast<std::size_t>(after - statements_.list.begin()); i-- > 0;)
      if (const DotStatement& statement = statements_.list[i]; statement.edges && edge.end <= statement.ends) {
        inner = i;
        break;
      }
    return inner;
  }
  std::size_t plain_statement(const DotEdge& edge) const {
    const std::size_t number = statement_of(edge);
    if (number == statements_.list.size() || !statements_.list[number].plain)
      throw Error(source_.at(edge.begin, edge.end - edge.begin), "this branch is made with others, by a subgraph or with a port",
                  "write it as a statement of its own");
    return number;
  }
  /// The statement stays when the node leaves the subgraph that it joins.
  bool by_subgraph(const DotEdge& edge, std::uint32_t node) const {
    const std::size_t number = statement_of(edge);
    if (number == statements_.list.size() || statements_.list[number].plain) return false;
    return std::ranges::none_of(statements_.list[number].names,
                                [&](const DotAtom& atom) { return name_of(atom) == meaning(file_.nodes[node]); });
  }

  // --- what becomes of it ---
  void replace_value(const DotAttribute& attribute, const std::string& text) {
    replacements_.push_back({attribute.begin, value_end(attribute), text});
  }

  void add_attribute(const DotStatement& statement, const std::string& text) {
    if (statement.end == statement.ends) {
      replacements_.push_back({statement.end, statement.end, " [" + text + "]"});
      return;
    }
    const std::size_t bracket = statement.end - 1;
    const std::size_t before = source_.text().find_last_not_of(" \t\r\n", bracket - 1);
    const char last = source_.text()[before];
    replacements_.push_back({bracket, bracket, (last == '[' ? "" : last == ',' || last == ';' ? " " : ", ") + text});
  }

  /// Behind all others, in front of the closing brace.
  void add_statement(const std::string& text) {
    const std::string_view all = source_.text();
    const std::size_t brace = statements_.closing, line = all.rfind('\n', brace) + 1;  // npos + 1: the first line
    const bool alone = line > 0 && all.substr(line, brace - line).find_first_not_of(" \t") == std::string_view::npos;
    if (!alone) {
      const bool ended = statements_.list.empty() || all.substr(0, brace).find_last_not_of(" \t\r\n") == std::string_view::npos ||
                         std::string_view("{;").find(all[all.find_last_not_of(" \t\r\n", brace - 1)]) != std::string_view::npos;
      replacements_.push_back({brace, brace, (ended ? "" : "; ") + text + "; "});
      return;
    }
    replacements_.push_back({line, line, indentation() + text + ";\n"});
  }
  std::string indentation() const {
    for (const DotStatement& statement : statements_.list) {
      const std::size_t line = source_.text().rfind('\n', statement.begin) + 1;
      const std::string_view before = written(line, statement.begin);
      if (line > 0 && before.find_first_not_of(" \t") == std::string_view::npos) return std::string(before);
    }
    return "  ";
  }

  /// Branches go, and a node with them; nodes that nothing else names stay as statements of their own.
  void drop(const std::set<std::size_t>& gone, const std::string* node) {
    std::map<std::size_t, std::string> rest;  // of the statements that change
    std::set<std::string> named;
    std::map<std::string, std::size_t> orphans;
    for (std::size_t i = 0; i < statements_.list.size(); ++i) {
      const DotStatement& statement = statements_.list[i];
      const auto made = edges_of_.find(i);
      const bool has_node = node && std::ranges::any_of(statement.names, [&](const DotAtom& a) { return name_of(a) == *node; });
      const bool fewer = made != edges_of_.end() && statement.plain &&
                         std::ranges::any_of(made->second, [&](std::uint32_t e) { return gone.contains(e); });
      if (!fewer && !has_node) {
        for (const DotAtom& atom : statement.names) named.insert(name_of(atom));
        continue;
      }
      std::string& text = rest[i];
      if (statement.edges) {
        for (const std::uint32_t e : made == edges_of_.end() ? std::vector<std::uint32_t>{} : made->second) {
          if (gone.contains(e)) continue;
          text += (text.empty() ? "" : "; ") + ends_of(file_.edges[e]) + std::string(lists_of(statement));
          for (const std::uint32_t end : {file_.edges[e].tail, file_.edges[e].head}) named.insert(meaning(file_.nodes[end]));
        }
      } else {
        for (const DotAtom& atom : statement.names)
          if (name_of(atom) != *node) {
            text += (text.empty() ? "" : ", ") + std::string(written(atom.begin, atom.end));
            named.insert(name_of(atom));
          }
        if (!text.empty()) text += lists_of(statement);
      }
      for (const DotAtom& atom : statement.names)
        if (const std::string name = name_of(atom); !node || name != *node) orphans.emplace(name, i);
    }
    for (const auto& [name, where] : orphans)
      if (!named.contains(name)) rest[where] += (rest[where].empty() ? "" : "; ") + text_of(node_named(name));
    for (const auto& [i, text] : rest) {
      if (text.empty())
        remove(statements_.list[i]);
      else
        replacements_.push_back({statements_.list[i].begin, statements_.list[i].end, text});
    }
  }

  /// With its semicolon, and with its line where nothing else stands on it.
  void remove(const DotStatement& statement) {
    const std::string_view text = source_.text();
    std::size_t begin = statement.begin, end = statement.end;
    const std::size_t next = text.find_first_not_of(" \t", end);
    if (next != std::string_view::npos && text[next] == ';') end = next + 1;
    const std::size_t line = text.rfind('\n', begin) + 1, line_end = std::min(text.find('\n', end), text.size());
    const auto blank = [&](std::size_t from, std::size_t to) {
      return text.substr(from, to - from).find_first_not_of(" \t\r") == std::string_view::npos;
    };
    if (line > 0 && line_end < text.size() && blank(line, begin) && blank(end, line_end)) begin = line, end = line_end + 1;
    replacements_.push_back({begin, end, ""});
  }

  void leave_out(const DotAttribute& list, const std::string& node) {
    std::string kept;
    bool there = false;
    for (const Passage& entry : split(dot_meaning(file_.value(source_, list)), ',')) {
      const std::string name = entry.trimmed().text;
      there = there || name == node;
      if (name != node) kept += (kept.empty() ? "" : ", ") + name;
    }
    if (there && kept.empty())
      remove_assignment(list);
    else if (there)
      replace_value(list, dot_string(kept));
  }

  /// name = value with the separator behind it.
  void remove_assignment(const DotAttribute& attribute) {
    const std::string_view text = source_.text();
    std::size_t begin = text.find_last_of('=', attribute.begin), end = value_end(attribute);
    begin = text.find_last_not_of(" \t\r\n", begin - 1) + 1;
    begin -= file_.names[attribute.name].size() + (text[begin - 1] == '"' ? 2 : 0);
    const std::size_t next = text.find_first_not_of(" \t", end);
    if (next != std::string_view::npos && (text[next] == ';' || text[next] == ',')) end = next + 1;
    replacements_.push_back({begin, end, ""});
  }

  std::string result() {
    std::ranges::sort(replacements_, std::ranges::greater{}, &Replacement::begin);
    std::string text(source_.text());
    for (const Replacement& part : replacements_) text.replace(part.begin, part.end - part.begin, part.text);
    replacements_.clear();
    return text;
  }

  const SourceText& source_;
  DotFile file_;
  DotStatements statements_;
  std::map<std::size_t, std::vector<std::uint32_t>> edges_of_;
  std::vector<Replacement> replacements_;
};

/// Reads the words of an edit.
class EditWords {
 public:
  EditWords(std::string_view words, const SourceText& graph) : text_(words, "--edit"), graph_(graph), tokens_(text_) {}

  GraphEdit edit() {
    const std::string kind = next().kind == DotTokenKind::word ? std::string(tokens_.text(tokens_.take())) : "";
    if (kind == "place") {
      PlaceNode place{name("the node"), coordinate()};
      sign(',');
      place.y = coordinate();
      return ended(place);
    }
    if (kind == "node") return ended(AddNode{name("the new node")});
    if (kind == "branch") {
      AddBranch branch{name("the node where it begins"), ""};
      arrow();
      branch.to = name("the node where it ends");
      if (next().is('=')) branch.gain = rest();
      return branch;
    }
    if (kind == "gain") {
      const std::size_t number = branch();
      return SetGain{number, rest()};
    }
    if (kind == "delete") return removal();
    refuse("an edit begins with place, node, branch, gain or delete");
  }

 private:
  const DotToken& next() const { return tokens_.next(); }
  [[noreturn]] void refuse(const std::string& hint) const {
    const SourceSpan where = text_.at(next().begin, next().end - next().begin);
    throw Error(where, next().kind == DotTokenKind::end ? "the edit ends too early" : "this is no edit", hint);
  }
  std::string name(const char* what) {
    if (!next().is_atom()) refuse(std::string("write the name of ") + what + ", in double quotes where it is no word");
    return dot_meaning(dot_value(text_, tokens_.take_atom().begin)).text;
  }
  double coordinate() {
    if (next().kind != DotTokenKind::number) refuse("write: place NODE X,Y in points");
    const std::string_view written = tokens_.text(tokens_.take());
    double value = 0;
    std::from_chars(written.data(), written.data() + written.size(), value);
    return value;
  }
  void sign(char c) {
    if (!next().is(c)) refuse(std::string("write '") + c + "' here");
    tokens_.take();
  }
  void arrow() {
    if (next().kind != DotTokenKind::arrow) refuse("write: FROM -> TO");
    tokens_.take();
  }
  /// "3" or "FROM -> TO"
  std::size_t branch() {
    const bool number = next().kind == DotTokenKind::number;
    const std::string first = name("the node where the branch begins, or its number");
    if (next().kind != DotTokenKind::arrow && number) return number_in(first);
    arrow();
    return DotEditor(graph_).branch_between(first, name("the node where it ends"));
  }
  std::size_t number_in(const std::string& text) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) refuse("a branch's number is a whole one, from 0");
    return value;
  }
  GraphEdit removal() {
    const std::string first = name("the node");
    if (first == "branch" && next().kind == DotTokenKind::number) return ended(DeleteBranch{number_in(name("the branch"))});
    if (next().kind != DotTokenKind::arrow) return ended(DeleteNode{first});
    arrow();
    const std::string second = name("the node where it ends");
    return ended(DeleteBranch{DotEditor(graph_).branch_between(first, second)});
  }
  /// All behind '='.
  std::string rest() {
    if (!next().is('=')) refuse("write '= GAIN' here");
    const std::string_view all = text_.text().substr(next().end);
    const std::size_t begin = all.find_first_not_of(' ');
    if (begin == std::string_view::npos) throw Error(text_.at(next().begin, 1), "the gain is missing", "write it behind '='");
    return std::string(all.substr(begin, all.find_last_not_of(' ') + 1 - begin));
  }
  GraphEdit ended(GraphEdit edit) const {
    if (next().kind != DotTokenKind::end) refuse("nothing follows here");
    return edit;
  }

  SourceText text_;
  const SourceText& graph_;
  DotTokens tokens_;
};

}  // namespace

GraphEdit read_graph_edit(std::string_view words, const SourceText& graph) { return EditWords(words, graph).edit(); }

std::string edited_dot(const SourceText& graph, const GraphEdit& edit) {
  DotEditor editor(graph);
  return std::visit([&](const auto& change) { return editor(change); }, edit);
}

}  // namespace sfg
