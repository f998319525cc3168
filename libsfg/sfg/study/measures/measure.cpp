#include "sfg/study/measures/measure.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

/// What stands behind the name of a measure.
enum class Number { none, after_at, after_colon, band };

struct MeasureName {
  std::string_view name;
  MeasureKind kind;
  Number number;
  std::string_view unit;
};

// A longer name stands before one that it begins with.
constexpr std::array measure_names{
    MeasureName{"dc-error", MeasureKind::dc_error, Number::none, ""},
    MeasureName{"dc", MeasureKind::dc, Number::none, ""},
    MeasureName{"gain-margin", MeasureKind::gain_margin, Number::none, "dB"},
    MeasureName{"gain-crossover", MeasureKind::gain_crossover, Number::none, "rad/s"},
    MeasureName{"gain", MeasureKind::gain, Number::after_at, ""},
    MeasureName{"db", MeasureKind::db, Number::after_at, "dB"},
    MeasureName{"phase-margin", MeasureKind::phase_margin, Number::none, "deg"},
    MeasureName{"phase-crossover", MeasureKind::phase_crossover, Number::none, "rad/s"},
    MeasureName{"phase", MeasureKind::phase, Number::after_at, "deg"},
    MeasureName{"peak-frequency", MeasureKind::peak_frequency, Number::none, "rad/s"},
    MeasureName{"peak", MeasureKind::peak, Number::none, ""},
    MeasureName{"bandwidth", MeasureKind::bandwidth, Number::none, "rad/s"},
    MeasureName{"modulus-margin", MeasureKind::modulus_margin, Number::none, ""},
    MeasureName{"delay-margin", MeasureKind::delay_margin, Number::none, "s"},
    MeasureName{"disk-margin", MeasureKind::disk_margin, Number::none, ""},
    MeasureName{"Kp", MeasureKind::position_constant, Number::none, ""},
    MeasureName{"Kv", MeasureKind::velocity_constant, Number::none, "1/s"},
    MeasureName{"Ka", MeasureKind::acceleration_constant, Number::none, "1/s^2"},
    MeasureName{"type", MeasureKind::type, Number::none, ""},
    MeasureName{"rise", MeasureKind::rise, Number::none, "s"},
    MeasureName{"settling", MeasureKind::settling, Number::none, "s"},
    MeasureName{"overshoot", MeasureKind::overshoot, Number::none, "%"},
    MeasureName{"final", MeasureKind::final, Number::none, ""},
    MeasureName{"step", MeasureKind::step, Number::after_at, ""},
    MeasureName{"abscissa", MeasureKind::abscissa, Number::none, "1/s"},
    MeasureName{"damping", MeasureKind::mode_damping, Number::after_colon, ""},
    MeasureName{"damping", MeasureKind::damping, Number::none, ""},
    MeasureName{"frequency", MeasureKind::mode_frequency, Number::after_colon, "rad/s"},
    MeasureName{"noise", MeasureKind::noise, Number::band, ""},
};

/// Those whose names are a designer's own, too.
bool is_constant(MeasureKind kind) { return kind >= MeasureKind::position_constant && kind <= MeasureKind::type; }

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

/// Goes through the text from left to right; what is no name of a measure is copied.
class MeasureReader {
 public:
  MeasureReader(const std::string& text, const SymbolTable& symbols) : text_(text), symbols_(symbols) { measure_.text = text; }

  Measure read() {
    while (at_ < text_.size()) {
      if (!in_word(text_[at_]) || std::isdigit(static_cast<unsigned char>(text_[at_]))) {
        copy_other();
      } else if (!parameter() && !constant() && !name_of_measure()) {
        copy_word();
      }
    }
    if (expression_.find_first_not_of(' ') == std::string::npos) wrong("there is no measure in " + quoted(text_), listed());
    try {
      measure_.expression = parse_known(expression_, table_);
    } catch (const Error& error) {
      const Diagnostic& problem = error.diagnostics().front();
      wrong("the measure " + quoted(text_) + ": " + problem.message,
            problem.hint.text().empty() ? listed() : problem.hint.text());
    }
    if (const BaseMeasure* base = measure_.base())
      for (const MeasureName& entry : measure_names)
        if (entry.kind == base->kind) measure_.unit = entry.unit;
    return std::move(measure_);
  }

 private:
  [[noreturn]] void wrong(const std::string& message, const std::string& hint) const {
    throw Error({Diagnostic{{}, message, hint}});
  }
  static std::string listed() {
    return "measures are dc, gain@W, db@W, phase@W, peak, peak-frequency, bandwidth, gain-margin, phase-margin, modulus-margin, "
           "delay-margin, disk-margin, gain-crossover, phase-crossover, dc-error, Kp, Kv, Ka, type, rise, settling, overshoot, "
           "final, step@T, abscissa, damping, "
           "damping:N, frequency:N, of circuits noise and noise@LO:HI, and expressions of them and of parameters";
  }

