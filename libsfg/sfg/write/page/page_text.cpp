#include "sfg/write/page/page.hpp"

#include <algorithm>
#include <ostream>

#include "sfg/text/scan.hpp"
#include "sfg/text/utf8.hpp"
#include "sfg/write/page/line_break.hpp"

namespace sfg {

namespace {

/// Names for numerator and denominator that mean nothing else in them.
std::pair<std::string, std::string> names_of_parts(const std::string& above, const std::string& below) {
  const auto taken = [&](const std::string& name) { return has_name(above, name) || has_name(below, name); };
  std::string N = "N", D = "D";
  while (taken(N) || taken(D)) {
    N += "_";
    D += "_";
  }
  return {N, D};
}

std::string blanks(std::size_t count) { return std::string(count, ' '); }

std::string padded(const std::string& text, std::size_t to, bool right) {
  const std::string fill = blanks(to - std::min<std::size_t>(to, character_count(text)));
  return right ? fill + text : text + fill;
}

/// A value as it stands on one line, and its parts where it is a fraction.
struct Spelled {
  std::string line, above, below;
};

class TextPage {
 public:
  TextPage(std::ostream& out, const TextLayout& layout) : out_(out), layout_(layout) {}

  void write(const Page& page) {
    if (!page.title.empty()) put({page.title}, 0);
    for (const Block& block : page.blocks) std::visit([this](const auto& b) { write(b); }, block);
  }

 private:
  std::string text(const Math& formula) const { return sfg::write(formula, layout_.notation); }
  std::string text(const Prose& prose) const {
    std::string all;
    for (const auto& part : prose)
      all += std::holds_alternative<Math>(part) ? text(std::get<Math>(part)) : std::get<std::string>(part);
    return all;
  }
  static std::size_t indent(std::size_t depth) { return 2 * depth; }
  LineRoom room(std::size_t indent) const { return {layout_.width, indent}; }

  void put(const Prose& prose, std::size_t depth) {
    const std::size_t begin = indent(depth);
    out_ << blanks(begin) << broken_words(text(prose), begin, room(begin + 2)) << '\n';
  }

  void write(const Heading& heading) {
    out_ << '\n';
    put(heading.text, 0);
  }
  void write(const Paragraph& paragraph) { put(paragraph.text, paragraph.depth); }
  void write(const Gap&) { out_ << '\n'; }
  void write(const Listing& listing) { out_ << listing.text; }
  void write(const Picture& picture) { out_ << picture.caption << '\n'; }

  // Equations.

  void write(const Equations& block) {
    std::size_t widest = 0;
    if (block.aligned)
      for (const Equation& row : block.rows)
        if (row.left) widest = std::max<std::size_t>(widest, character_count(text(*row.left)));
    for (const Equation& row : block.rows) {
      std::string left = blanks(indent(block.depth));
      if (row.left) left += block.aligned ? padded(text(*row.left), widest, false) + "  = " : text(*row.left) + " = ";
      const std::string aside = row.aside.empty() ? "" : "(" + text(row.aside) + ")";
      for (std::size_t i = 0; i < row.right.size(); ++i) {
        const std::string& begin = i == 0 ? left : blanks(indent(block.depth) + 2) + "= ";
        put(begin, row.right[i], block.main, i + 1 == row.right.size() ? aside : std::string());
      }
    }
  }

  Spelled spelled(const Expression& expression) const {
    if (const auto* value = std::get_if<RationalFunction>(&expression)) {
      Spelled result;
      result.above = print(value->numerator(), layout_.notation);
      if (!value->denominator().is_one()) result.below = print(value->denominator(), layout_.notation);
      const bool reads_back = layout_.notation == Notation::text;
      result.line = result.below.empty() ? result.above
                    : reads_back         ? quotient_text(result.above, result.below)
                                         : "(" + result.above + ")/(" + result.below + ")";
      return result;
    }
    const Math& formula = std::get<Math>(expression);
    const bool negative = formula.is_negative();
    const Math& inside = negative ? formula.parts[0] : formula;
    if (inside.kind != Math::Kind::quotient) return {text(formula), text(formula), {}};
    return {text(formula), text(negative ? Math::negative(inside.parts[0]) : inside.parts[0]), text(inside.parts[1])};
  }

