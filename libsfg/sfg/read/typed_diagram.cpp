#include "sfg/read/typed_diagram.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "sfg/read/branch_list.hpp"
#include "sfg/read/stated_attributes.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

bool is_name_byte(char c) { return is_word_character(c) || static_cast<unsigned char>(c) >= 0x80; }
bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/// A signal or a box of a chain.
struct Link {
  Passage text;  ///< the name, or the expression
  bool box = false;
  bool negative = false;  ///< entered with a minus
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// What stands in the file, before any of it means something.
struct TypedStatements {
  std::vector<std::vector<Link>> chains;
  std::map<std::string, Passage, std::less<>> stated;  ///< input, output, parameters …
  std::optional<Passage> title;
};

class DiagramScan {
 public:
  DiagramScan(const SourceText& source, Problems& problems) : source_(source), text_(source.text()), problems_(problems) {}

  TypedStatements statements() {
    for (skip_between(); at_ < text_.size(); skip_between()) {
      const std::size_t begin = at_;
      if (!problems_.attempt([&] { statement(); })) skip_statement(begin);
      if (problems_.full()) problems_.finish(nullptr);
    }
    return std::move(found_);
  }

 private:
  char next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool at_comment() const { return next() == '#' || (next() == '/' && next(1) == '/'); }
  bool at_arrow() const { return next() == '-' && next(1) == '>'; }
  bool ended() const { return at_ >= text_.size() || next() == ';' || is_line_end(next()) || at_comment(); }
  [[noreturn]] void refuse(std::size_t begin, std::size_t end, const std::string& what, const std::string& hint) const {
    throw Error(source_.at(begin, std::max<std::size_t>(1, end - begin)), what, hint);
  }

  void skip_blanks() {
    while (next() == ' ' || next() == '\t') ++at_;
  }
  void skip_comment() {
    if (at_comment()) at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
  }
  /// Blanks, ends of statements and of lines, comments.
  void skip_between() {
    while (at_ < text_.size() && (is_blank_character(next()) || next() == ';' || at_comment())) {
      if (at_comment())
        skip_comment();
      else
        ++at_;
    }
  }
  void skip_statement(std::size_t begin) {
    at_ = std::max(at_, begin + 1);
    at_ = std::min(text_.find_first_of(";\r\n", at_), text_.size());
  }

  void statement() {
    if (is_name_byte(next())) {
      const std::size_t begin = at_;
      const std::string word = bare_name().text;
      skip_blanks();
      if (next() == '=') return parameter(begin, at_);
      if (!ended() && !at_arrow() && StatedAttributes::are_of_graph(word)) return attribute(word);
      at_ = begin;
    }
    chain();
  }

  // --- K = 10, input r, d

  void parameter(std::size_t begin, std::size_t equals) {
    at_ = equals + 1;
    rest();
    Passage& list = found_.stated["parameters"];
    if (!list.text.empty()) list.append(", ", begin);
    list.append(text_.substr(begin, at_ - begin), begin);
  }

