#include "sfg/read/tables.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "sfg/expr/functions.hpp"
#include "sfg/read/csv.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

constexpr const char* form = "write name=file.csv, or name=[0, 0] [1, 2], then linear, spline or monotone; a ; between tables";

std::optional<numeric::Interpolation> interpolation_named(const std::string& text) {
  if (text.empty()) return numeric::Interpolation::linear;
  for (const auto kind : {numeric::Interpolation::linear, numeric::Interpolation::spline, numeric::Interpolation::monotone})
    if (text == numeric::name(kind)) return kind;
  return {};
}

/// Its text; nothing where it is not there.
std::optional<std::string> text_beside(const SourceSpan& model, const std::string& name) {
  const std::filesystem::path folder = model.file ? std::filesystem::path(*model.file).parent_path() : std::filesystem::path();
  std::ifstream in(folder / name, std::ios::binary);
  if (!in) return {};
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // where memory ends it would drop the rest
  text << in.rdbuf();
  return in.bad() ? std::nullopt : std::optional(text.str());
}

}  // namespace

bool TableReading::is_free(const std::string& name, const SourceSpan& where) {
  if (!is_name(name)) {
    problems_.error(where, "the name of a table " + in_quotes(name) + " is none that a law can call",
                    "use letters, digits and _");
    return false;
  }
  if (function_rule(name) != nullptr || interpolation_of(name)) {
    problems_.error(where, "the table " + in_quotes(name) + " has the name of a function", "give it another name");
    return false;
  }
  return true;
}

void TableReading::add(const std::string& key, const std::string& name, const Passage& interpolation, std::vector<double> x,
                       std::vector<double> y, const SourceSpan& where) {
  const auto kind = interpolation_named(interpolation.text);
  if (!kind)
    return problems_.error(place(source_, interpolation), "unknown interpolation " + in_quotes(interpolation.text),
                           suggestion(interpolation.text, {"linear", "spline", "monotone"}));
  try {
    symbols_.add_table(key, numeric::table_number({name, *kind, std::move(x), std::move(y)}));
  } catch (const std::invalid_argument& problem) {
    problems_.error(where, problem.what(), "order the points by x, two or more of them");
  }
}

void TableReading::points(const std::string& name, const Passage& interpolation, std::vector<double> x, std::vector<double> y,
                          const SourceSpan& where) {
  if (is_free(name, where)) add(name, name, interpolation, std::move(x), std::move(y), where);
}

void TableReading::file(const std::string& name, const Passage& interpolation, const Passage& file) {
  if (is_free(name, place(source_, file))) add_file(name, name, interpolation, file);
}

void TableReading::add_file(const std::string& key, const std::string& name, const Passage& interpolation, const Passage& file) {
  const SourceSpan where = place(source_, file);
  const bool elsewhere = file.text.find_first_of("/\\:") != std::string::npos || file.text == "." || file.text == ".." ||
                         std::ranges::any_of(file.text, [](unsigned char c) { return c < 0x20; });
  if (file.text.empty() || elsewhere)
    return problems_.error(where, "the table " + in_quotes(file.text) + " is not in the folder of this file",
                           "put the file beside this one and name it alone");
  const auto text = text_beside(where, file.text);
  if (!text)
    return problems_.error(where, "the file " + in_quotes(file.text) + " of the table cannot be read",
                           "put it beside this file, or state the points");
  problems_.attempt([&] {
    const std::filesystem::path folder = where.file ? std::filesystem::path(*where.file).parent_path() : std::filesystem::path();
    auto [x, y] = read_points(*text, (folder / file.text).string());
    add(key, name, interpolation, std::move(x), std::move(y), where);
  });
}

bool TableReading::files_of(const Passage& law) {
  bool all = true;
  std::string called;  // the last function in front
  for (Scan scan(law.text); !scan.ended();) {
    const std::string word(scan.word());
    if (!word.empty()) {
      scan.blanks();
      if (scan.next() == '(' && interpolation_of(word)) called = word;
      continue;
    }
    const char sign = scan.next();
    scan.take(sign);
    if (sign != '"' && sign != '\'') continue;
    const std::size_t at = scan.at(), count = scan.run([](char c) { return c != '"' && c != '\''; }).size();
    if (scan.ended() || count == 0) continue;  // of two quotes side by side the second may begin a name
    scan.take(scan.next());
    if (called.empty()) continue;
    const Passage file = law.part(at, count);
    Passage interpolation = file;
    interpolation.text = numeric::name(*interpolation_of(called));
    const std::string key = file_key(called, '"' + file.text + '"');
    add_file(key, "", interpolation, file);
    all = all && symbols_.tables().contains(key);
  }
  return all;
}

void TableReading::list(const Passage& text) {
  for (std::size_t begin = 0; begin <= text.text.size();) {
    const std::size_t end = std::min(text.text.find(';', begin), text.text.size());
    const Passage one = text.part(begin, end - begin).trimmed();
    if (!one.text.empty()) entry(one);
    begin = end + 1;
  }
}

void TableReading::entry(const Passage& one) {
  const std::size_t equals = one.text.find('=');
  if (equals == std::string::npos) return problems_.error(place(source_, one), "a table without its points", form);
  const std::string name = one.part(0, equals).trimmed().text;
  const Passage rest = one.part(equals + 1, std::string::npos).trimmed();
  const std::size_t close = rest.text.rfind(']'), blank = rest.text.find(' ');
  if (!rest.text.starts_with('[')) {
    const bool more = blank != std::string::npos;
    return file(name, more ? rest.part(blank, std::string::npos).trimmed() : rest.part(rest.text.size(), 0), rest.part(0, blank));
  }
  if (close == std::string::npos) return problems_.error(place(source_, one), "the points of the table have no end", form);
  std::vector<double> x, y;
  const std::string list = rest.text.substr(0, close + 1);
  const auto of_number = [](char c) { return c != ',' && c != ']' && !is_blank_character(c); };
  const auto in_blanks = [](Scan& scan, char sign) {
    scan.blanks();
    const bool there = scan.take(sign);
    scan.blanks();
    return there;
  };
  Scan scan(list);
  while (!scan.ended()) {
    if (!in_blanks(scan, '[')) break;
    const std::string first(scan.run(of_number));
    const bool divided = in_blanks(scan, ',');
    const std::string second(scan.run(of_number));
    if (first.empty() || !divided || second.empty() || !in_blanks(scan, ']')) break;
    if (!problems_.attempt([&] {
          x.push_back(parse_number(first, place(source_, rest)).to_double());
          y.push_back(parse_number(second, place(source_, rest)).to_double());
        }))
      return;
  }
  if (!scan.ended()) return problems_.error(place(source_, rest), "the points of the table are not read", form);
  points(name, rest.part(close + 1, std::string::npos).trimmed(), std::move(x), std::move(y), place(source_, rest));
}

}  // namespace sfg
