// The DOT language read twice: here for places and bounds, by cgraph for the graph. cgraph keeps no places, multiplies
// {…} -> {…} out without limit, stops at strings of 16 KiB, accepts text behind the closing brace and then fails on
// the next file. So this scan follows its grammar, its order of creation and its scoping of defaults exactly (dot.cpp
// compares), and writes the text anew for it.
#include "sfg/read/dot/dot_scan.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "sfg/read/stated_attributes.hpp"

namespace sfg {

namespace {

struct Scope {
  Scope* parent = nullptr;
  std::vector<DotAttribute> node_defaults;
  std::vector<DotAttribute> edge_defaults;
  std::vector<std::uint32_t> members;  // nodes mentioned here; not kept for the whole graph
  std::vector<std::unique_ptr<Scope>> children;
  std::optional<std::uint32_t> cluster;  // where its name stands
  std::map<std::string, Scope*> named;   // cgraph opens a subgraph of a known name again
};

/// One side of '->': a list of nodes, or a subgraph.
struct Side {
  struct Member {
    std::uint32_t node;
    std::optional<std::uint32_t> port;
  };
  std::vector<Member> members;
  const Scope* subgraph = nullptr;  // its members count when the whole statement has been read
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Assignment {
  DotAttribute attribute;
  bool is_key = false;
};

void state(std::vector<DotAttribute>& list, const DotAttribute& attribute) {
  const auto known = std::ranges::find(list, attribute.name, &DotAttribute::name);
  if (known == list.end())
    list.push_back(attribute);
  else
    *known = attribute;
}

/// What nodes and branches have here; of the rest, Graphviz's, the last one counts, but for a label that is a gain.
bool is_ours(std::string_view name) {
  constexpr std::string_view names[] = {"gain", "nonlinear", "arguments", "dc", "at_rest", "units"};
  return std::ranges::find(names, name) != std::end(names);
}

std::string lower_case(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// cgraph's lexer takes no run of 16 KiB in one piece.
constexpr std::size_t longest_plain = 8000;
/// Its parser has a stack of fixed depth, on which a chain a -> b -> … lies whole; strings grow by a copy an escape or line.
constexpr std::size_t longest_chain = 2000;
constexpr std::ptrdiff_t most_escapes = 2000;

bool breaks_text(char c) { return c == '\\' || c == '"' || c == '\n'; }

/// A run without quotes and backslashes, broken by escaped ends of line where it is long.
void append_run(std::string& clean, std::string_view run) {
  if (run == "\n") {  // cgraph drops an end of line that stands alone between escapes, but not in an HTML string
    clean += "\" + <\n> + \"";
    return;
  }
  while (run.size() > longest_plain) {
    std::size_t cut = longest_plain;
    while ((run[cut] & 0xC0) == 0x80 || run.size() - cut == 1) --cut;
    clean.append(run.substr(0, cut)) += "\\\n";
    run.remove_prefix(cut);
  }
  clean += run;
}

/// Quotes a value for cgraph.
void append_for_cgraph(std::string& clean, std::string_view value, std::string_view prefix = "") {
  (clean += '"') += prefix;
  while (!value.empty()) {
    const std::size_t length = std::min(value.find_first_of("\"\\"), value.size());
    append_run(clean, value.substr(0, length));
    value.remove_prefix(length);
    if (value.empty()) break;
    if (value.front() == '"') clean += '\\';
    clean += value.front();
    value.remove_prefix(1);
  }
  clean += '"';
}

/// Of an HTML string: the longest text without '<', '>' or an end of line.
std::size_t longest_run(std::string_view html) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < html.size();) {
    const std::size_t end = std::min(html.find_first_of("<>\n", begin), html.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

class DotScanner {
 public:
  DotScanner(const SourceText& source, Problems& problems, const DotLimits& limits)
      : source_(source), problems_(problems), limits_(limits), tokens_(source) {}

  void scan() {
    try {
      header();
      file_.clean += "{\n";
      body(root_, 0);
      file_.clean += "}\n";
      if (next().kind != DotTokenKind::end) refuse_rest();
      check_table_size();
      for (const auto& child : root_.children) keep_clusters(*child, {});
    } catch (const EndOfScan&) {  // said already
    }
  }
  DotFile& file() { return file_; }

 private:
  struct EndOfScan {};

  // --- what the next token is ---
  const DotToken& next() const { return tokens_.next(); }
  bool at(char sign) const { return next().is(sign); }
  std::string keyword(const DotToken& token) const {
    if (token.kind != DotTokenKind::word) return "";
    const std::string word = lower_case(tokens_.text(token));
    static const std::vector<std::string> keywords{"node", "edge", "graph", "digraph", "subgraph", "strict"};
    return std::ranges::find(keywords, word) == keywords.end() ? "" : word;
  }
  bool at_name() const { return next().is_atom() && (next().kind != DotTokenKind::word || keyword(next()).empty()); }
  SourceSpan where(const DotToken& token) const { return source_.at(token.begin, token.end - token.begin); }
  SourceSpan where(const DotAtom& atom) const { return source_.at(atom.begin, atom.end - atom.begin); }
  std::string shown(const DotToken& token) const {
    return token.kind == DotTokenKind::end ? "the end of the file" : in_quotes(tokens_.text(token));
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& hint) {
    if (next().kind == DotTokenKind::end) {
      if (said_end_ || tokens_.unclosed()) throw EndOfScan{};
      said_end_ = true;
      throw Error(where(next()), "the file ends where " + expected + " is expected", hint);
    }
    throw Error(where(next()), "there is " + shown(next()) + " where " + expected + " is expected", hint);
  }

  /// A limit is reached: what follows is of no interest.
  [[noreturn]] void stop(SourceSpan where, std::string message, std::string hint) {
    problems_.error(std::move(where), std::move(message), std::move(hint));
    throw EndOfScan{};
  }

  // --- taking tokens, and writing them down for cgraph ---
  void take(char sign, const char* hint) {
    if (!at(sign)) fail(std::string("'") + sign + "'", hint);
    tokens_.take();
  }
  Passage text_of(const DotAtom& atom) {
    Passage value = dot_value(source_, atom.begin);
    if (value.text.size() > limits_.value_bytes)
      throw Error(where(atom),
                  "a text of " + std::to_string(value.text.size()) + " bytes is longer than the limit of " +
                      std::to_string(limits_.value_bytes),
                  "split it");
    return value;
  }
  /// Its text as it stands is its value, and short enough for cgraph's lexer.
  bool is_plain(const DotAtom& atom) const {
    return atom.kind != DotTokenKind::html && !atom.joined && atom.end - atom.begin < longest_plain &&
           inside(atom).find('\\') == std::string_view::npos && inside(atom) != "\n";
  }
  std::string_view inside(const DotAtom& atom) const {
    const std::uint32_t quote = atom.kind == DotTokenKind::quoted ? 1 : 0;
    return source_.text().substr(atom.begin + quote, atom.end - atom.begin - 2 * quote);
  }
  std::string string_of(const DotAtom& atom) { return is_plain(atom) ? std::string(inside(atom)) : text_of(atom).text; }
  void write(const DotAtom& atom, std::string_view prefix = "") {
    if (is_plain(atom)) {
      (file_.clean += '"').append(prefix).append(inside(atom)) += '"';
    } else if (atom.kind != DotTokenKind::html) {
      const std::string value = text_of(atom).text;
      if (std::ranges::count_if(value, breaks_text) > most_escapes) file_.beyond_cgraph = true;
      append_for_cgraph(file_.clean, value, prefix);
    } else {
      if (longest_run(inside(atom)) > longest_plain)
        throw Error(where(atom),
                    "an HTML string with a text of more than " + std::to_string(longest_plain) + " bytes between its marks",
                    "shorten it");
      file_.clean += inside(atom);
    }
  }
  DotAtom take_name(const char* what, const char* hint) {
    if (!at_name()) {
      if (!keyword(next()).empty())
        throw Error(where(next()), "keyword " + shown(next()) + " belongs to the DOT language",
                    "write it in double quotes where it is a name");
      fail(what, hint);
    }
    return tokens_.take_atom();
  }

  // --- the file ---
  void header() {
    const char* const hint = "write: digraph { a -> b [gain=\"K\"]; }";
    if (next().kind == DotTokenKind::end) throw Error(source_.at(0), "the file holds no graph", hint);
    if (keyword(next()) == "strict") {
      problems_.warn(where(next()), "keyword 'strict' merges parallel branches into one, the later gain replaces the earlier",
                     "leave 'strict' away where parallel branches add");
      file_.strict = true;
      file_.clean += "strict ";
      tokens_.take();
    }
    if (keyword(next()) == "graph")
      throw Error(where(next()), "a graph without directions ('graph') is no signal-flow graph",
                  "write 'digraph', and '->' for the branches");
    if (keyword(next()) != "digraph") fail("'digraph'", hint);
    tokens_.take();
    file_.clean += "digraph ";
    if (at_name()) {
      file_.title = take_name("a title", "");
      write(*file_.title);
    }
    take('{', "the graph stands in braces: digraph { … }");
  }

  void refuse_rest() {
    const std::string word = keyword(next());
    if (word == "digraph" || word == "graph" || word == "strict")
      throw Error(where(next()), "a second graph begins here", "one file holds one graph: move it to a file of its own");
    throw Error(where(next()), "text after the closing '}': " + shown(next()), "remove it, or move it in front of the '}'");
  }

  /// Statements up to and with the closing brace.
  void body(Scope& scope, std::size_t depth) {
    while (!at('}')) {
      if (next().kind == DotTokenKind::end) fail("'}'", "close the graph with '}'");
      const std::uint32_t begin = next().begin;
      try {
        statement(scope, depth);
      } catch (const Error& error) {
        problems_.add(error);
        if (problems_.full()) problems_.finish(nullptr);
        skip_statement(begin);
      }
      while (at(';')) tokens_.take();
    }
    tokens_.take();
  }

  /// After an error: on to the next ';', '}' or line. What is no token ends the scan.
  void skip_statement(std::uint32_t begin) {
    const auto line = source_.at(std::max(begin, next().begin)).line;
    std::size_t open = 0;
    while (next().kind != DotTokenKind::end) {
      const bool inside = in_list_ || open > 0;
      if (!inside && (at(';') || at('}') || source_.at(next().begin).line > line)) break;
      if (at('{')) ++open;
      if (at('}') && open > 0) --open;
      if (at(']')) in_list_ = false;
      tokens_.take();
    }
    in_list_ = false;
  }

  void statement(Scope& scope, std::size_t depth) {
    const std::string word = keyword(next());
    if (word == "graph" || word == "node" || word == "edge") return defaults(scope, word);
    if (word == "digraph" || word == "strict")
      throw Error(where(next()), "a graph inside of a graph", "write 'subgraph', or close the first graph with '}'");
    if (word == "subgraph" || at('{')) return branches(scope, subgraph(scope, depth), depth);
    if (!at_name()) fail("a statement", "write a node, a branch a -> b, or an attribute name=value");
    const DotAtom first = take_name("a name", "");
    if (at('=')) return graph_attribute(scope, first);
    branches(scope, node_list(scope, first), depth);
  }

  void graph_attribute(Scope& scope, const DotAtom& name) {
    tokens_.take();
    const DotAtom value = take_name("a value", "write name=\"value\"");
    write(name);
    file_.clean += '=';
    write(value);
    file_.clean += ";\n";
    of_graph(scope, where(name), {attribute_name(name), value.begin});
  }

  /// What says something of the graph stands once, and not in a part of it.
  void of_graph(const Scope& scope, const SourceSpan& place, const DotAttribute& attribute) {
    const std::string& name = file_.names[attribute.name];
    const bool of_ours = StatedAttributes::contains(name), of_part = &scope != &root_;
    if (of_ours && of_part)
      throw Error(place, "the attribute '" + name + "' of a subgraph says nothing",
                  "state it of the graph, outside of the subgraph");
    if (of_part) return;
    const auto known = std::ranges::find(file_.attributes, attribute.name, &DotAttribute::name);
    if (of_ours && known != file_.attributes.end() && !same_value(*known, attribute))
      throw Error(place, "the graph states '" + name + "' twice", "put all of it into one");
    state(file_.attributes, attribute);
  }

  bool same_value(const DotAttribute& a, const DotAttribute& b) const {
    return dot_value(source_, a.begin).text == dot_value(source_, b.begin).text;
  }

  /// graph [..], node [..], edge [..]
  void defaults(Scope& scope, const std::string& word) {
    tokens_.take();
    if (!at('[')) fail("'['", "write, for instance, edge [gain=\"1\"]; a node of that name goes in double quotes");
    file_.clean += word;
    for (const Assignment& assignment : attribute_lists()) {
      if (word == "graph") of_graph(scope, source_.at(assignment.attribute.begin, 1), assignment.attribute);
      if (word == "node") state(scope.node_defaults, assignment.attribute);
      if (word == "edge" && !assignment.is_key) state(scope.edge_defaults, assignment.attribute);
    }
    file_.clean += ";\n";
  }

  std::vector<Assignment> attribute_lists() {
    std::vector<Assignment> list;
    ++list_;
    while (at('[')) {
      tokens_.take();
      in_list_ = true;
      file_.clean += '[';
      while (!at(']')) list.push_back(assignment());
      in_list_ = false;
      file_.clean += ']';
      tokens_.take();
    }
    return list;
  }

  Assignment assignment() {
    const DotAtom name = take_name("']' or an attribute name=value", "close the list of attributes with ']'");
    if (!at('=')) {
      if (next().kind == DotTokenKind::end) fail("'='", "write name=\"value\", and close the list with ']'");
      throw Error(where(name), "the attribute " + in_quotes(dot_value(source_, name.begin).text) + " has no value",
                  "write name=\"value\"");
    }
    tokens_.take();
    const DotAtom value = take_name("a value", "write name=\"value\"");
    write(name);
    file_.clean += '=';
    write(value);
    file_.clean += ' ';
    if (at(',') || at(';')) tokens_.take();
    const DotAttribute attribute{attribute_name(name), value.begin};
    stand_in_.resize(file_.names.size());
    auto& [list, known] = stand_in_[attribute.name];
    if (list == list_ && is_ours(file_.names[attribute.name]) && !same_value(known, attribute))
      throw Error(where(name),
                  "the attribute " + in_quotes(dot_value(source_, name.begin).text) + " stands twice in one statement",
                  "leave one of them");
    list = list_, known = attribute;
    return {attribute, file_.names[attribute.name] == "key"};
  }

  std::uint32_t attribute_name(const DotAtom& atom) { return attribute_name(string_of(atom), atom.begin); }
  std::uint32_t attribute_name(const std::string& name, std::uint32_t place) {
    const auto [entry, is_new] = name_index_.emplace(name, static_cast<std::uint32_t>(file_.names.size()));
    if (is_new) {
      if (file_.names.size() == limits_.attribute_names)
        stop(source_.at(place), "more than " + std::to_string(limits_.attribute_names) + " different attributes",
             "leave out what is not needed");
      file_.names.push_back(name);
    }
    return entry->second;
  }

  // --- nodes and branches ---
  std::uint32_t node(Scope& scope, const DotAtom& atom) {
    if (atom.kind == DotTokenKind::html)
      throw Error(where(atom), "an HTML string is no name of a node", "write the name in double quotes");
    std::string name = string_of(atom);
    if (name.empty()) throw Error(where(atom), "a node without a name", "write a name between the quotes");
    const auto [entry, is_new] = node_index_.emplace(std::move(name), static_cast<std::uint32_t>(file_.nodes.size()));
    if (is_new) {
      file_.nodes.push_back({entry->first, atom.begin, atom.end, effective(scope, &Scope::node_defaults)});
      spend_values(file_.nodes.back().attributes.size());
    }
    if (&scope != &root_) scope.members.push_back(entry->second);
    return entry->second;
  }

  std::vector<DotAttribute> effective(const Scope& scope, std::vector<DotAttribute> Scope::*kind) const {
    if (!scope.parent) return scope.*kind;
    std::vector<DotAttribute> list = effective(*scope.parent, kind);
    for (const DotAttribute& attribute : scope.*kind) state(list, attribute);
    return list;
  }

  Side node_list(Scope& scope, DotAtom atom) {
    Side side;
    side.begin = atom.begin;
    for (;;) {
      Side::Member member{node(scope, atom), {}};
      write(atom, DotFile::name_prefix);
      side.end = atom.end;
      if (at(':')) member.port = port();
      side.members.push_back(member);
      if (!at(',')) return side;
      tokens_.take();
      file_.clean += ',';
      atom = take_name("a node", "after ',' another node follows");
    }
  }

  std::uint32_t port() {
    std::uint32_t begin = 0;
    for (int part = 0; part < 2 && at(':'); ++part) {
      tokens_.take();
      const DotAtom atom = take_name("a port", "write node:port, or put a name with ':' in double quotes");
      if (part == 0) begin = atom.begin;
      file_.clean += ':';
      write(atom);
    }
    return begin;
  }

  Side subgraph(Scope& scope, std::size_t depth) {
    if (depth == limits_.nesting)
      stop(where(next()), "subgraphs are nested more than " + std::to_string(limits_.nesting) + " deep",
           "write the branches without them");
    Side side;
    side.begin = next().begin;
    Scope* inner = nullptr;
    if (!at('{')) {
      tokens_.take();
      file_.clean += "subgraph ";
      if (at_name()) {
        const DotAtom name = take_name("a name", "");
        write(name, DotFile::name_prefix);
        inner = &named(scope, text_of(name).text);
        if (text_of(name).text.starts_with(DotFile::cluster_prefix)) inner->cluster = name.begin;
      }
    }
    take('{', "a subgraph stands in braces: subgraph { … }");
    file_.clean += "{\n";
    if (!inner) inner = &opened(scope);
    body(*inner, depth + 1);
    file_.clean += '}';
    side.end = next().begin;
    side.subgraph = inner;
    return side;
  }

  Scope& opened(Scope& scope) {
    scope.children.push_back(std::make_unique<Scope>());
    scope.children.back()->parent = &scope;
    return *scope.children.back();
  }
  Scope& named(Scope& scope, const std::string& name) {
    Scope*& known = scope.named[name];
    if (!known) known = &opened(scope);
    return *known;
  }

  /// A subgraph that is no cluster is a part of the one that it stands in.
  void keep_clusters(const Scope& scope, std::optional<std::size_t> parent) {
    if (scope.cluster) {
      file_.clusters.push_back({*scope.cluster, parent});
      parent = file_.clusters.size() - 1;
    }
    if (parent) {
      auto& members = file_.clusters[*parent].members;
      members.insert(members.end(), scope.members.begin(), scope.members.end());
    }
    for (const auto& child : scope.children) keep_clusters(*child, parent);
  }

  /// All nodes of a subgraph, in the order of their creation.
  void collect(const Scope& scope, std::vector<std::uint32_t>& nodes) {
    spend(scope.members.size() + scope.children.size());
    nodes.insert(nodes.end(), scope.members.begin(), scope.members.end());
    for (const auto& child : scope.children) collect(*child, nodes);
  }
  void fill_from_subgraph(Side& side) {
    if (!side.subgraph) return;
    std::vector<std::uint32_t> nodes;
    collect(*side.subgraph, nodes);
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const std::uint32_t node : nodes) side.members.push_back({node, {}});
  }

  void spend(std::size_t branches) {
    work_ += branches;
    if (work_ > limits_.branches)
      stop(where(next()), "the graph has more than " + std::to_string(limits_.branches) + " branches",
           "split it, or write fewer {…} -> {…}");
  }
  void spend_values(std::size_t values) {
    values_ += values;
    if (values_ > limits_.attribute_values) refuse_table();
  }

  /// The rest of a statement that began with nodes or a subgraph.
  void branches(Scope& scope, Side first, std::size_t depth) {
    std::vector<Side> sides{std::move(first)};
    while (next().kind == DotTokenKind::arrow) {
      tokens_.take();
      file_.clean += "->";
      if (keyword(next()) == "subgraph" || at('{'))
        sides.push_back(subgraph(scope, depth));
      else
        sides.push_back(
            node_list(scope, take_name("a node", "name the node that the branch leads to, and close the graph with '}'")));
    }
    if (sides.size() > longest_chain) file_.beyond_cgraph = true;
    if (next().kind == DotTokenKind::line) throw Error(where(next()), "edge '--' has no direction", "write '->'");
    const std::vector<Assignment> list = attribute_lists();
    file_.clean += ";\n";
    if (sides.size() == 1) {
      for (const Side::Member& member : sides.front().members)
        for (const Assignment& assignment : list) state_own(file_.nodes[member.node].attributes, assignment.attribute, false);
      return;
    }
    refuse_two_labels(scope, list);
    for (Side& side : sides) fill_from_subgraph(side);
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) connect(scope, sides[i], sides[i + 1], list);
  }

  bool is_law(const DotAttribute& attribute) const {
    return file_.names[attribute.name] == "gain" || file_.names[attribute.name] == "nonlinear";
  }
  bool has_law(const std::vector<DotAttribute>& list) const {
    return std::ranges::any_of(list, [this](const DotAttribute& attribute) { return is_law(attribute); });
  }

  /// Over a default the node's or branch's own counts, which a later statement of it does not change in silence.
  void state_own(std::vector<DotAttribute>& list, DotAttribute attribute, bool of_branch) {
    const std::string& name = file_.names[attribute.name];
    const auto known = std::ranges::find(list, attribute.name, &DotAttribute::name);
    if (of_branch && file_.strict) return state(list, attribute);  // which has a warning of its own
    const bool counts = is_ours(name) || (of_branch && name == "label" && !has_law(list));
    if (counts && known != list.end() && known->own && !same_value(*known, attribute))
      throw Error(source_.at(attribute.begin, 1),
                  "the attribute '" + name + "' is stated of this " + (of_branch ? "branch" : "node") + " already, otherwise",
                  "leave one of them");
    attribute.own = true;
    state(list, attribute);
  }

  /// The label is the gain of a branch that states no other.
  void refuse_two_labels(const Scope& scope, const std::vector<Assignment>& list) {
    const DotAttribute *first = nullptr, *other = nullptr;
    for (const auto& [attribute, is_key] : list) {
      if (is_law(attribute)) return;
      if (file_.names[attribute.name] != "label") continue;
      if (!first) first = &attribute;
      if (!same_value(*first, attribute)) other = &attribute;
    }
    if (other && !has_law(effective(scope, &Scope::edge_defaults)))
      throw Error(source_.at(other->begin, 1), "the branch has two labels and no gain", "leave one of them, or write gain=\"…\"");
  }

  void connect(Scope& scope, const Side& tails, const Side& heads, const std::vector<Assignment>& list) {
    spend(tails.members.size() * heads.members.size());
    const auto key = std::ranges::find_if(list.rbegin(), list.rend(), &Assignment::is_key);
    const std::vector<DotAttribute> defaults = effective(scope, &Scope::edge_defaults);
    for (const Side::Member& tail : tails.members)
      for (const Side::Member& head : heads.members) {
        DotEdge& edge = file_.edges[edge_between(tail.node, head.node, key == list.rend() ? nullptr : &key->attribute, defaults)];
        if (edge.end == 0) edge.begin = tails.begin, edge.end = heads.end;
        if (tail.port) state(edge.attributes, {attribute_name("tailport", *tail.port), *tail.port, true});
        if (head.port) state(edge.attributes, {attribute_name("headport", *head.port), *head.port, true});
        for (const Assignment& assignment : list) state_own(edge.attributes, assignment.attribute, true);
        spend_values(edge.attributes.size());
      }
  }

  /// A new edge, or the one that cgraph takes instead: of the same key, or any of a strict graph.
  std::size_t edge_between(std::uint32_t tail, std::uint32_t head, const DotAttribute* key,
                           const std::vector<DotAttribute>& defaults) {
    const auto fresh = [&] {
      file_.edges.push_back({tail, head, 0, 0, defaults});
      return file_.edges.size() - 1;
    };
    if (!key && !file_.strict) return fresh();
    if (key && file_.strict) throw Error(source_.at(key->begin, 1), "attribute 'key' in a strict graph", "leave 'strict' away");
    const std::string name = key ? '=' + dot_value(source_, key->begin).text : "";
    const auto [entry, is_new] = known_edges_.try_emplace({tail, head, name}, 0);
    if (is_new) entry->second = fresh();
    return entry->second;
  }

  /// cgraph keeps a value for every attribute name of every element.
  void check_table_size() {
    const std::size_t elements = file_.nodes.size() + file_.edges.size();
    if (elements * file_.names.size() > limits_.attribute_values) refuse_table();
  }
  [[noreturn]] void refuse_table() {
    stop(source_.at(0), "more than " + std::to_string(limits_.attribute_values) + " attribute values",
         "leave out the attributes that are not needed");
  }

  const SourceText& source_;
  Problems& problems_;
  const DotLimits& limits_;
  DotTokens tokens_;
  DotFile file_;
  Scope root_;
  bool in_list_ = false;
  std::uint64_t list_ = 0;                                        ///< number of the statement's list of attributes
  std::vector<std::pair<std::uint64_t, DotAttribute>> stand_in_;  ///< by name: the list it stood in last, and how
  std::size_t work_ = 0;
  std::size_t values_ = 0;
  bool said_end_ = false;
  std::unordered_map<std::string, std::uint32_t> name_index_;
  std::unordered_map<std::string, std::uint32_t> node_index_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::size_t> known_edges_;
};

}  // namespace

Passage DotFile::value(const SourceText& source, const DotAttribute& attribute, bool* html) const {
  Passage value = dot_value(source, attribute.begin);
  if (html) *html = source.text().substr(attribute.begin).starts_with('<');
  if (!attribute.port) return value;
  DotTokens tokens(source, attribute.begin);
  tokens.take_atom();
  if (!tokens.next().is(':')) return value;
  const std::size_t colon = tokens.take().begin;
  value.append(":", colon);
  const Passage compass = dot_value(source, tokens.next().begin);
  value.append(compass.text, compass.source_of(0));
  return value;
}

DotFile scan_dot(const SourceText& source, Problems& problems, const DotLimits& limits) {
  DotFile file;
  problems.attempt([&] {
    DotScanner scanner(source, problems, limits);
    const bool complete = problems.attempt([&] { scanner.scan(); });
    file = std::move(scanner.file());
    if (!complete) file.clean.clear();
  });
  return file;
}

}  // namespace sfg
