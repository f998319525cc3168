#include "sfg/read/spice/simulator_point.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "sfg/expr/parse.hpp"
#include "sfg/read/spice/netlist.hpp"
#include "sfg/text/printable.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

/// A word of the file, where it stands.
struct PointWord {
  std::string_view text;
  SourceSpan where;
};

using PointWords = std::vector<PointWord>;

/// What else of a device is taken, where it is a number.
const std::set<std::string, std::less<>> beside_small_signals{"ic", "ib", "id", "vds", "rd", "rs"};
const std::set<std::string, std::less<>> small_signals{"gm",  "gds",  "gmbs", "gmb", "cgs", "cgd", "cgb", "cdb",   "csb",
                                                       "cbd", "cbs",  "gpi",  "go",  "gmu", "cpi", "cmu", "capbd", "capbs",
                                                       "ccs", "csub", "rb",   "gx",  "cbx", "cds", "gd",  "cd"};

constexpr const char* how_to_print = "let ngspice write it: show all > op.txt behind op, or print @m1[gm] @m1[gds]";

/// m.x1.x2.m3 is M3 of X2 of X1: m3_x2_x1.
std::string netlist_name(std::string_view name) {
  const std::string lower = lower_case(name);
  if (lower.find('.') != 1 || lower[0] != lower[lower.rfind('.') + 1]) return lower;
  std::string result;
  for (std::size_t end = lower.size(); end > 1;) {
    const std::size_t point = lower.rfind('.', end - 1);
    result += (result.empty() ? "" : "_") + lower.substr(point + 1, end - point - 1);
    end = point;
  }
  return result;
}

class PointReader {
 public:
  PointReader(std::string_view text, const std::string& file) : rest_(text), file_(std::make_shared<const std::string>(file)) {
    point_.file = file;
  }

  SimulatorPoint read() {
    bool raw = false;
    for (PointWords words; next(words);) {
      if (!words.empty() && words[0].text == "Title:") raw = true;
      if (raw)
        plot(words);
      else
        printed(words);
    }
    if (raw && !found_plot_) refuse({}, "the raw file has no plot 'Operating Point'", "let ngspice write it: op, then write");
    if (point_.devices.empty()) refuse({}, "there are no small-signal values of devices M, Q, D or J", how_to_print);
    return std::move(point_);
  }

 private:
  [[noreturn]] void refuse(SourceSpan where, std::string message, std::string hint) const {
    if (!where.file) where = {file_, 1, 1, 1};
    throw Error(std::move(where), std::move(message), std::move(hint));
  }

