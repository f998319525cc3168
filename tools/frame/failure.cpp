#include "tools/frame/failure.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <set>

#include "sfg/read/input.hpp"
#include "sfg/text/printable.hpp"
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
          {"message", message_text(problem.message)},
          {"file", where.file ? Json(*where.file) : Json()},
          {"line", where.line ? Json(where.line) : Json()},
          {"column", where.column ? Json(where.column) : Json()},
          {"hint", problem.hint.text()}};
}

/// Text of users in JSON: bytes that are no UTF-8 become the replacement character instead of an exception.
std::string dumped(const Json& json) { return printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)); }

/// The lines of text files; "" of what is not there. A file is kept as it is: its lines may be many, and one may be all of it.
class Lines {
 public:
  std::string_view operator()(const std::string& path, std::uint32_t number) {
    const std::string& text = file(path);
    std::size_t begin = 0;
    for (std::uint32_t line = 1; line < number; ++line) {
      begin = text.find('\n', begin);
      if (begin == std::string::npos) return {};
      ++begin;
    }
    return std::string_view(text).substr(begin, text.find('\n', begin) - begin);
  }

 private:
  const std::string& file(const std::string& path) {
    const auto [entry, fresh] = files_.try_emplace(path);
    std::error_code ignored;
    if (!fresh || !std::filesystem::is_regular_file(path, ignored)) return entry->second;  // a pipe would be waited for
    const std::uintmax_t size = std::filesystem::file_size(path, ignored);
    if (size > largest_file) return entry->second;
    std::ifstream stream(path, std::ios::binary);
    entry->second.resize(static_cast<std::size_t>(size));
    stream.read(entry->second.data(), static_cast<std::streamsize>(size));
    entry->second.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
    if (entry->second.starts_with("PK")) entry->second.clear();  // lines are those of what the archive holds
    return entry->second;
  }
  std::map<std::string, std::string> files_;
};

/// The line and a caret below the place; of a long line the part around it.
void write_excerpt(std::ostream& out, std::string_view line, const SourceSpan& where, const char* strong, const char* plain) {
  const std::size_t column = where.column == 0 ? 0 : where.column - 1;
  const std::optional<Excerpt> part = excerpt(line, column);
  if (!part) return;
  out << "    " << part->text << '\n';
  if (where.column == 0) return;
  const std::size_t length = std::clamp<std::size_t>(where.length, 1, std::max<std::size_t>(1, part->after));
  out << "    " << std::string(part->before, ' ') << strong << '^' << std::string(length - 1, '~') << plain << '\n';
}

Ending ending_in_own_words(const std::string& verb, const std::string& input, double memory_limit) {
  constexpr const char* our_hint = "please report the command and its input";
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
  } catch (const nlohmann::json::type_error& e) {
    constexpr int no_utf8 = 316;
    if (e.id != no_utf8) return {70, "internal", {{command, std::string("an error of ours: ") + e.what(), our_hint}}};
    return {3, "input", {{file, "a name or a text of the input is not UTF-8, as JSON is", "save the file as UTF-8 text"}}};
  } catch (const std::exception& e) {
    return {70, "internal", {{command, std::string("an error of ours: ") + e.what(), our_hint}}};
  } catch (...) {
    return {70, "internal", {{command, "an error of ours", our_hint}}};
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
    out << where << (where.empty() ? "" : ": ") << strong << name << plain << ": " << message_text(problem.message)
        << (problem.hint.empty() ? "" : "; ") << message_text(problem.hint.text()) << '\n';
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
