#include "sfg/read/dot/dot_statements.hpp"

#include <algorithm>

#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

class StatementWalk {
 public:
  explicit StatementWalk(const SourceText& source) : tokens_(source) {
    while (!next().is('{')) take();
    take();
    found_.closing = body();
    std::ranges::stable_sort(found_.list, {}, &DotStatement::begin);
  }
  DotStatements found() && { return std::move(found_); }

 private:
  const DotToken& next() const { return tokens_.next(); }
  void take() { last_ = tokens_.take().end; }
  DotAtom name() {
    const DotAtom atom = tokens_.take_atom();
    last_ = atom.end;
    return atom;
  }
  bool at(std::string_view keyword) const {
    if (next().kind != DotTokenKind::word) return false;
    Scan word(tokens_.text(next()));
    return word.take_caseless(keyword) && word.ended();
  }

  /// The brace that closes it.
  std::uint32_t body() {
    while (!next().is('}') && next().kind != DotTokenKind::end) {
      statement();
      while (next().is(';')) take();
    }
    const std::uint32_t closing = next().begin;
    take();
    return closing;
  }

  void statement() {
    if (at("graph") || at("node") || at("edge")) {
      take();
      return lists();
    }
    DotStatement made{next().begin, 0, 0, false, true, {}};
    if (at("subgraph") || next().is('{')) {
      subgraph(made);
    } else {
      made.names.push_back(name());
      if (next().is('=')) {
        take();
        name();
        return;
      }
      more_names(made);
    }
    while (next().kind == DotTokenKind::arrow) {
      made.edges = true;
      take();
      if (at("subgraph") || next().is('{')) {
        subgraph(made);
      } else {
        made.names.push_back(name());
        more_names(made);
      }
    }
    made.ends = last_;
    lists();
    made.end = last_;
    found_.list.push_back(std::move(made));
  }

  void more_names(DotStatement& made) {
    for (;;) {
      while (next().is(':')) {
        made.plain = false;
        take();
        name();
      }
      if (!next().is(',')) return;
      take();
      made.names.push_back(name());
    }
  }

  void subgraph(DotStatement& made) {
    made.plain = false;
    if (!next().is('{')) {
      take();
      if (!next().is('{')) name();
    }
    take();
    body();
  }

  void lists() {
    while (next().is('[')) {
      while (!next().is(']')) take();
      take();
    }
  }

  DotTokens tokens_;
  DotStatements found_;
  std::uint32_t last_ = 0;
};

}  // namespace

DotStatements dot_statements(const SourceText& source) { return StatementWalk(source).found(); }

}  // namespace sfg