  /// Up to the end of the statement, without blanks behind it.
  Passage rest() {
    skip_blanks();
    const std::size_t begin = at_;
    while (!ended()) ++at_;
    std::size_t end = at_;
    while (end > begin && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
    Passage passage;
    passage.append(text_.substr(begin, end - begin), begin);
    return passage;
  }

  void attribute(const std::string& word) {
    const std::size_t begin = at_;
    Passage value = next() == '"' ? quoted() : rest();
    skip_blanks();
    if (!ended()) refuse(at_, at_ + 1, "text behind the value of '" + word + "'", "end the statement with ';' or a new line");
    if (value.text.empty()) refuse(begin, begin + 1, "'" + word + "' has no value", "write it behind the word");
    const auto known = found_.stated.find(word);
    const bool again = word == "title" ? found_.title.has_value() : known != found_.stated.end();
    const bool list = word != "title" && word != "variable" && word != "sample_time";
    if (again && !list) refuse(begin, at_, "'" + word + "' is stated twice", "keep one of them");
    if (word == "title") {
      found_.title = std::move(value);
    } else if (again) {
      known->second.append(word == "correlations" ? "; " : ", ", begin);
      for (std::size_t i = 0; i < value.text.size(); ++i) known->second.append(value.text.substr(i, 1), value.source_of(i));
    } else {
      found_.stated.emplace(word, std::move(value));
    }
  }

  // --- r -> (+e) -> [K] -> y

  void chain() {
    std::vector<Link> links{link()};
    for (;;) {
      const std::size_t here = at_;
      if (!over_arrow()) break;
      const std::size_t arrow = at_ - 2;
      over_line_end();
      if (ended()) refuse(arrow, arrow + 2, "the arrow leads nowhere", "name the signal behind it");
      if (at_ == here) break;
      links.push_back(link());
    }
    skip_blanks();
    if (!ended())
      refuse(at_, at_ + 1, std::string("there is '") + next() + "' where '->' or the end of the statement is expected",
             "signals and boxes are joined by '->': a -> [K] -> b");
    for (const bool front : {true, false}) {
      const Link& last = front ? links.front() : links.back();
      if (last.box)
        refuse(last.begin, last.end, std::string("a box at the ") + (front ? "beginning" : "end") + " of a chain",
               front ? "name the signal that enters it: u -> [K] -> y" : "name the signal that leaves it: u -> [K] -> y");
    }
    found_.chains.push_back(std::move(links));
  }

  /// The next arrow, also where it begins one of the next lines.
  bool over_arrow() {
    const std::size_t here = at_;
    skip_blanks();
    over_line_end();
    if (at_arrow()) {
      at_ += 2;
      return true;
    }
    at_ = here;
    return false;
  }
  void over_line_end() {
    while (at_ < text_.size() && (is_blank_character(next()) || at_comment())) {
      if (at_comment())
        skip_comment();
      else
        ++at_;
    }
  }

  Link link() {
    Link made;
    made.begin = at_;
    if (next() == '[') {
      made.box = true;
      made.text = box();
    } else if (next() == '(') {
      signed_signal(made);
    } else {
      made.text = name();
    }
    made.end = at_;
    return made;
  }

  Passage box() {
    const std::size_t open = at_;
    const std::size_t close = text_.find_first_of("]\r\n;", open);
    if (close == std::string_view::npos || text_[close] != ']')
      refuse(open, std::min(close, text_.size()), "the box that begins here is not closed", "write ']' behind its expression");
    Passage expression;
    expression.append(text_.substr(open + 1, close - open - 1), open + 1);
    at_ = close + 1;
    if (expression.trimmed().text.empty()) refuse(open, at_, "an empty box", "write the gain in it: [1], [K/(T*s + 1)]");
    return expression;
  }

  void signed_signal(Link& made) {
    const std::size_t open = at_++;
    skip_blanks();
    if (next() != '+' && next() != '-') refuse(open, at_ + 1, "a summing point states its sign", "write (+NAME) or (-NAME)");
    made.negative = next() == '-';
    ++at_;
    skip_blanks();
    made.text = name();
    skip_blanks();
    if (next() != ')') refuse(open, at_, "the parenthesis that begins here is not closed", "write ')' behind the name");
    ++at_;
  }

  Passage name() {
    if (next() == '"') return quoted();
    if (is_name_byte(next())) return bare_name();
    if (ended()) refuse(at_, at_ + 1, "a signal is missing here", "write its name");
    refuse(at_, at_ + 1, std::string("there is '") + next() + "' where a signal or a box is expected",
           "write NAME, \"any text\", (+NAME), (-NAME) or [GAIN]");
  }
  Passage bare_name() {
    const std::size_t begin = at_;
    while (is_name_byte(next())) ++at_;
    Passage name;
    name.append(text_.substr(begin, at_ - begin), begin);
    return name;
  }
  /// A backslash takes a quote or a backslash into it, and \n and \r are ends of lines.
  Passage quoted() {
    const std::size_t open = at_++;
    Passage text;
    for (;; ++at_) {
      if (at_ >= text_.size() || is_line_end(next()))
        refuse(open, open + 1, "the quote that begins here is not closed", "write '\"' where the text ends");
      if (next() == '"') break;
      const bool escaped =
          next() == '\\' && next(1) != '\0' && std::string_view("\"\\nr").find(next(1)) != std::string_view::npos;
      if (escaped) ++at_;
      const bool line_end = escaped && (next() == 'n' || next() == 'r');
      text.append(line_end ? (next() == 'n' ? "\n" : "\r") : text_.substr(at_, 1), at_);
    }
    ++at_;
    return text;
  }

  const SourceText& source_;
  std::string_view text_;
  Problems& problems_;
  std::size_t at_ = 0;
  TypedStatements found_;
};

/// What the statements mean.
class DiagramReading {
 public:
  DiagramReading(const SourceText& source, const TypedStatements& typed, Problems& problems)
      : source_(source),
        typed_(typed),
        list_(source, problems),
        stated_(source, list_.graph, problems, [this](std::string_view name) -> std::optional<Passage> {
          const auto known = typed_.stated.find(name);
          return known == typed_.stated.end() ? std::nullopt : std::optional(known->second);
        }) {}

