#include "sfg/read/spice/netlist.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "sfg/text/escape.hpp"
#include "sfg/text/printable.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

using Kind = NetlistToken::Kind;

bool is_space(char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r'; }
bool ends_word(char c) {
  return is_space(c) || c == '(' || c == ')' || c == '=' || c == '{' || c == ';' || c == '\'' || c == '"';
}

/// The micro and the paragraph sign as one byte, as LTspice under Windows writes them, become u and §.
std::string without_latin_signs(std::string_view line) {
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool alone = i == 0 || (line[i - 1] & 0x80) == 0;
    if (line[i] == '\xB5' && alone)
      result += 'u';
    else if (line[i] == '\xA7' && alone)
      result += "\u00A7";
    else
      result += line[i];
  }
  return result;
}

/// KiCad's names of nets without a label: Net-(R1-Pad1), unconnected-(U1-Pad3).
bool begins_net_name(std::string_view word) {
  const std::string lower = lower_case(word);
  return lower.ends_with("net-") || lower.ends_with("unconnected-");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Cuts the physical lines of one file.
class Cutter {
 public:
  Cutter(const std::string& file, const NetlistFile& beside)
      : file_(std::make_shared<const std::string>(file)), beside_(beside) {}

  NetlistText cut(std::string_view text) {
    result_.title_where = {file_, 1, 1};  // of an empty one
    lines_of(text);
    if (!problems_.empty()) throw Error(std::move(problems_));
    return std::move(result_);
  }

 private:
  static constexpr std::size_t deepest_inclusion = 16;
  static constexpr std::size_t most_included = std::size_t{64} << 20;  ///< bytes

  void lines_of(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (bool over = false, told = false; !text.empty() && !told;) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      const std::string line = without_latin_signs(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (over)
        told = note_behind_end(line);
      else
        over = take_line(line);
    }
  }

  /// Of ever later words of a line: what stands in front of the last one is counted already.
  SourceSpan place(std::string_view line, std::size_t begin, std::size_t bytes) {
    if (begin < counted_bytes_) counted_bytes_ = counted_ = 0;
    counted_ += character_count(line.substr(counted_bytes_, begin - counted_bytes_));
    counted_bytes_ = static_cast<std::uint32_t>(begin);
    return {file_, line_, counted_ + 1, std::max(1U, character_count(line.substr(begin, bytes)))};
  }

  void problem(SourceSpan where, std::string message, std::string hint) {
    problems_.push_back({std::move(where), std::move(message), std::move(hint)});
  }

  bool note_behind_end(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '*' || line[first] == ';') return false;
    counted_bytes_ = counted_ = 0;
    result_.notes.push_back(
        {place(line, first, 1), "what stands behind .end is left out", "move .end to the end", Severity::remark});
    return true;
  }

  /// True after .end.
  bool take_line(std::string_view line) {
    counted_bytes_ = counted_ = 0;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (line_ == 1 && included_.empty()) {
      take_title(valid_utf8(line));
      return false;
    }
    if (first == std::string_view::npos || line[first] == ';') return false;
    if (line[first] == '*') {
      if (section_.empty()) take_remark(line, first);
      return false;
    }
    const bool continued = line[first] == '+';
    NetlistStatement pieces = tokens(line, continued ? first + 1 : first);
    if (pieces.empty()) return false;
    if (continued) {
      if (result_.statements.empty())
        problem(place(line, first, 1), "a continuation line without a line before it", "remove the +");
      else
        std::ranges::move(pieces, std::back_inserter(result_.statements.back()));
      return false;
    }
    const std::string head = lower_case(pieces.front().text);
    if (!included_.empty() && skips(pieces, head)) return false;
    if (head == ".end") return true;
    if (head == ".include" || head == ".inc" || head == ".lib") {
      include(pieces);
      return false;
    }
    if (head == ".title") {
      result_.title = valid_utf8(line.substr(std::min(line.find_first_not_of(" \t", first + head.size()), line.size())));
      return false;
    }
    result_.statements.push_back(std::move(pieces));
    return false;
  }

  /// What a statement names is printed: it must be text. Remarks may be anything.
  bool is_text(std::string_view line, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin, length = 0; i < end; i += length) {
      length = utf8_length(line.substr(i));
      if (length > 0) continue;
      char code[8];
      std::snprintf(code, sizeof code, "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(line[i])));
      problem(place(line, i, 1), std::string("byte ") + code + " is not UTF-8", "save the file as UTF-8 text");
      return false;
    }
    return true;
  }

  /// "* sfg: Q1 IC=1m"
  void take_remark(std::string_view line, std::size_t star) {
    const std::size_t word = line.find_first_not_of(" \t", star + 1);
    if (word == std::string_view::npos || lower_case(line.substr(word, 4)) != "sfg:") return;
    NetlistStatement statement{{Kind::word, ".sfg", place(line, word, 4)}};
    std::ranges::move(tokens(line, word + 4), std::back_inserter(statement));
    result_.statements.push_back(std::move(statement));
  }

  /// Of a file that .lib names with a section, what stands outside of it.
  bool skips(const NetlistStatement& pieces, const std::string& head) {
    if (section_.empty()) return false;
    const bool begins = head == ".lib" && pieces.size() == 2;
    if (begins) inside_ = lower_case(pieces[1].text) == section_;
    if (begins) sections_.push_back(pieces[1].text);
    const bool skipped = begins || !inside_ || head == ".endl";
    if (head == ".endl") inside_ = false;
    return skipped;
  }

  void include(const NetlistStatement& pieces) {
    const bool library = lower_case(pieces[0].text) == ".lib";
    const auto refuse = [&](std::string message, std::string hint) {
      problem(pieces[pieces.size() > 1 ? 1 : 0].where, std::move(message), std::move(hint));
    };
    if (pieces.size() < 2 || pieces.size() > (library ? 3U : 2U))
      return refuse("statement '" + pieces[0].text + "' is not complete",
                    library ? "write .lib \"file\" section" : "write .include \"file\"");
    const std::string& name = pieces[1].text;
    if (library && is_of_ltspice(name)) {
      result_.notes.push_back({pieces[1].where,
                               "the library '" + name + "' of LTspice is not read: a model of it that is used is missing", "",
                               Severity::note});
      return;
    }
    const std::string section = pieces.size() > 2 ? lower_case(pieces[2].text) : "";
    if (name.empty() || name.find_first_of("/\\:") != std::string::npos || name.starts_with('.'))
      return refuse("the file '" + name + "' is not in the folder of this one",
                    "put it beside this file and write its name alone");
    if (!beside_) return refuse("there is no folder to read '" + name + "' from", "give the netlist as a file");
    if (std::ranges::find(included_, name) != included_.end() || whole_name(*file_) == name)
      return refuse("the file '" + name + "' includes itself", "remove the circle");
    if (included_.size() >= deepest_inclusion)
      return refuse("files are included more than " + std::to_string(deepest_inclusion) + " deep", "put them together");
    try {
      const std::vector<std::string> sections = read_in(name, section);
      if (const std::string none = lacks(section, sections); !none.empty())
        refuse("'" + name + "' has no section '" + pieces[2].text + "'", none);
    } catch (const Error& error) {
      const std::string& why = error.diagnostics().front().message;
      refuse(why.starts_with("cannot read") ? why : "cannot read '" + name + "': " + why, "put it beside this file");
    }
  }

  /// What to do where a library that was read has not the section; nothing where it has.
  static std::string lacks(const std::string& section, const std::vector<std::string>& sections) {
    if (section.empty()) return {};
    std::string known;
    for (const std::string& each : sections) {
      if (lower_case(each) == section) return {};
      known += " " + each;
    }
    return known.empty() ? "it has none; write .lib NAME … .endl there, or leave the section out" : "it has" + known;
  }

  /// The models that LTspice names in every netlist with such a device, whether it needs them or not; not a file beside this one.
  bool is_of_ltspice(const std::string& path) const {
    const std::string name = lower_case(path.substr(std::min(path.find_last_of("/\\") + 1, path.size())));
    if (!name.starts_with("standard.")) return false;
    if (path.size() > name.size() || !beside_) return true;
    try {
      beside_(path);
      return false;
    } catch (const Error&) {
      return true;
    }
  }

  /// Of a path the part behind the last bar.
  static std::string whole_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

  /// Returns the sections that the file has.
  std::vector<std::string> read_in(const std::string& name, const std::string& section) {
    const std::string text = beside_(name);
    bytes_ += text.size();
    if (bytes_ > most_included) throw Error(SourceSpan{}, "the files have more than 64 MiB together");
    const auto outer_file = file_;
    const std::uint32_t outer_line = line_;
    const std::string outer_section = std::exchange(section_, section);
    const bool outer_inside = std::exchange(inside_, false);
    std::vector<std::string> sections = std::exchange(sections_, {});
    const std::size_t folder = outer_file->find_last_of('/');
    file_ = std::make_shared<const std::string>(folder == std::string::npos ? name : outer_file->substr(0, folder + 1) + name);
    line_ = 0;
    included_.push_back(name);
    lines_of(text);
    included_.pop_back();
    file_ = outer_file;
    line_ = outer_line;
    section_ = outer_section;
    inside_ = outer_inside;
    std::swap(sections, sections_);
    return sections;
  }

  void take_title(std::string_view line) {
    std::string title(line);
    title.erase(0, title.find_first_not_of(" \t*"));
    if (lower_case(title).starts_with(".title")) title.erase(0, title.find_first_not_of(" \t", 6));
    title.erase(title.find_last_not_of(" \t\r") + 1);
    result_.title = title;
    result_.title_where = place(line, 0, line.size());
    const bool comment = line.find_first_not_of(" \t") != std::string_view::npos && line[line.find_first_not_of(" \t")] == '*';
    if (comment) return;
    const std::size_t known = problems_.size();
    result_.title_words = tokens(line, 0);
    problems_.resize(known);  // a title may hold anything
    if (looks_like_a_statement(title)) result_.notes.push_back(title_warning(result_));
  }

  static bool looks_like_a_statement(const std::string& title) {
    if (title.starts_with('.')) return true;
    constexpr std::string_view letters = "RCLVIEFGHKOXrclviefghkox";
    const std::size_t name_end = title.find_first_of(" \t");
    return name_end != std::string::npos && name_end > 1 && letters.find(title[0]) != std::string_view::npos &&
           std::isdigit(static_cast<unsigned char>(title[1])) != 0 &&
           title.find_first_of("0123456789", name_end) != std::string::npos;
  }

  NetlistStatement tokens(std::string_view line, std::size_t i) {
    NetlistStatement result;
    while (i < line.size()) {
      const char c = line[i];
      if (is_space(c)) {
        ++i;
      } else if (c == ';' || (c == '$' && i > 0 && is_space(line[i - 1]))) {
        break;
      } else if (steering_bytes(line.substr(i)) != 0) {
        problem(place(line, i, 1), "a control character", "netlists are plain text");
        break;
      } else if (c == '(' || c == ')' || c == '=') {
        result.push_back({Kind::sign, std::string(1, c), place(line, i, 1)});
        ++i;
      } else if (c == '{' || c == '\'' || c == '"') {
        if (!take_expression(line, i, result)) break;
      } else {
        const std::size_t begin = i;
        while (i < line.size() && steering_bytes(line.substr(i)) == 0) {
          const bool net = line[i] == '(' && begins_net_name(line.substr(begin, i - begin));
          const std::size_t closed = net ? line.find(')', i) : std::string_view::npos;
          if (closed == std::string_view::npos && ends_word(line[i])) break;
          i = closed == std::string_view::npos ? i + 1 : closed + 1;
        }
        if (i == begin) ++i;  // a lone closing brace
        if (!is_text(line, begin, i)) break;
        result.push_back({Kind::word, std::string(line.substr(begin, i - begin)), place(line, begin, i - begin)});
        result.back().behind_comma = begin > 1 && line[begin - 1] == ',' && is_digit(line[begin - 2]) && is_digit(line[begin]);
      }
    }
    return result;
  }

  bool take_expression(std::string_view line, std::size_t& i, NetlistStatement& result) {
    const std::size_t begin = i;
    std::size_t depth = 0;
    for (; i < line.size(); ++i) {
      if (line[begin] != '{' ? (i > begin && line[i] == line[begin]) : (line[i] == '}' && depth == 1)) break;
      if (line[i] == '{') ++depth;
      if (line[i] == '}' && depth > 0) --depth;
    }
    if (i == line.size()) {
      problem(place(line, begin, 1), std::string("the ") + (line[begin] == '{' ? "brace" : "quote") + " is not closed",
              "an expression stands on one line");
      return false;
    }
    if (!is_text(line, begin, i)) return false;
    result.push_back(
        {Kind::expression, std::string(line.substr(begin + 1, i - begin - 1)), place(line, begin + 1, i - begin - 1)});
    result.back().quoted = line[begin] == '"';
    ++i;
    return true;
  }

  std::shared_ptr<const std::string> file_;
  NetlistFile beside_;
  std::uint32_t line_ = 0;
  std::uint32_t counted_bytes_ = 0, counted_ = 0;  ///< of the line that is read
  std::vector<std::string> included_;              ///< files being read, outermost first
  std::string section_;                            ///< of a library, that alone is read
  bool inside_ = false;
  std::vector<std::string> sections_;  ///< of the library that is read
  std::size_t bytes_ = 0;
  NetlistText result_;
  std::vector<Diagnostic> problems_;
};