  /// The words of the next line.
  bool next(PointWords& words) {
    words.clear();
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    std::uint32_t column = 1;
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t begin = std::min(line.find_first_not_of(" \t\r", i), line.size());
      column += static_cast<std::uint32_t>(begin - i);
      if (begin == line.size()) break;
      i = std::min(line.find_first_of(" \t\r", begin), line.size());
      const std::string_view text = line.substr(begin, i - begin);
      words.push_back({text, {file_, line_, column, character_count(text)}});
      column += character_count(text);
    }
    return true;
  }

  /// A line of print, or one of the tables of show.
  void printed(const PointWords& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i)  // a prompt may stand in front
      if (words[i].text.starts_with('@') && words[i + 1].text == "=") {
        if (i + 3 != words.size())
          refuse(words[i].where, "'" + std::string(words[i].text) + "' has not one value", "print it behind op, not dc or tran");
        return vector(words[i], words[i + 2]);
      }
    if (words.empty()) {
      columns_.clear();
    } else if (words[0].text == "device") {
      columns_.assign(words.begin() + 1, words.end());
    } else if (words.size() == columns_.size() + 1) {
      for (std::size_t i = 0; i < columns_.size(); ++i) take(columns_[i].text, words[0].text, words[i + 1]);
    } else if (words[0].text.ends_with(':') || words.size() > columns_.size() + 1) {
      columns_.clear();  // the heading of another table
    }
  }

  /// @m1[gm]
  void vector(const PointWord& name, const PointWord& value) {
    const std::string_view text = name.text;
    const std::size_t open = text.find('[');
    if (text.starts_with('@') && open != std::string_view::npos && text.ends_with(']'))
      take(text.substr(1, open - 1), text.substr(open + 1, text.size() - open - 2), value);
  }

  /// One plot of a raw file, from its title on.
  void plot(PointWords words) {
    bool wanted = false;
    std::vector<PointWord> names;
    for (bool more = true; more; more = next(words)) {
      if (words.empty()) continue;
      const std::string_view head = words[0].text;
      if (head == "Plotname:") {
        wanted = words.size() > 1 && lower_case(words[1].text) == "operating";
        found_plot_ = found_plot_ || wanted;
      } else if (head == "No." && words.size() > 2 && words[1].text == "Points:") {
        if (wanted && words[2].text != "1")
          refuse(words[2].where, "the operating point has " + printable(words[2].text) + " points", "one is expected");
      } else if (head == "Variables:") {
        names = variables(std::move(words));
        break;
      } else if (head == "Binary:") {
        break;
      }
    }
    if (!words.empty() && words[0].text == "Binary:")
      refuse(words[0].where, "the raw file is binary", "write it as text: set filetype=ascii before write");
    values(names, wanted);
  }

  /// Up to the line "Values:".
  std::vector<PointWord> variables(PointWords words) {
    std::vector<PointWord> names;
    words.erase(words.begin());
    do {
      if (words.empty()) continue;
      if (words[0].text == "Values:") return names;
      if (words[0].text == "Binary:")
        refuse(words[0].where, "the raw file is binary", "write it as text: set filetype=ascii before write");
      if (words.size() < 3) refuse(words[0].where, "a variable is expected here: its number, name and kind", how_to_print);
      names.push_back(words[1]);
    } while (next(words));
    refuse({file_, line_, 1, 1}, "the raw file ends before its values", how_to_print);
  }

  void values(const std::vector<PointWord>& names, bool wanted) {
    if (wanted && names.empty()) refuse({file_, line_, 1, 1}, "the raw file has no list of variables", how_to_print);
    std::size_t count = 0;  // the index of the point is the first word
    for (PointWords words; !rest_.starts_with("Title:") && next(words);)
      for (const PointWord& word : words) {
        if (wanted && count > 0 && count <= names.size()) vector(names[count - 1], word);
        if (wanted && count > names.size())
          refuse(word.where, "a value behind that of the last variable", "one point is expected: write it behind op");
        ++count;
      }
    if (wanted && count <= names.size())
      refuse({file_, line_, 1, 1},
             "the raw file ends before the value of '" + printable(names[std::max<std::size_t>(count, 1) - 1].text) + "'",
             how_to_print);
  }

  void take(std::string_view device, std::string_view what, const PointWord& value) {
    const std::string quantity = lower_case(what), name = netlist_name(device);
    if (name.empty() || std::string_view("mqdj").find(name[0]) == std::string_view::npos) return;
    const bool beside = beside_small_signals.contains(quantity);
    if (!beside && !small_signals.contains(quantity)) return;
    const std::optional<GiNaC::numeric> number = number_of(value);
    if (!number && beside) return;
    if (!number)
      refuse(value.where,
             "'" + printable(value.text) + "' is no number: " + quantity + " of '" + printable(name) + "' is missing",
             "a value that the simulator did not find is left out of the file");
    const auto [there, is_new] =
        point_.devices[name].try_emplace(quantity, SimulatorPoint::Value{*number, std::string(value.text), value.where});
    if (is_new) return;
    const double before = there->second.number.to_double(), now = number->to_double();
    constexpr double of_six_digits = 2e-5;
    if (std::abs(now - before) > of_six_digits * std::max(std::abs(now), std::abs(before)))
      refuse(value.where,
             quantity + " of '" + printable(name) + "' has two values, " + there->second.text + " (" +
                 to_string(there->second.where) + ") and " + std::string(value.text),
             "keep one operating point in the file");
    if (value.text.size() > there->second.text.size()) there->second = {*number, std::string(value.text), value.where};
  }

  static std::optional<GiNaC::numeric> number_of(const PointWord& word) {
    if (word.text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return {};
    try {
      const GiNaC::numeric number = parse_number(word.text, word.where);
      if (std::isfinite(number.to_double())) return number;
    } catch (const Error&) {
      return {};
    }
    return {};
  }

  std::string_view rest_;
  std::shared_ptr<const std::string> file_;
  std::uint32_t line_ = 0;
  bool found_plot_ = false;
  PointWords columns_;  ///< the devices of a table
  SimulatorPoint point_;
};

}  // namespace

SimulatorPoint read_simulator_point(std::string_view text, const std::string& file) { return PointReader(text, file).read(); }

}  // namespace sfg
