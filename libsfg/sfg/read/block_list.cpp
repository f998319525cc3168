#include "sfg/read/block_list.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "sfg/expr/rational.hpp"
#include "sfg/read/branch_list.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_columns = 1000;

struct Field {
  Passage text;
  std::size_t begin = 0;
};

bool is_blank_of_blocks(char c) { return c == ' ' || c == '\t'; }
bool ends_record(char c) { return c == '\n' || c == '\r'; }

/// Cuts the text into records of fields, one after another.
class Records {
 public:
  Records(const SourceText& source, Problems& problems, char separator)
      : source_(source), text_(source.text()), problems_(problems), separator_(separator) {}

  /// The next record that is no empty line; false at the end.
  bool next() {
    fields_.clear();
    count_ = 0;
    whole_ = true;
    skip_empty_lines();
    begin_ = at_;
    if (at_ == text_.size()) return false;
    for (;;) {
      field();
      if (at_ == text_.size() || text_[at_] != separator_) break;
      ++at_;
    }
    return true;
  }

  const std::vector<Field>& fields() const noexcept { return fields_; }  ///< the first most_columns of them
  std::size_t count() const noexcept { return count_; }
  std::size_t begin() const noexcept { return begin_; }
  bool whole() const noexcept { return whole_; }  ///< every quote of it is closed
  void rewind() { at_ = 0; }

 private:
  bool is_space(char c) const { return is_blank_of_blocks(c) && c != separator_; }

  void skip_empty_lines() {
    while (at_ < text_.size()) {
      std::size_t end = at_;
      while (end < text_.size() && is_space(text_[end])) ++end;
      if (end < text_.size() && !ends_record(text_[end])) return;  // with its blanks the record begins here
      at_ = std::min(end + 1, text_.size());
    }
  }

  void field() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    Field field;
    field.begin = at_;
    if (at_ < text_.size() && text_[at_] == '"')
      quoted(field.text);
    else
      bare(field.text);
    if (++count_ <= most_columns) fields_.push_back(std::move(field));
  }

  void bare(Passage& text) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != separator_ && !ends_record(text_[at_])) ++at_;
    std::size_t end = at_;
    while (end > begin && is_space(text_[end - 1])) --end;
    const std::string_view bytes = text_.substr(begin, end - begin);
    text.append(bytes, begin);
    if (const std::size_t quote = bytes.find('"'); quote != std::string_view::npos)
      problems_.error(source_.at(begin + quote, 1), "a quote inside a field that does not begin with one",
                      "put the field in quotes, and write the quote in it twice");
  }

  void quoted(Passage& text) {
    const std::size_t open = at_++;
    for (;;) {
      const std::size_t close = text_.find('"', at_);
      if (close == std::string_view::npos) {
        problems_.error(source_.at(open, 1), "the quote is not closed", "end the field with a quote");
        at_ = text_.size();
        whole_ = false;
        return;
      }
      text.append(text_.substr(at_, close - at_), at_);
      at_ = close + 1;
      if (at_ == text_.size() || text_[at_] != '"') break;
      text.append("\"", at_++);
    }
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != separator_ && !ends_record(text_[at_])) ++at_;
    if (at_ > begin)
      problems_.error(source_.at(begin, at_ - begin), "text behind the closing quote of a field",
                      "write a quote inside a field twice");
  }

  const SourceText& source_;
  std::string_view text_;
  Problems& problems_;
  char separator_;
  std::size_t at_ = 0, begin_ = 0, count_ = 0;
  bool whole_ = true;
  std::vector<Field> fields_;
};

/// A comma, or what the header line has instead.
char separator_of(std::string_view text) {
  const std::string_view header =
      text.substr(0, text.find_first_of("\r\n", std::min(text.find_first_not_of(" \t\r\n"), text.size())));
  for (const char separator : {',', ';', '\t'})
    if (header.find(separator) != std::string_view::npos) return separator;
  return ',';
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  return text;
}

class BlockListReading {
 public:
  BlockListReading(const SourceText& source, Problems& problems)
      : source_(source), problems_(problems), records_(source, problems, separator_of(source.text())), list_(source, problems) {}

  SignalFlowGraph graph() {
    list_.graph.op.declare(list_.graph.symbols);
    if (!header()) return {};
    if (column_[arguments]) nodes_first();
    while (records_.next()) row();
    if (list_.graph.branches().empty() && !problems_.any_errors())
      problems_.error(source_.at(0), "the list has no blocks", "write a line for each: R,e,1");
    list_.finish();
    return std::move(list_.graph);
  }

 private:
  enum Column { from, to, gain, num, den, nonlinear, arguments, columns };
  struct Name {
    const char* name;
    Column column;
  };
  /// The first name that a header has counts; what it calls otherwise is an attribute.
  static constexpr std::array<Name, 10> names{{{"from", from},
                                               {"source", from},
                                               {"to", to},
                                               {"target", to},
                                               {"gain", gain},
                                               {"weight", gain},
                                               {"num", num},
                                               {"den", den},
                                               {"nonlinear", nonlinear},
                                               {"arguments", arguments}}};