/// Nodes and model of a device, behind which it may say how a simulator begins; 0: it never does.
std::size_t entries_before_start(char letter) {
  switch (letter) {
    case 'd': return 3;
    case 'q':
    case 'j':
    case 't': return 4;
    case 'm': return 5;
    default: return 0;
  }
}

/// OFF, IC=v1,v2 … of a device are where a simulator begins, and nothing of the circuit. IC with one value is the current of a
/// bipolar transistor.
void leave_out_start(NetlistStatement& statement, std::vector<Diagnostic>& notes) {
  const char letter = lower_case(statement[0].text)[0];
  const std::size_t before = entries_before_start(letter);
  for (std::size_t i = before + 1; before > 0 && i < statement.size();) {
    const std::string word = lower_case(statement[i].text);
    const auto assigns = [&](std::size_t at) { return at + 1 < statement.size() && statement[at + 1].is('='); };
    std::size_t end = i + 1;
    if (word == "ic" && assigns(i))
      for (end = i + 2; end < statement.size() && !assigns(end) && lower_case(statement[end].text) != "off";) ++end;
    const bool off = word == "off" && letter != 't' && !assigns(i), voltages = word == "ic" && end > i + 2;
    if (!off && (!voltages || (letter == 'q' && end == i + 3))) {
      ++i;
      continue;
    }
    notes.push_back({statement[i].where,
                     off ? "OFF is where a simulator begins to look for the operating point, and is ignored"
                         : "initial conditions have no meaning for transfer functions and are ignored",
                     "", Severity::remark});
    statement.erase(statement.begin() + static_cast<std::ptrdiff_t>(i), statement.begin() + static_cast<std::ptrdiff_t>(end));
  }
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

Diagnostic title_warning(const NetlistText& text) {
  return {text.title_where, "the first line of a netlist is its title, though this one looks like a statement",
          "put a title line above it", Severity::warning};
}

NetlistText netlist_text(std::string_view text, const std::string& file, const NetlistFile& beside) {
  NetlistText cut = Cutter(file, beside).cut(text);
  for (NetlistStatement& statement : cut.statements) leave_out_start(statement, cut.notes);
  return cut;
}

}  // namespace sfg