  /// Numbers are copied whole, so that the e of 1e3 begins no name.
  void copy_other() {
    const bool number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
    do expression_ += text_[at_++];
    while (number && at_ < text_.size() &&
           (in_word(text_[at_]) || text_[at_] == '.' ||
            ((text_[at_] == '+' || text_[at_] == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E'))));
  }

  std::size_t word_end(std::size_t from) const {
    while (from < text_.size() && in_word(text_[from])) ++from;
    return from;
  }

  const Symbol* parameter_called(const std::string& name) const {
    const Symbol* symbol = symbols_.find(name);
    return symbol && symbol->kind == SymbolKind::parameter ? symbol : nullptr;
  }

  void copy_word() {
    const std::size_t end = word_end(at_);
    const std::string name = text_.substr(at_, end - at_);
    if (const Symbol* symbol = parameter_called(name)) table_.add(*symbol);
    expression_ += name;
    at_ = end;
  }

  bool parameter() {
    constexpr std::string_view prefix = "parameter:";
    if (text_.compare(at_, prefix.size(), prefix) != 0) return false;
    const std::size_t begin = at_ + prefix.size(), end = word_end(begin);
    const std::string name = text_.substr(begin, end - begin);
    const Symbol* symbol = symbols_.find(name);
    if (!symbol) wrong("the measure " + quoted(text_) + ": there is no parameter " + quoted(name), "");
    const Symbol& known = table_.add({.name = placeholder(), .expr = symbol->expr});
    expression_ += known.name;
    at_ = end;
    return true;
  }

  bool constant() {
    constexpr std::string_view prefix = "constant:";
    if (text_.compare(at_, prefix.size(), prefix) != 0) return false;
    const std::size_t begin = at_ + prefix.size(), end = word_end(begin);
    const std::string name = text_.substr(begin, end - begin);
    for (const MeasureName& entry : measure_names)
      if (is_constant(entry.kind) && entry.name == name) {
        expression_ += name_of({entry.kind});
        at_ = end;
        return true;
      }
    wrong("the measure " + quoted(text_) + ": there is no constant " + quoted(name),
          "write constant:Kp, constant:Kv, constant:Ka or constant:type");
  }

  bool name_of_measure() {
    for (const MeasureName& entry : measure_names) {
      if (text_.compare(at_, entry.name.size(), entry.name) != 0) continue;
      std::size_t end = at_ + entry.name.size();
      const char next = end < text_.size() ? text_[end] : ' ';
      if (in_word(next)) continue;
      if (entry.number == Number::after_colon && next != ':') continue;
      if (is_constant(entry.kind) && parameter_called(std::string(entry.name))) continue;
      BaseMeasure base{entry.kind};
      if (entry.number == Number::band)
        read_band(base, end);
      else if (entry.number != Number::none)
        read_number(entry, base, end);
      expression_ += name_of(base);
      at_ = end;
      return true;
    }
    return false;
  }

  void read_number(const MeasureName& entry, BaseMeasure& base, std::size_t& end) const {
    const char sign = entry.number == Number::after_at ? '@' : ':';
    const std::string what = entry.number == Number::after_colon ? "the number of a mode, 1 for the slowest"
                             : base.kind == MeasureKind::step    ? "a time in s"
                                                                 : "a frequency in rad/s";
    const bool other_name = end < text_.size() && text_[end] == '-';  // gain-crossing is no gain less something
    const std::string hint =
        other_name ? listed() : fmt::format("write {}{}{}, {}", entry.name, sign, sign == ':' ? "1" : "10", what);
    if (end >= text_.size() || text_[end] != sign) wrong("the measure " + quoted(text_) + " lacks " + what, hint);
    const double value = number_after(end);
    if (sign == ':') {
      if (value < 1 || value != std::floor(value) || value > 1e6) wrong("the measure " + quoted(text_) + " lacks " + what, hint);
      base.mode = static_cast<std::size_t>(value);
    } else {
      if (!(value >= 0) || !std::isfinite(value)) wrong("the measure " + quoted(text_) + " lacks " + what, hint);
      base.at = value;
    }
  }

  /// The number that begins behind the sign here, and where it ends; -1 for what is none.
  double number_after(std::size_t& end) const {
    const std::size_t begin = ++end;
    while (end < text_.size() &&
           (in_word(text_[end]) || text_[end] == '.' ||
            ((text_[end] == '+' || text_[end] == '-') && end > begin && (text_[end - 1] == 'e' || text_[end - 1] == 'E'))))
      ++end;
    try {
      return GiNaC::ex_to<GiNaC::numeric>(parse_number(text_.substr(begin, end - begin))).to_double();
    } catch (const Error&) {
      return -1;
    }
  }

  /// 0…∞ where none is stated.
  void read_band(BaseMeasure& base, std::size_t& end) const {
    base.up_to = infinity;
    if (end >= text_.size() || text_[end] != '@') return;
    base.at = number_after(end);
    base.up_to = end < text_.size() && text_[end] == ':' ? number_after(end) : -1;
    if (!(base.at >= 0) || !(base.up_to > base.at) || !std::isfinite(base.up_to))
      wrong("the measure " + quoted(text_) + " lacks a band in rad/s", "write noise@LO:HI with 0 <= LO < HI, or noise for 0…∞");
  }

  std::string placeholder() { return fmt::format("measure_{}_", table_.all().size() + 1); }

  /// The symbol that stands for it; a base measure has one symbol however often it is named.
  std::string name_of(const BaseMeasure& base) {
    const auto known = std::find(measure_.bases.begin(), measure_.bases.end(), base);
    if (known != measure_.bases.end()) return names_[static_cast<std::size_t>(known - measure_.bases.begin())];
    const Symbol& symbol = table_.add({.name = placeholder()});
    measure_.bases.push_back(base);
    measure_.symbols.push_back(symbol.expr);
    return names_.emplace_back(symbol.name);
  }

  const std::string& text_;
  const SymbolTable& symbols_;
  SymbolTable table_;
  std::size_t at_ = 0;
  std::string expression_;
  std::vector<std::string> names_;
  Measure measure_;
};

}  // namespace

std::string to_string(const BaseMeasure& base) {
  for (const MeasureName& entry : measure_names) {
    if (entry.kind != base.kind) continue;
    if (entry.number == Number::none) return std::string(entry.name);
    if (entry.number == Number::after_colon) return fmt::format("{}:{}", entry.name, base.mode);
    if (entry.number == Number::band)
      return std::isinf(base.up_to) ? std::string(entry.name) : fmt::format("{}@{}:{}", entry.name, base.at, base.up_to);
    return fmt::format("{}@{}", entry.name, base.at);
  }
  return "";
}

bool is_margin(MeasureKind kind) { return kind >= MeasureKind::gain_margin && kind <= MeasureKind::type; }

bool of_step(MeasureKind kind) {
  return kind == MeasureKind::rise || kind == MeasureKind::settling || kind == MeasureKind::overshoot ||
         kind == MeasureKind::final || kind == MeasureKind::step;
}

const BaseMeasure* Measure::base() const {
  return bases.size() == 1 && expression.is_equal(symbols.front()) ? &bases.front() : nullptr;
}

Measure measure_of(const std::string& text, const SymbolTable& symbols) { return MeasureReader(text, symbols).read(); }

bool Spec::met(double found) const {
  constexpr double equal = 1e-6;
  switch (relation) {
    case Relation::less: return found < value;
    case Relation::less_equal: return found <= value;
    case Relation::greater: return found > value;
    case Relation::greater_equal: return found >= value;
    case Relation::equal: return std::abs(found - value) <= equal * std::abs(value);
  }
  return false;
}

Spec spec_of(const std::string& text, const SymbolTable& symbols, bool equality) {
  const auto wrong = [&](const std::string& message, const std::string& hint) {
    throw Error({Diagnostic{{}, "the spec " + quoted(text) + message, hint}});
  };
  const std::size_t at = text.find_first_of("<>=");
  const std::string form = equality ? "write a measure, <, <=, >, >= or =, and a number: 'overshoot < 5'"
                                    : "write a measure, <, <=, > or >=, and a number: 'overshoot < 5'";
  if (at == std::string::npos) wrong(" compares nothing", form);
  const bool two = at + 1 < text.size() && text[at + 1] == '=';
  const std::string sign = text.substr(at, two && text[at] != '=' ? 2 : 1);
  Spec spec;
  spec.text = text;
  spec.relation = sign == "<"    ? Spec::Relation::less
                  : sign == "<=" ? Spec::Relation::less_equal
                  : sign == ">"  ? Spec::Relation::greater
                  : sign == ">=" ? Spec::Relation::greater_equal
                                 : Spec::Relation::equal;
  if (spec.relation == Spec::Relation::equal && !equality) wrong(" asks for equality, which a sample never meets", form);
  std::string right = text.substr(at + sign.size());
  right.erase(0, std::min(right.find_first_not_of(' '), right.size()));
  while (right.ends_with(' ')) right.pop_back();
  const bool negative = right.starts_with('-');
  if (negative) right.erase(0, 1);
  try {
    spec.value = GiNaC::ex_to<GiNaC::numeric>(parse_number(right)).to_double();
  } catch (const Error&) {
    wrong(" compares with what is no number", form);
  }
  if (negative) spec.value = -spec.value;
  std::string left = text.substr(0, at);
  while (left.ends_with(' ')) left.pop_back();
  try {
    spec.measure = measure_of(left, symbols);
  } catch (const Error& error) {
    wrong(": " + error.diagnostics().front().message, error.diagnostics().front().hint.text());
  }
  return spec;
}

}  // namespace sfg
