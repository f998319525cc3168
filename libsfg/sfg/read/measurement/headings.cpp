#include "sfg/read/measurement/headings.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <set>
#include <string_view>
#include <tuple>

namespace sfg {

namespace {

constexpr double hertz = 2 * std::numbers::pi;

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return small;
}

struct AxisWord {
  const char* word;
  MeasuredAxis axis;
  const char* unit;  ///< where none stands behind it
};

constexpr std::array axis_words{
    AxisWord{"t", MeasuredAxis::time, "s"},          AxisWord{"time", MeasuredAxis::time, "s"},
    AxisWord{"f", MeasuredAxis::frequency, "Hz"},    AxisWord{"f_hz", MeasuredAxis::frequency, "Hz"},
    AxisWord{"w", MeasuredAxis::frequency, "rad/s"}, AxisWord{"w_rad_s", MeasuredAxis::frequency, "rad/s"}};

const AxisWord* axis_word(std::string_view name) {
  const auto found =
      std::ranges::find_if(axis_words, [small = in_small_letters(name)](const AxisWord& w) { return small == w.word; });
  return found == axis_words.end() ? nullptr : &*found;
}

struct AxisUnit {
  const char* unit;
  const char* family;  ///< the plain unit
  double scale;
};

constexpr std::array axis_units{AxisUnit{"s", "s", 1},
                                AxisUnit{"sec", "s", 1},
                                AxisUnit{"ms", "s", 1e-3},
                                AxisUnit{"us", "s", 1e-6},
                                AxisUnit{"µs", "s", 1e-6},
                                AxisUnit{"μs", "s", 1e-6},
                                AxisUnit{"ns", "s", 1e-9},
                                AxisUnit{"ps", "s", 1e-12},
                                AxisUnit{"min", "s", 60},
                                AxisUnit{"h", "s", 3600},
                                AxisUnit{"Hz", "Hz", hertz},
                                AxisUnit{"mHz", "Hz", 1e-3 * hertz},
                                AxisUnit{"kHz", "Hz", 1e3 * hertz},
                                AxisUnit{"MHz", "Hz", 1e6 * hertz},
                                AxisUnit{"GHz", "Hz", 1e9 * hertz},
                                AxisUnit{"rad/s", "rad/s", 1},
                                AxisUnit{"1/s", "rad/s", 1},
                                AxisUnit{"krad/s", "rad/s", 1e3}};

/// As it is written, or in other letters where that leaves no doubt: of "MHZ" it does not, since nobody writes mHz so.
const AxisUnit* axis_unit(std::string_view text) {
  const auto same = std::ranges::find(axis_units, text, &AxisUnit::unit);
  if (same != axis_units.end()) return &*same;
  const auto alike = [small = in_small_letters(text)](const AxisUnit& u) {
    return small == in_small_letters(u.unit) && std::string_view(u.unit) != "mHz";
  };
  const auto found = std::ranges::find_if(axis_units, alike);
  return found == axis_units.end() ? nullptr : &*found;
}

struct Named {
  std::string name;
  std::string unit = {};
};

/// "y [V]" and "y (V)" in two.
std::optional<Named> with_unit(std::string_view heading) {
  if (heading.empty() || (heading.back() != ']' && heading.back() != ')')) return {};
  const std::size_t open = heading.rfind(heading.back() == ']' ? '[' : '(');
  if (open == std::string_view::npos || open == 0) return {};
  const auto trimmed = [](std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return std::string();
    return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
  };
  Named found{trimmed(heading.substr(0, open)), trimmed(heading.substr(open + 1, heading.size() - open - 2))};
  return found.name.empty() ? std::nullopt : std::optional(found);
}

struct PartWord {
  const char* suffix;
  MeasuredPart part;
};
constexpr std::array part_words{PartWord{"_db", MeasuredPart::magnitude_db}, PartWord{"_deg", MeasuredPart::phase_deg},
                                PartWord{"_re", MeasuredPart::real}, PartWord{"_im", MeasuredPart::imaginary}};
constexpr std::string_view deviation = "_std";

/// The rest of a name that begins so.
std::optional<std::string> behind(std::string_view name, std::string_view beginning) {
  if (!name.starts_with(beginning)) return {};
  return in_small_letters(name.substr(beginning.size()));
}

/// Of a unit that says which part it is.
std::optional<MeasuredPart> part_of_unit(const std::string& unit) {
  const std::string small = in_small_letters(unit);
  if (small == "db") return MeasuredPart::magnitude_db;
  if (small == "deg" || small == "°" || small == "degrees") return MeasuredPart::phase_deg;
  return {};
}

/// A heading that is about the model.
struct About {
  bool input = false;
  std::string from = {}, of = {};
  MeasuredPart part = MeasuredPart::value;
  bool deviation = false;
};

class HeadingReading {
 public:
  HeadingReading(const std::vector<CsvCell>& row, const CsvRows& rows, const MeasurableNames& names, Measurement& record,
                 Problems& problems)
      : row_(row), rows_(rows), names_(names), record_(record), problems_(problems) {
    std::set<std::string> inputs;
    for (const auto& [input, output] : names.transfers) inputs.insert(input);
    several_inputs_ = inputs.size() > 1;
  }