  void put(const std::string& begin, const Expression& expression, const std::string& main, const std::string& aside) {
    const auto* formula = std::get_if<Math>(&expression);
    if (formula && formula->kind == Math::Kind::matrix) return put_matrix(begin, *formula);
    const Spelled value = spelled(expression);
    const std::size_t margin = character_count(begin);
    const std::size_t inside = begin.find_first_not_of(' ') == std::string::npos ? margin : begin.find_first_not_of(' ');
    const std::size_t width = std::max(character_count(value.above), character_count(value.below));
    if (value.below.empty() || margin + character_count(value.line) <= layout_.width) {
      const std::string line = broken_formula(value.line, margin, room(inside + 4), main);
      const bool fits = aside.empty() || (line.find('\n') == std::string::npos &&
                                          margin + character_count(line) + 3 + character_count(aside) <= layout_.width);
      out_ << begin << line << (aside.empty() ? "" : fits ? "   " + aside : "") << '\n';
      if (!fits) out_ << blanks(inside + 4) << broken_formula(aside, inside + 4, room(inside + 6)) << '\n';
      return;
    }
    if (margin + width <= layout_.width) {
      const auto centred = [&](const std::string& part) { return blanks(margin + (width - character_count(part)) / 2) + part; };
      out_ << centred(value.above) << '\n' << begin << std::string(width, '-') << '\n' << centred(value.below) << '\n';
    } else {
      const auto [N, D] = names_of_parts(value.above, value.below);
      out_ << begin << N << '/' << D << '\n';
      for (const auto& [name, part] : {std::pair(N, value.above), {D, value.below}}) {
        const std::string lead = blanks(inside + 2) + name + " = ";
        out_ << lead << broken_formula(part, lead.size(), room(inside + 6), main) << '\n';
      }
    }
    if (!aside.empty()) out_ << blanks(inside + 4) << broken_formula(aside, inside + 4, room(inside + 6)) << '\n';
  }

  /// The entries in columns; one by one where these are wider than the page.
  void put_matrix(const std::string& begin, const Math& matrix) {
    const std::string lead = begin.substr(0, begin.find_last_not_of(' ') + 1);
    const std::size_t columns = std::max<std::size_t>(matrix.columns, 1);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < matrix.parts.size(); ++i) {
      if (i % columns == 0) rows.push_back({rows.empty() ? lead : blanks(character_count(lead))});
      rows.back().push_back(text(matrix.parts[i]));
    }
    if (rows.empty()) rows = {{lead, "none"}};
    if (const auto lines = side_by_side(rows, {}, 0); fit(lines)) return put(lines);
    std::string name = lead.substr(lead.find_first_not_of(' '));
    name.erase(std::min(name.find(' '), name.size()));
    const std::size_t inside = lead.find_first_not_of(' ');
    for (std::size_t i = 0; i < matrix.parts.size(); ++i) {
      const std::string& entry = rows[i / columns][1 + i % columns];
      if (entry == "0") continue;
      const std::string left =
          blanks(inside) + name + "[" + std::to_string(i / columns + 1) + ", " + std::to_string(i % columns + 1) + "] = ";
      out_ << left << broken_formula(entry, left.size(), room(inside + 4)) << '\n';
    }
    out_ << blanks(inside) << "and 0 elsewhere in " << name << '\n';
  }

  // Tables.

  void write(const Table& table) {
    std::vector<std::vector<std::string>> rows;
    if (table.headed) {
      rows.emplace_back();
      for (const Table::Column& column : table.columns) rows.back().push_back(text(column.head));
    }
    for (const auto& row : table.rows) {
      rows.emplace_back();
      for (const Prose& cell : row) rows.back().push_back(text(cell));
    }
    if (rows.empty()) return;
    auto lines = side_by_side(rows, table.columns, indent(table.depth));
    if (!fit(lines)) {
      std::vector<Table::Column> narrow = table.columns;
      for (Table::Column& column : narrow) column.width = 0;
      lines = side_by_side(rows, narrow, indent(table.depth));
    }
    fit(lines) ? put(lines) : put_one_by_one(rows, table);
  }

  static std::vector<std::string> side_by_side(const std::vector<std::vector<std::string>>& rows,
                                               const std::vector<Table::Column>& columns, std::size_t indent) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max({widths[i], std::size_t{character_count(row[i])}, i < columns.size() ? columns[i].width : 0});
    }
    std::vector<std::string> lines;
    for (const auto& row : rows) {
      std::string line = blanks(indent);
      for (std::size_t i = 0; i < row.size(); ++i)
        line += padded(row[i], widths[i], i < columns.size() && columns[i].right) + "  ";
      lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
    }
    return lines;
  }
  bool fit(const std::vector<std::string>& lines) const {
    return std::ranges::all_of(lines, [&](const std::string& line) { return character_count(line) <= layout_.width; });
  }
  void put(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) out_ << line << '\n';
  }

  /// A row that is wider than the page, each of its cells on lines of its own.
  void put_one_by_one(const std::vector<std::vector<std::string>>& rows, const Table& table) {
    const std::size_t begin = indent(table.depth);
    for (std::size_t i = table.headed ? 1 : 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows[i].size(); ++j) {
        if (rows[i][j].empty()) continue;
        std::string lead = blanks(begin + (j == 0 ? 0 : 2));
        if (table.headed && !rows.front()[j].empty()) lead += rows.front()[j] + ": ";
        out_ << lead << broken_formula(rows[i][j], character_count(lead), room(begin + 6)) << '\n';
      }
  }

  std::ostream& out_;
  TextLayout layout_;
};

}  // namespace

void write_text(std::ostream& out, const Page& page, const TextLayout& layout) { TextPage(out, layout).write(page); }

}  // namespace sfg
