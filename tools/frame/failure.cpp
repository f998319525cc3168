#include "tools/frame/failure.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "tools/frame/arguments.hpp"
#include "tools/frame/remedy.hpp"
#include "tools/frame/watch.hpp"

namespace sfg::command {

namespace {

using Json = nlohmann::ordered_json;

SourceSpan place(const std::string& name) { return {std::make_shared<const std::string>(name)}; }

std::string name_of(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning:
    case Severity::remark: return "warning";
    case Severity::note: return "note";
  }
  return "error";
}

Json json_of(const Diagnostic& problem) {
  const SourceSpan& where = problem.where;
  return {{"severity", name_of(problem.severity)},
          {"message", problem.message},
          {"file", where.file ? Json(*where.file) : Json()},
          {"line", where.line ? Json(where.line) : Json()},
          {"column", where.column ? Json(where.column) : Json()},
          {"hint", problem.hint.text()}};
}

/// Text of users in JSON: bytes that are no UTF-8 become the replacement character instead of an exception.
std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

/// One line of a text file; "" when it is not there.
class Lines {
 public:
  std::string operator()(const std::string& path, std::uint32_t number) {
    const std::vector<std::string>& lines = file(path);
    return number >= 1 && number <= lines.size() ? lines[number - 1] : std::string{};
  }

 private:
  const std::vector<std::string>& file(const std::string& path) {
    const auto [entry, fresh] = files_.try_emplace(path);
    std::ifstream stream;
    if (fresh && path != "-") stream.open(path);
    for (std::string line; stream.is_open() && std::getline(stream, line);) entry->second.push_back(std::move(line));
    return entry->second;
  }
  std::map<std::string, std::vector<std::string>> files_;
};

/// Characters of a line (not bytes), those that would disturb a terminal replaced.
std::vector<std::string> characters(const std::string& line) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < line.size();) {
    const auto lead = static_cast<unsigned char>(line[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::string character = line.substr(i, length);
    const bool control = lead < 0x20 || lead == 0x7F || (lead >= 0x80 && lead < 0xC2);
    const bool bidirectional = character >= "\u202A" && character <= "\u202E";
    if (control || bidirectional) character = lead == '\t' ? " " : "\u00B7";
    out.push_back(std::move(character));
    i += length;
  }
  return out;
}

/// The line and a caret below the place; of a long line the part around it.
void write_excerpt(std::ostream& out, const std::string& line, const SourceSpan& where, const char* strong, const char* plain) {
  constexpr std::size_t before = 60, shown = 110;
  const std::vector<std::string> text = characters(line);
  const std::size_t column = where.column == 0 ? 0 : where.column - 1;
  if (text.empty() || column > text.size()) return;
  const std::size_t first = text.size() <= shown || column < before ? 0 : column - before;
  const std::size_t last = std::min(text.size(), first + shown);
  out << "    " << (first > 0 ? "…" : "");
  for (std::size_t i = first; i < last; ++i) out << text[i];
  out << (last < text.size() ? "…" : "") << '\n';
  if (where.column == 0) return;
  const std::size_t length = std::clamp<std::size_t>(where.length, 1, std::max<std::size_t>(1, last - column));
  out << "    " << std::string(column - first + (first > 0 ? 1 : 0), ' ') << strong << '^' << std::string(length - 1, '~')
      << plain << '\n';
}

}  // namespace

namespace {

Ending ending_in_own_words(const std::string& verb, const std::string& input, double memory_limit) {
  const SourceSpan command = place(verb.empty() ? "sfg" : "sfg " + verb);
  const SourceSpan file = input.empty() ? command : place(input);
  try {
    throw;
  } catch (const UsageError& e) {
    return {2, "usage", {{command, e.what(), e.hint()}}};
  } catch (const Error& e) {
    Ending ending{3, "input", {e.diagnostics().begin(), e.diagnostics().end()}};
    for (Diagnostic& problem : ending.problems)
      if (!problem.where.file) problem.where.file = file.file;
    return ending;
  } catch (const NoAnswer& e) {
    return {1, "no-answer", {{e.where().file ? e.where() : file, e.what(), e.remedy()}}};
  } catch (const LimitReached& e) {
    return {4, "limit", {{file, e.what(), e.remedy()}}};
  } catch (const std::bad_alloc&) {
    return {4, "limit", {{file, memory_message(memory_limit), "raise --memory-limit, or ask for less"}}};
  } catch (const Cancelled&) {
    return {128 + (Watch::signal() ? Watch::signal() : SIGINT), "interrupted", {{command, "interrupted", ""}}};
  } catch (const std::exception& e) {
    return {70, "internal", {{command, std::string("an error of ours: ") + e.what(), "please report the command and its input"}}};
  } catch (...) {
    return {70, "internal", {{command, "an error of ours", "please report the command and its input"}}};
  }
}

}  // namespace

Ending ending_of_failure(const std::string& verb, const std::string& input, double memory_limit) {
  Ending ending = ending_in_own_words(verb, input, memory_limit);
  say_in_options(ending.problems, verb);
  return ending;
}

std::vector<Diagnostic> worth_saying(std::span<const Diagnostic> notes, Severity least) {
  std::vector<Diagnostic> kept;
  std::set<std::string> said;
  for (const Diagnostic& note : notes)
    if (note.severity <= least && said.insert(to_string(note)).second) kept.push_back(note);
  return kept;
}

void say_in_options(std::span<Diagnostic> problems, const std::string& verb) {
  for (Diagnostic& problem : problems) problem.hint = in_options(problem.hint, verb);
}

void write_text(std::ostream& out, std::span<const Diagnostic> problems, bool colours) {
  const char* strong = colours ? "\033[1;31m" : "";
  const char* plain = colours ? "\033[0m" : "";
  Lines lines;
  for (const Diagnostic& problem : problems) {
    const std::string where = to_string(problem.where);
    const std::string name = name_of(problem.severity);
    out << where << (where.empty() ? "" : ": ") << strong << name << plain << ": " << problem.message
        << (problem.hint.empty() ? "" : "; ") << problem.hint.text() << '\n';
    if (problem.where.file && problem.where.line > 0)
      write_excerpt(out, lines(*problem.where.file, problem.where.line), problem.where, strong, plain);
  }
}

std::string json_of(std::span<const Diagnostic> problems) {
  Json list = Json::array();
  for (const Diagnostic& problem : problems) list.push_back(json_of(problem));
  return dumped(list);
}

void write_json(std::ostream& out, const Ending& ending) {
  Json all = Json::array();
  for (const Diagnostic& problem : ending.problems) {
    Json entry{{"kind", ending.kind}};
    entry.update(json_of(problem));
    if (ending.kind == "usage" || ending.kind == "internal" || ending.kind == "interrupted") entry["file"] = nullptr;
    all.push_back(std::move(entry));
  }
  const Json json{{"schema", "sfg/error/1"}, {"error", all.empty() ? Json() : all.front()}, {"errors", all}};
  out << dumped(json) << '\n';
}

}  // namespace sfg::command