  Headings read() {
    found_.cells.resize(row_.size());
    const std::size_t axis = axis_cell();
    if (axis == row_.size()) return found_;
    for (std::size_t k = 0; k < row_.size(); ++k)
      if (k != axis) column(k);
    deviations();
    pairs();
    if (record_.columns.empty() && record_.inputs.empty() && !problems_.any_errors())
      problems_.error(rows_.place(row_[axis]), "no column names what was measured", "add a column: " + columns_that_may_be());
    return found_;
  }

 private:
  static std::vector<Named> readings(const CsvCell& cell) {
    std::vector<Named> all{{cell.text}};
    if (auto split = with_unit(cell.text)) all.push_back(std::move(*split));
    return all;
  }

  bool is_of_model(const std::string& name) const {
    return std::ranges::count(names_.signals, name) > 0 || std::ranges::count(names_.inputs, name) > 0;
  }

  /// The column of times or frequencies. A signal may be called t, f or w: of several such columns it is the one that is none.
  std::size_t axis_cell() {
    struct Candidate {
      std::size_t cell;
      const AxisWord* word;
      Named named;
    };
    std::vector<Candidate> candidates;
    for (std::size_t k = 0; k < row_.size(); ++k)
      for (Named& named : readings(row_[k]))
        if (const AxisWord* word = axis_word(named.name); word && (!names_.axis || *names_.axis == word->axis)) {
          candidates.push_back({k, word, std::move(named)});
          break;
        }
    const bool free = std::ranges::any_of(candidates, [&](const Candidate& c) { return !is_of_model(c.named.name); });
    if (free) std::erase_if(candidates, [&](const Candidate& c) { return is_of_model(c.named.name); });
    if (candidates.empty()) {
      problems_.error(rows_.place(row_.front()), "the heading has no column of " + axes_that_may_be(),
                      is_number_row() ? "write a heading above the numbers: " + columns_that_may_be()
                                      : "the columns are " + columns_that_may_be());
      return row_.size();
    }
    if (candidates.size() > 1 && free)
      problems_.error(rows_.place(row_[candidates[1].cell]),
                      "a second column of times or frequencies, beside " + in_quotes(row_[candidates[0].cell].text),
                      "leave one of them out");
    const Candidate& axis = candidates.front();
    record_.axis = axis.word->axis;
    axis_ = record_.axis;
    found_.cells[axis.cell].kind = HeadingMeaning::Kind::axis;
    scale(row_[axis.cell], *axis.word, axis.named.unit);
    return axis.cell;
  }

  void scale(const CsvCell& cell, const AxisWord& word, const std::string& stated) {
    const AxisUnit* usual = axis_unit(word.unit);
    const AxisUnit* unit = stated.empty() ? usual : axis_unit(stated);
    const bool letter = in_small_letters(word.word) == "f" && unit && std::string_view(unit->family) == "rad/s";
    if (unit == nullptr || (std::string_view(unit->family) != usual->family && !letter))
      return problems_.error(rows_.place(cell),
                             "the unit " + in_quotes(stated) + " is none of this column, which is in " + word.unit,
                             word.axis == MeasuredAxis::time ? "write s, ms, us, ns, min or h"
                                                             : "write Hz, kHz, MHz or GHz behind f, rad/s or krad/s behind w");
    found_.scale = unit->scale;
  }

  bool is_number_row() const {
    return std::ranges::all_of(row_, [](const CsvCell& c) {
      return !c.text.empty() && c.text.find_first_not_of("+-.,0123456789eE") == std::string::npos;
    });
  }

  std::optional<About> over_time(const Named& named) const {
    if (std::ranges::count(names_.signals, named.name)) return About{.of = named.name};
    if (std::ranges::count(names_.inputs, named.name)) return About{.input = true, .of = named.name};
    for (const std::string& signal : names_.signals)
      if (behind(named.name, signal) == deviation) return About{.of = signal, .deviation = true};
    return {};
  }

  std::optional<About> over_frequency(const Named& named) const {
    for (const auto& [input, output] : names_.transfers)
      for (const bool whole : {true, false}) {
        if (!whole && several_inputs_) continue;
        const auto rest = behind(named.name, whole ? output + "/" + input : output);
        if (!rest) continue;
        for (const PartWord& word : part_words)
          for (const bool spread : {false, true})
            if (*rest == word.suffix + std::string(spread ? deviation : ""))
              return About{.from = input, .of = output, .part = word.part, .deviation = spread};
        const auto part = part_of_unit(named.unit);
        if (part && (rest->empty() || *rest == deviation))
          return About{.from = input, .of = output, .part = *part, .deviation = !rest->empty()};
      }
    return {};
  }

  void column(std::size_t k) {
    const CsvCell& cell = row_[k];
    if (cell.text.empty()) return;  // must stay empty below, too
    for (const Named& named : readings(cell))
      if (const auto subject = record_.axis == MeasuredAxis::time ? over_time(named) : over_frequency(named))
        return add(k, *subject, named.unit);
    problems_.error(rows_.place(cell), "the column " + in_quotes(cell.text) + " names nothing that is asked of the model",
                    "columns may be " + columns_that_may_be());
  }

