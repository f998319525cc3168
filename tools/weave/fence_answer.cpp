#include "tools/weave/fence_answer.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "sfg/read/input.hpp"
#include "sfg/text/utf8.hpp"
#include "tools/frame/verb_table.hpp"

namespace sfg::command {

namespace {

using Json = nlohmann::ordered_json;

constexpr auto no_handler = Json::error_handler_t::replace;

/// Of a picture as SVG.
std::string title_of(const std::string& svg) {
  const std::size_t begin = svg.find("<title");
  if (begin == std::string::npos) return {};
  const std::size_t from = svg.find('>', begin) + 1, end = svg.find("</title>", from);
  if (end == std::string::npos) return {};
  std::string title = svg.substr(from, end - from);
  for (const auto& [entity, sign] : {std::pair("&lt;", "<"), {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}})
    for (std::size_t at = title.find(entity); at != std::string::npos; at = title.find(entity, at + 1))
      title.replace(at, std::string_view(entity).size(), sign);
  return title;
}

/// The input in the fence, with the format of it where none is stated.
GivenInput given_by(const AskedFence& asked, std::vector<std::string>& words) {
  const Fence& fence = *asked.fence;
  const bool stated =
      std::ranges::any_of(words, [](const std::string& word) { return word == "--format" || word.starts_with("--format="); });
  if (!stated) {
    const auto format = format_by_text(fence.body);
    if (!format) {
      const std::size_t first = fence.body.find_first_not_of(" \t\r\n");
      const auto line = static_cast<std::uint32_t>(
          1 + std::count(fence.body.begin(), fence.body.begin() + static_cast<std::ptrdiff_t>(first), '\n'));
      throw Error(SourceSpan{std::make_shared<const std::string>(asked.page), line, 1},
                  "the beginning of this input does not tell its format, and --format is missing",
                  "add --format " + listed_format_names());
    }
    const auto names = format_names();
    words.insert(words.end(), {"--format", std::ranges::find(names, *format, &FormatName::format)->name});
  }
  return {fence.body, asked.page};
}

/// Says it in the page's own lines.
Diagnostic placed(Diagnostic problem, const AskedFence& asked) {
  const Fence& fence = *asked.fence;
  SourceSpan& where = problem.where;
  const bool own = where.file && *where.file == asked.page && asked.question.file.empty();
  if (own && where.line > 0 && !fence.lines.empty()) {
    if (where.line > fence.lines.size()) {  // the end of the input: behind its last line
      where.line = static_cast<std::uint32_t>(fence.lines.size());
      const std::string_view body = std::string_view(fence.body).substr(0, fence.body.size() - 1);
      where.column = character_count(body.substr(body.rfind('\n') + 1)) + 1;
    }
    const BodyLine& line = fence.lines[where.line - 1];
    where.line = line.line;
    where.column = std::max(1U, where.column) + line.column;
    return problem;
  }
  if (where.file && where.line > 0) problem.message = to_string(where) + ": " + problem.message;
  where = {std::make_shared<const std::string>(asked.page), fence.line, fence.column};
  return problem;
}

Diagnostic read_back(const Json& json) {
  Diagnostic problem;
  problem.message = json.value("message", "");
  problem.hint = json.value("hint", "");
  const std::string severity = json.value("severity", "error");
  problem.severity = severity == "error" ? Severity::error : severity == "note" ? Severity::note : Severity::warning;
  const auto number = [&](const char* name) {
    return json.contains(name) && json.at(name).is_number_unsigned() ? json.at(name).get<std::uint32_t>() : 0U;
  };
  if (json.contains("file") && json.at("file").is_string())
    problem.where = {std::make_shared<const std::string>(json.at("file").get<std::string>()), number("line"), number("column")};
  return problem;
}

}  // namespace

BatchAnswer answer_of(const AskedFence& asked, const BatchTerms& terms) {
  Json head{{"status", 0}};
  std::string text;
  try {
    std::vector<std::string> words = words_of(asked.question, *asked.fence, *asked.kind, asked.notation);
    const Verb& verb = verb_named({asked.question.verb});
    const bool within = !words.empty() && words.front() == "-";
    GivenInput given;
    if (within) given = given_by(asked, words);
    const Arguments arguments(verb, words);
    if (verb.lasts != nullptr && verb.lasts(arguments))
      throw UsageError("it would never end", "leave the option out that watches");
    if (::chdir(asked.folder.c_str()) != 0)
      throw Error(SourceSpan{std::make_shared<const std::string>(asked.folder)}, "the folder cannot be entered");
    const Budget budget({.seconds = std::min(terms.seconds, arguments.number("time-limit").value_or(terms.seconds)),
                         .memory_bytes = static_cast<std::size_t>(terms.mebibytes * 1048576),
                         .terms = arguments.count("max-terms", 1'000'000)});
    Said said;
    head["status"] = run_verb(verb, arguments, budget, {.given = within ? &given : nullptr}, said);
    head["messages"] = Json::parse(json_of(worth_saying(said.notes, terms.least)));
    if (draws(verb.name)) head["title"] = title_of(said.text);
    text = std::move(said.text);
  } catch (...) {
    const Ending ending =
        ending_of_failure(asked.question.verb, asked.question.file.empty() ? asked.page : asked.question.file, terms.mebibytes);
    head["status"] = ending.status;
    head["messages"] = Json::parse(json_of(ending.problems));
    text.clear();
  }
  head["bytes"] = text.size();
  return {head.dump(-1, ' ', false, no_handler) + "\n" + text, head["status"].get<int>()};
}

FenceAnswer taken_from(std::string_view& all, const AskedFence& asked) {
  const std::size_t end = all.find('\n');
  const Json head = Json::parse(all.substr(0, end));
  all.remove_prefix(end + 1);
  FenceAnswer answer{head.at("status").get<int>(), {}, head.value("title", ""), {}};
  const std::size_t bytes = head.value("bytes", std::size_t{0});
  answer.text = all.substr(0, bytes);
  all.remove_prefix(bytes);
  for (const char* list : {"errors", "messages"})  // of the worker's own words, and of the fence's
    if (head.contains(list))
      for (const Json& message : head.at(list)) answer.messages.push_back(placed(read_back(message), asked));
  return answer;
}

}  // namespace sfg::command
