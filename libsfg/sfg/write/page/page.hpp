#pragma once
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sfg/draw/scene.hpp"
#include "sfg/draw/theme.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

/// Words with mathematics between them.
using Prose = std::vector<std::variant<std::string, Math>>;

/// Mathematics on a line of its own. A fraction of polynomials stays one until it is written: as a tree a million terms would
/// need a gigabyte.
using Expression = std::variant<Math, RationalFunction>;

/// The beginning of a section.
struct Heading {
  Prose text;
};

struct Paragraph {
  Prose text;
  std::size_t depth = 0;  ///< how far inside of what precedes it
  bool check = false;     ///< about how the result was made and verified, not about what it is
};

/// left = right[0] = right[1] …; a sum too long for a line is broken, one power of `main` a line.
struct Equation {
  std::optional<Math> left;  ///< nothing: an expression alone
  std::vector<Expression> right;
  Prose aside = {};  ///< beside it, in brackets
};

struct Equations {
  std::vector<Equation> rows;
  std::string main = {};
  std::size_t depth = 0;
  bool aligned = false;  ///< the signs of equality one below the other, also in plain text
};

struct Table {
  struct Column {
    Prose head = {};
    bool right = false;     ///< numbers stand on the right
    std::size_t width = 0;  ///< in plain text, at least
  };
  std::vector<Column> columns;
  std::vector<std::vector<Prose>> rows;
  std::size_t depth = 0;
  bool headed = true;
};

/// Text of a program, as it is.
struct Listing {
  std::string text;
};

/// A picture, which every notation writes in its own format; in plain text its caption alone. A graph is there as its drawing,
/// whose TikZ is stated by the nodes.
struct Picture {
  std::variant<Scene, Drawing> drawn;
  std::string caption = {};
  Theme theme = Theme::automatic;

  bool empty() const {
    return std::visit([](const auto& content) { return content.width == 0; }, drawn);
  }
};

/// White space between two answers.
struct Gap {};

using Block = std::variant<Heading, Paragraph, Equations, Table, Listing, Picture, Gap>;

/// What a result says, in order: every renderer (write/page/page_text.hpp, page_latex.hpp, page_markdown.hpp, page_html.hpp) shows all
/// of it.
struct Page {
  std::string title;
  std::vector<Block> blocks;

  void add(Block);
  void add(Page other);
};

/// "none" or the names one after the other.
Prose listed(const std::vector<std::string>& names);
/// One line of a table or paragraph: the parts of several.
Prose joined(const std::vector<Prose>& parts, const std::string& between);
/// A name or a number in a cell.
Prose words(std::string);

/// above/below with a sign in front of the whole, one fraction line, nothing over 1.
Math simple_quotient(Math above, Math below);
/// The tree of an expression, whatever it is kept as.
Math tree(const Expression&);

}  // namespace sfg