  void add(std::size_t k, const About& subject, const std::string& unit) {
    if (!seen_.insert({subject.from, subject.of, subject.part, subject.deviation}).second)
      return problems_.error(rows_.place(row_[k]), "a second column of the same as another: " + in_quotes(row_[k].text),
                             "leave one of them out");
    check_unit(k, subject.part, unit);
    if (subject.deviation) return deviations_.emplace_back(k, subject), void();
    std::vector<MeasuredColumn>& columns = subject.input ? record_.inputs : record_.columns;
    found_.cells[k] = {subject.input ? HeadingMeaning::Kind::input : HeadingMeaning::Kind::column, columns.size()};
    columns.push_back(
        {.input = subject.from, .output = subject.of, .part = subject.part, .unit = unit, .where = rows_.place(row_[k])});
  }

  void check_unit(std::size_t k, MeasuredPart part, const std::string& unit) {
    const bool decibels = part == MeasuredPart::magnitude_db, degrees = part == MeasuredPart::phase_deg;
    if (unit.empty() || (!decibels && !degrees) || part_of_unit(unit) == part) return;
    problems_.error(rows_.place(row_[k]),
                    "the column is in " + std::string(decibels ? "decibels" : "degrees") + ", not in " + in_quotes(unit),
                    decibels ? "convert it to decibels, or state real and imaginary parts" : "convert it to degrees");
  }

  void deviations() {
    for (const auto& [k, subject] : deviations_) {
      const auto column = std::ranges::find_if(record_.columns, [&, &subject = subject](const MeasuredColumn& c) {
        return c.input == subject.from && c.output == subject.of && c.part == subject.part;
      });
      if (column == record_.columns.end())
        problems_.error(rows_.place(row_[k]), "deviations of a column that is not there", "add the column that they are of");
      else
        found_.cells[k] = {HeadingMeaning::Kind::deviation, static_cast<std::size_t>(column - record_.columns.begin())};
    }
  }

  /// A real part has an imaginary one, and whoever states both states no magnitude.
  void pairs() {
    for (const MeasuredColumn& column : record_.columns) {
      const auto stated = [&](MeasuredPart part) {
        return std::ranges::any_of(record_.columns, [&](const MeasuredColumn& other) {
          return other.input == column.input && other.output == column.output && other.part == part;
        });
      };
      const bool real = column.part == MeasuredPart::real;
      if (!real && column.part != MeasuredPart::imaginary) continue;
      const std::string name = several_inputs_ ? column.output + "/" + column.input : column.output;
      if (!stated(real ? MeasuredPart::imaginary : MeasuredPart::real))
        problems_.error(column.where,
                        std::string(real ? "a real part without an imaginary one" : "an imaginary part without a real one"),
                        "add the column " + name + (real ? "_im" : "_re"));
      else if (stated(MeasuredPart::magnitude_db) || stated(MeasuredPart::phase_deg))
        problems_.error(column.where, "the same values twice: as real and imaginary part, and as magnitude or phase",
                        "leave one of the two forms out");
    }
  }

  std::string axes_that_may_be() const {
    if (!names_.axis) return "times (t) or frequencies (f or w)";
    return *names_.axis == MeasuredAxis::time ? "times (t or time)" : "frequencies (f, f_hz, w or w_rad_s)";
  }

  std::string columns_that_may_be() const {
    std::vector<std::string> words;
    const std::optional<MeasuredAxis> axis = axis_ ? axis_ : names_.axis;
    if (axis != MeasuredAxis::frequency) {
      words.emplace_back("t");
      words.insert(words.end(), names_.signals.begin(), names_.signals.end());
      words.insert(words.end(), names_.inputs.begin(), names_.inputs.end());
    }
    if (axis != MeasuredAxis::time) {
      words.insert(words.end(), {"f", "f_hz", "w", "w_rad_s"});
      for (const auto& [input, output] : names_.transfers) {
        const std::string name = several_inputs_ ? output + "/" + input : output;
        for (const PartWord& word : part_words) words.push_back(name + word.suffix);
      }
    }
    constexpr std::size_t most = 24;
    std::string list;
    for (std::size_t k = 0; k < std::min(words.size(), most); ++k) list += (k ? ", " : "") + words[k];
    return words.size() > most ? list + " …" : list;
  }

  const std::vector<CsvCell>& row_;
  const CsvRows& rows_;
  const MeasurableNames& names_;
  Measurement& record_;
  Problems& problems_;
  Headings found_;
  bool several_inputs_ = false;
  std::optional<MeasuredAxis> axis_ = {};  ///< once its column is found
  std::set<std::tuple<std::string, std::string, MeasuredPart, bool>> seen_;
  std::vector<std::pair<std::size_t, About>> deviations_;
};

}  // namespace

Headings headings(const std::vector<CsvCell>& row, const CsvRows& rows, const MeasurableNames& names, Measurement& record,
                  Problems& problems) {
  return HeadingReading(row, rows, names, record, problems).read();
}

}  // namespace sfg
