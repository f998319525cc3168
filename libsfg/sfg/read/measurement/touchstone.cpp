#include "sfg/read/measurement/touchstone.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include "sfg/read/source_text.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

struct Word {
  std::string_view text;
  std::size_t begin;
};

class TouchstoneReading {
 public:
  TouchstoneReading(const SourceText& source, Problems& problems, MeasuredPorts& found)
      : source_(source), problems_(problems), found_(found), numbers_(1 + 2 * found.ports * found.ports) {
    found_.matrix.assign(found.ports, std::vector<std::vector<std::complex<double>>>(found.ports));
  }

  void read() {
    const std::string_view text = source_.text();
    for (std::size_t begin = 0; begin < text.size() && !problems_.full() && !noise_;) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      line(text.substr(begin, end - begin), begin);
      begin = end + 1;
    }
    if (!pending_.empty()) too_few();
    if (found_.frequency.empty() && !problems_.any_errors())
      problems_.error(source_.at(0), "the file has no samples",
                      "write lines of a frequency and " + counted(numbers_ - 1, "number"));
  }

 private:
  static std::vector<Word> words_of(std::string_view line, std::size_t begin) {
    std::vector<Word> words;
    for (Scan scan(line.substr(0, line.find('!'))); scan.blanks(), !scan.ended();) {
      const std::size_t at = scan.at();
      words.push_back({scan.run([](char c) { return !is_blank_character(c); }), begin + at});
    }
    return words;
  }

  SourceSpan place(const Word& word) const { return source_.at(word.begin, word.text.size()); }

  void line(std::string_view text, std::size_t begin) {
    const std::vector<Word> words = words_of(text, begin);
    if (words.empty()) return;
    if (words.front().text.front() == '#') return stated(words);
    if (words.front().text.front() == '[')
      return problems_.error(place(words.front()), "a keyword of Touchstone 2, and version 1 is read here",
                             "save the file as version 1");
    samples(words);
  }

  /// "# GHz S MA R 50": words in any order, the first such line counts.
  void stated(std::vector<Word> words) {
    if (std::exchange(options_read_, true))
      return found_.notes.push_back({place(words.front()), "a second line of options is passed over: the first one counts",
                                     "leave it out", Severity::warning}),
             void();
    if (words.front().text.size() > 1)
      words.front() = {words.front().text.substr(1), words.front().begin + 1};
    else
      words.erase(words.begin());
    for (std::size_t k = 0; k < words.size(); ++k) {
      const auto is = [&](std::string_view word) {
        return Scan(words[k].text).take_caseless(word) && words[k].text.size() == word.size();
      };
      if (is("hz"))
        scale_ = 1;
      else if (is("khz"))
        scale_ = 1e3;
      else if (is("mhz"))
        scale_ = 1e6;
      else if (is("ghz"))
        scale_ = 1e9;
      else if (is("ma"))
        form_ = Form::magnitude;
      else if (is("db"))
        form_ = Form::decibels;
      else if (is("ri"))
        form_ = Form::real;
      else if (is("r"))
        k = resistance(words, k);
      else if (is("y") || is("z") || is("h") || is("g"))
        problems_.error(place(words[k]),
                        "parameters of kind " + in_quotes(words[k].text) + ", and scattering parameters are read here",
                        "save them as S");
      else if (!is("s"))
        problems_.error(place(words[k]), "unknown option " + in_quotes(words[k].text),
                        "write # GHz S MA R 50, say (Hz, kHz, MHz, GHz; MA, DB, RI)");
    }
  }

  std::size_t resistance(const std::vector<Word>& words, std::size_t k) {
    const auto value = k + 1 < words.size() ? number(words[k + 1]) : std::nullopt;
    if (k + 1 == words.size())
      problems_.error(place(words[k]), "the reference resistance is missing", "write R 50");
    else if (value && *value <= 0)
      problems_.error(place(words[k + 1]), "the reference resistance is not above 0", "write R 50");
    else if (value)
      found_.z0 = *value;
    return k + 1;
  }

  std::optional<double> number(const Word& word) {
    std::string_view digits = word.text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc{} && end == digits.data() + digits.size() && std::isfinite(value)) return value;
    problems_.error(place(word), "not a finite number: " + in_quotes(word.text), "write a number such as 0.1 or 1e-3");
    return {};
  }

  void too_few() {
    problems_.error(place(first_),
                    counted(pending_.size(), "number") + " where " + counted(numbers_, "number") +
                        " belong: a frequency and two of each parameter",
                    "complete the line");
    pending_.clear();
  }

  /// Up to two ports a frequency is a line; of more it begins one.
  void samples(const std::vector<Word>& words) {
    const bool starts = pending_.empty();
    if (starts) first_ = words.front();
    std::vector<double> values;
    for (const Word& word : words) values.push_back(number(word).value_or(1));
    if (starts && found_.ports == 2 && words.size() == 5 && !found_.frequency.empty() &&
        values.front() * scale_ * turn <= found_.frequency.back()) {
      found_.notes.push_back({place(words.front()), "the parameters of noise from here on are not used", {}, Severity::remark});
      noise_ = true;
      return;
    }
    pending_.insert(pending_.end(), values.begin(), values.end());
    if (pending_.size() > numbers_) {
      problems_.error(place(words[words.size() - std::min(words.size(), pending_.size() - numbers_)]),
                      "a number too many: a frequency has " + counted(numbers_ - 1, "number") + " behind it",
                      "begin a line with the next frequency");
      return pending_.clear();
    }
    if (pending_.size() < numbers_ && found_.ports < 3) return too_few();
    if (pending_.size() == numbers_) take();
  }

  void take() {
    const double frequency = pending_.front() * scale_ * turn;
    if (frequency <= 0)
      problems_.error(place(first_), "the frequency is not above 0", "leave the line out");
    else if (!found_.frequency.empty() && frequency <= found_.frequency.back())
      problems_.error(place(first_), "the frequency is not above that of the line before", "sort the lines by frequency");
    else if (!std::isfinite(frequency))
      problems_.error(place(first_), "the frequency is beyond the range of numbers", "leave the line out");
    found_.frequency.push_back(frequency);
    const std::size_t n = found_.ports;
    bool finite = true;
    for (std::size_t k = 0; k < n * n; ++k) {
      const std::size_t i = n == 2 ? k % n : k / n, j = n == 2 ? k / n : k % n;
      const std::complex<double> entry = complex(pending_[1 + 2 * k], pending_[2 + 2 * k]);
      finite = finite && std::isfinite(std::abs(entry));
      found_.matrix[i][j].push_back(entry);
    }
    if (!finite)
      problems_.error(place(first_), "a parameter of this frequency is beyond the range of numbers", "leave its lines out");
    pending_.clear();
  }

  std::complex<double> complex(double a, double b) const {
    constexpr double degree = std::numbers::pi / 180;
    if (form_ == Form::real) return {a, b};
    const double size = form_ == Form::decibels ? std::pow(10, a / 20) : a;
    return {size * std::cos(b * degree), size * std::sin(b * degree)};
  }

  static constexpr double turn = 2 * std::numbers::pi;
  enum class Form { magnitude, decibels, real };

  const SourceText& source_;
  Problems& problems_;
  MeasuredPorts& found_;
  std::size_t numbers_;
  double scale_ = 1e9;
  Form form_ = Form::magnitude;
  bool options_read_ = false, noise_ = false;
  std::vector<double> pending_ = {};  ///< of the frequency that is being read
  Word first_ = {};                   ///< where it began
};

}  // namespace

std::size_t touchstone_ports(std::string_view file) {
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos) return 0;
  std::string_view ending = file.substr(dot + 1);
  if (ending.size() < 3 || (ending.front() != 's' && ending.front() != 'S') || (ending.back() != 'p' && ending.back() != 'P'))
    return 0;
  ending = ending.substr(1, ending.size() - 2);
  std::size_t ports = 0;
  constexpr std::size_t most_digits = 2;
  const bool digits = std::ranges::all_of(ending, is_ascii_digit) && ending.size() <= most_digits;
  if (digits) std::from_chars(ending.data(), ending.data() + ending.size(), ports);
  return ports;
}

MeasuredPorts read_touchstone(std::string_view text, const std::string& file) {
  const SourceText source(text, file);
  Problems problems;
  problems.attempt([&] { source.check_characters(); });
  if (problems.any_errors()) problems.finish(nullptr);
  MeasuredPorts found{.file = file, .ports = touchstone_ports(file)};
  if (found.ports == 0) throw Error(source.at(0), "the name '" + file + "' states no number of ports", "name it .s1p or .s2p");
  TouchstoneReading(source, problems, found).read();
  problems.finish(nullptr);
  return found;
}

}  // namespace sfg