  SignalFlowGraph graph() {
    if (typed_.title) list_.graph.title = typed_.title->text;
    for (const std::vector<Link>& chain : typed_.chains)
      for (const Link& link : chain)
        if (!link.box) names_.insert(link.text.text);
    stated_.before_nodes(names_);
    for (const std::vector<Link>& chain : typed_.chains) draw(chain);
    list_.finish();
    stated_.after_branches(list_.laws);
    return std::move(list_.graph);
  }

 private:
  void node(const Passage& name) {
    Attributes attributes;
    if (const auto unit = stated_.node_units().find(name.text); unit != stated_.node_units().end())
      attributes.emplace_back("unit", unit->second);
    list_.node(name, std::move(attributes));
  }

  void draw(const std::vector<Link>& chain) {
    node(chain.front().text);
    Passage from = chain.front().text;
    for (std::size_t i = 1; i < chain.size(); ++i) {
      const Link* const box = chain[i].box ? &chain[i] : nullptr;
      const Link& begin = chain[i];
      if (box && !chain[i + 1].box) ++i;
      const Link& end = chain[i];
      const Passage to = end.box ? unnamed(end) : end.text;
      node(to);
      StatedBranch branch{from, to, {}, {}, {}, source_.at(begin.begin, end.end - begin.begin), {}};
      if (box) branch.gain = box->text;
      if (end.negative && box) {
        branch.gain = Passage();
        branch.gain->append("-(", box->begin);
        branch.gain->append(box->text.text, box->begin + 1);
        branch.gain->append(")", box->end - 1);
      } else if (end.negative) {
        branch.gain.emplace().append("-1", end.begin);
      }
      list_.branch(branch);
      from = to;
    }
  }

  /// Of the signal between two boxes: a name that nobody has.
  Passage unnamed(const Link& before) {
    std::string name;
    do name = "w" + std::to_string(++unnamed_);
    while (names_.contains(name));
    Passage passage;
    passage.append(name, before.begin);
    return passage;
  }

  const SourceText& source_;
  const TypedStatements& typed_;
  BranchList list_;
  StatedAttributes stated_;
  std::set<std::string> names_;
  std::size_t unnamed_ = 0;
};

}  // namespace

SignalFlowGraph read_typed_diagram(std::string_view text, std::string file, std::vector<Diagnostic>* notes) {
  const SourceText source(text, std::move(file));
  Problems problems;
  problems.attempt([&] { source.check_characters(); });
  if (problems.any_errors()) problems.finish(nullptr);
  const TypedStatements typed = DiagramScan(source, problems).statements();
  if (!problems.any_errors() && typed.chains.empty())
    problems.error(source.at(0), "the file holds no signal", "write, for instance: r -> (+e) -> [K/s] -> y; y -> (-e)");
  if (problems.any_errors()) problems.finish(nullptr);
  SignalFlowGraph graph = DiagramReading(source, typed, problems).graph();
  problems.finish(notes);
  return graph;
}

bool begins_typed_diagram(std::string_view text) {
  Scan scan(text);
  for (scan.blanks(); scan.next() == '#' || scan.rest().starts_with("//"); scan.blanks())
    scan.run([](char c) { return !is_line_end(c); });
  const std::string_view statement = scan.run([](char c) { return !is_line_end(c) && c != ';'; });
  Scan words(statement);
  const std::string word(words.word());
  const bool states = !words.blanks().empty() && words.next() != '=' && StatedAttributes::are_of_graph(word);
  return states || statement.find("->") != std::string_view::npos;
}

}  // namespace sfg