  bool header() {
    if (!records_.next()) {
      problems_.error(source_.at(0), "the file is empty", "write a header line, from,to,gain, and a line for each block");
      return false;
    }
    begin_ = records_.begin();
    if (records_.count() > most_columns) {
      problems_.error(source_.at(begin_), "the header has more than " + std::to_string(most_columns) + " columns",
                      "a list of blocks has from,to,gain");
      return false;
    }
    width_ = records_.count();
    std::vector<std::string> stated;
    for (const Field& field : records_.fields()) {
      const Passage title = field.text.trimmed();
      stated.push_back(lower(title.text));
      titles_.push_back(title.text);
      if (!stated.back().empty() && std::ranges::count(stated, stated.back()) > 1)
        problems_.error(place(source_, title), "the column " + in_quotes(title.text) + " is there twice", "rename one of them");
    }
    for (const Name& name : names)
      if (const auto found = std::ranges::find(stated, name.name); found != stated.end() && !column_[name.column])
        column_[name.column] = static_cast<std::size_t>(found - stated.begin());
    return complete(stated);
  }

  bool complete(const std::vector<std::string>& stated) {
    const auto missing = [&](const std::string& name) {
      const std::string near = nearest(name, stated);
      problems_.error(source_.at(begin_), "the header has no column '" + name + "'",
                      near.empty() ? "the first line names the columns: from,to,gain" : "is '" + near + "' meant for it?");
    };
    if (!column_[from]) missing("from");
    if (!column_[to]) missing("to");
    if (!column_[gain] && !column_[num] && !column_[nonlinear]) missing("gain");
    if (!column_[gain] && column_[den] && !column_[num]) missing("num");
    return !problems_.any_errors();
  }

  /// Laws may name signals that only later lines mention.
  void nodes_first() {
    while (records_.next())
      if (records_.count() == width_)
        for (const Column end : {from, to})
          if (const Passage& name = records_.fields()[*column_[end]].text; !name.text.empty()) list_.node(name);
    records_.rewind();
    records_.next();
  }

  std::optional<Passage> entry(Column column) const {
    if (!column_[column]) return {};
    const Field& field = records_.fields()[*column_[column]];
    if (field.text.trimmed().text.empty()) return {};
    return field.text;
  }

  void row() {
    if (!records_.whole()) return;
    const SourceSpan where = source_.at(records_.begin());
    if (records_.count() != width_)
      return problems_.error(
          where, "the line has " + counted(records_.count(), "field") + ", but the header has " + std::to_string(width_),
          "put a field with a comma in it in quotes");
    StatedBranch branch{records_.fields()[*column_[from]].text,
                        records_.fields()[*column_[to]].text,
                        entry(gain),
                        entry(nonlinear),
                        entry(arguments),
                        where,
                        {}};
    const std::optional<Passage> numerator = entry(num), denominator = entry(den);
    if (!branch.gain && !branch.nonlinear && !numerator) {
      const Column first = column_[gain] ? gain : column_[num] ? num : nonlinear;
      problems_.error(source_.at(records_.fields()[*column_[first]].begin), "the block has no gain",
                      "write 1 where the signal passes as it is");
      return;
    }
    if (branch.gain) doubt(branch.gain->trimmed());
    for (std::size_t i = 0; i < width_; ++i)
      if (std::ranges::find(column_, std::optional(i)) == column_.end() && !records_.fields()[i].text.text.empty() &&
          !titles_[i].empty())
        branch.attributes.emplace_back(titles_[i], records_.fields()[i].text.text);
    if (!numerator && !denominator) return list_.branch(branch);
    if (branch.gain || branch.nonlinear || !numerator) {
      problems_.error(where,
                      numerator ? "the block has both a gain and a numerator" : "the block has a denominator and no numerator",
                      "write a gain, or num and den");
      return;
    }
    quotient(branch, *numerator, denominator);
  }

  /// What programs write where they have no number.
  void doubt(const Passage& gain) {
    static const std::array<const char*, 6> words{"nan", "na", "null", "none", "inf", "-inf"};
    if (std::ranges::find(words, lower(gain.text)) != words.end())
      problems_.warn(place(source_, gain), "the gain " + in_quotes(gain.text) + " is taken as the name of a parameter",
                     "write a number, or rename the parameter");
  }

  void quotient(const StatedBranch& stated, const Passage& numerator, const std::optional<Passage>& denominator) {
    GiNaC::ex value = list_.laws.gain(numerator);
    if (denominator) {
      const GiNaC::ex below = list_.laws.gain(*denominator);
      bool zero = false;
      problems_.attempt([&] { zero = vanishes(below); });
      if (zero) return problems_.error(place(source_, *denominator), "the denominator is 0", "write one that is not");
      value = value / below;
    }
    const auto tail = list_.node(stated.from), head = list_.node(stated.to);
    if (tail && head) list_.graph.add_branch({*tail, *head, value, stated.where, stated.attributes});
    if (problems_.full()) problems_.finish(nullptr);
  }

  const SourceText& source_;
  Problems& problems_;
  Records records_;
  BranchList list_;
  std::array<std::optional<std::size_t>, columns> column_;
  std::vector<std::string> titles_;
  std::size_t width_ = 0, begin_ = 0;
};

}  // namespace

SignalFlowGraph read_block_list(std::string_view text, std::string file, std::vector<Diagnostic>* notes) {
  const SourceText source(text, std::move(file));
  Problems problems;
  problems.attempt([&] { source.check_characters(); });
  if (problems.any_errors()) problems.finish(nullptr);
  SignalFlowGraph graph = BlockListReading(source, problems).graph();
  problems.finish(notes);
  return graph;
}

}  // namespace sfg
