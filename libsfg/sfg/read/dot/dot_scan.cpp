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

#include "sfg/read/dot/cgraph_text.hpp"
#include "sfg/read/dot/dot_attributes.hpp"
#include "sfg/read/stated_attributes.hpp"

namespace sfg {

namespace {

/// One side of '->': a list of nodes, or a subgraph.
struct Side {
  struct Member {
    std::uint32_t node;
    std::optional<std::uint32_t> port;
  };
  std::vector<Member> members;
  const DotScope* subgraph = nullptr;  // its members count when the whole statement has been read
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

std::string lower_case(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// cgraph's parser has a stack of fixed depth, on which a chain a -> b -> … lies whole.
constexpr std::size_t longest_chain = 2000;

class DotScanner {
 public:
  DotScanner(const SourceText& source, Problems& problems, const DotLimits& limits)
      : source_(source),
        problems_(problems),
        limits_(limits),
        tokens_(source),
        cgraph_(source, limits.value_bytes, file_),
        attributes_(source, file_) {}

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
      cgraph_.write(*file_.title);
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
  void body(DotScope& scope, std::size_t depth) {
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

  void statement(DotScope& scope, std::size_t depth) {
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

  void graph_attribute(DotScope& scope, const DotAtom& name) {
    tokens_.take();
    const DotAtom value = take_name("a value", "write name=\"value\"");
    cgraph_.write(name);
    file_.clean += '=';
    cgraph_.write(value);
    file_.clean += ";\n";
    of_graph(scope, where(name), {attribute_name(name), value.begin});
  }

  /// What says something of the graph stands once, and not in a part of it.
  void of_graph(const DotScope& scope, const SourceSpan& place, const DotAttribute& attribute) {
    const std::string& name = file_.names[attribute.name];
    const bool of_part = &scope != &root_, of_ours = StatedAttributes::contains(name) || (name == "title" && !of_part);
    if (of_ours && of_part)
      throw Error(place, "the attribute '" + name + "' of a subgraph says nothing",
                  "state it of the graph, outside of the subgraph");
    if (of_part) return;
    const auto known = std::ranges::find(file_.attributes, attribute.name, &DotAttribute::name);
    if (of_ours && known != file_.attributes.end() && !attributes_.same_value(*known, attribute))
      throw Error(place, "the graph states '" + name + "' twice", "put all of it into one");
    state(file_.attributes, attribute);
  }

  /// graph [..], node [..], edge [..]
  void defaults(DotScope& scope, const std::string& word) {
    tokens_.take();
    if (!at('[')) fail("'['", "write, for instance, edge [gain=\"1\"]; a node of that name goes in double quotes");
    file_.clean += word;
    for (const DotAttribute& attribute : attribute_lists()) {
      if (word == "graph") of_graph(scope, source_.at(attribute.begin, 1), attribute);
      if (word == "node") state(scope.node_defaults, attribute);
      if (word == "edge" && !attributes_.is_key(attribute)) state(scope.edge_defaults, attribute);
    }
    file_.clean += ";\n";
  }

  std::vector<DotAttribute> attribute_lists() {
    std::vector<DotAttribute> list;
    attributes_.begin_list();
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

  DotAttribute assignment() {
    const DotAtom name = take_name("']' or an attribute name=value", "close the list of attributes with ']'");
    if (!at('=')) {
      if (next().kind == DotTokenKind::end) fail("'='", "write name=\"value\", and close the list with ']'");
      throw Error(where(name), "the attribute " + in_quotes(dot_value(source_, name.begin).text) + " has no value",
                  "write name=\"value\"");
    }
    tokens_.take();
    const DotAtom value = take_name("a value", "write name=\"value\"");
    cgraph_.write(name);
    file_.clean += '=';
    cgraph_.write(value);
    file_.clean += ' ';
    if (at(',') || at(';')) tokens_.take();
    const DotAttribute attribute{attribute_name(name), value.begin};
    attributes_.in_list(attribute, name);
    return attribute;
  }

  std::uint32_t attribute_name(const DotAtom& atom) { return attribute_name(cgraph_.string_of(atom), atom.begin); }
  std::uint32_t attribute_name(const std::string& name, std::uint32_t place) {
    if (name.empty()) throw Error(source_.at(place), "an attribute without a name", "give it one, or remove it");
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
  std::uint32_t node(DotScope& scope, const DotAtom& atom) {
    if (atom.kind == DotTokenKind::html)
      throw Error(where(atom), "an HTML string is no name of a node", "write the name in double quotes");
    std::string name = cgraph_.string_of(atom);
    if (name.empty()) throw Error(where(atom), "a node without a name", "write a name between the quotes");
    const auto [entry, is_new] = node_index_.emplace(std::move(name), static_cast<std::uint32_t>(file_.nodes.size()));
    if (is_new) {
      file_.nodes.push_back({entry->first, atom.begin, atom.end, scope.effective(&DotScope::node_defaults)});
      spend_values(file_.nodes.back().attributes.size());
    }
    if (&scope != &root_) scope.members.push_back(entry->second);
    return entry->second;
  }

  Side node_list(DotScope& scope, DotAtom atom) {
    Side side;
    side.begin = atom.begin;
    for (;;) {
      Side::Member member{node(scope, atom), {}};
      cgraph_.write(atom, DotFile::name_prefix);
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
      cgraph_.write(atom);
    }
    return begin;
  }

  Side subgraph(DotScope& scope, std::size_t depth) {
    if (depth == limits_.nesting)
      stop(where(next()), "subgraphs are nested more than " + std::to_string(limits_.nesting) + " deep",
           "write the branches without them");
    Side side;
    side.begin = next().begin;
    DotScope* inner = nullptr;
    if (!at('{')) {
      tokens_.take();
      file_.clean += "subgraph ";
      if (at_name()) {
        const DotAtom name = take_name("a name", "");
        cgraph_.write(name, DotFile::name_prefix);
        inner = &scope.named(cgraph_.string_of(name));
        if (cgraph_.string_of(name).starts_with(DotFile::cluster_prefix)) inner->cluster = name.begin;
      }
    }
    take('{', "a subgraph stands in braces: subgraph { … }");
    file_.clean += "{\n";
    if (!inner) inner = &scope.opened();
    body(*inner, depth + 1);
    file_.clean += '}';
    side.end = next().begin;
    side.subgraph = inner;
    return side;
  }

  /// A subgraph that is no cluster is a part of the one that it stands in.
  void keep_clusters(const DotScope& scope, std::optional<std::size_t> parent) {
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
  void collect(const DotScope& scope, std::vector<std::uint32_t>& nodes) {
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
  void branches(DotScope& scope, Side first, std::size_t depth) {
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
    const std::vector<DotAttribute> list = attribute_lists();
    file_.clean += ";\n";
    if (sides.size() == 1) {
      for (const Side::Member& member : sides.front().members)
        for (const DotAttribute& attribute : list) attributes_.state_own(file_.nodes[member.node].attributes, attribute, false);
      return;
    }
    const std::vector<DotAttribute> defaults = scope.effective(&DotScope::edge_defaults);
    attributes_.refuse_two_labels(defaults, list);
    for (Side& side : sides) fill_from_subgraph(side);
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) connect(sides[i], sides[i + 1], list, defaults);
  }

  void connect(const Side& tails, const Side& heads, const std::vector<DotAttribute>& list,
               const std::vector<DotAttribute>& defaults) {
    spend(tails.members.size() * heads.members.size());
    const auto key = std::find_if(list.rbegin(), list.rend(), [this](const DotAttribute& a) { return attributes_.is_key(a); });
    for (const Side::Member& tail : tails.members)
      for (const Side::Member& head : heads.members) {
        DotEdge& edge = file_.edges[edge_between(tail.node, head.node, key == list.rend() ? nullptr : &*key, defaults)];
        if (edge.end == 0) edge.begin = tails.begin, edge.end = heads.end;
        if (tail.port) state(edge.attributes, {attribute_name("tailport", *tail.port), *tail.port, true});
        if (head.port) state(edge.attributes, {attribute_name("headport", *head.port), *head.port, true});
        for (const DotAttribute& attribute : list) attributes_.state_own(edge.attributes, attribute, true);
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
  CgraphText cgraph_;
  DotAttributes attributes_;
  DotScope root_;
  bool in_list_ = false;
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
