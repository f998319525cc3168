// weave: pages whose fences become their answers.
#include "tools/verbs/weave.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "sfg/text/printable.hpp"
#include "tools/batch/batch.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/watch.hpp"
#include "tools/weave/page_places.hpp"

namespace sfg::command {

namespace {

using Json = nlohmann::ordered_json;
using WovenPages = std::vector<std::unique_ptr<WovenPage>>;

const char* const usual_folder = "woven";

struct FencePlace {
  WovenPage* page = nullptr;
  std::size_t fence = 0;
};

WovenPages pages_of(const Arguments& arguments) {
  const std::vector<std::string>& named = arguments.inputs();
  if (std::ranges::find(named, "-") != named.end())
    throw UsageError("a page on standard input has no name for its pictures", "name the file, or its folder");
  WovenPages pages;
  FenceKeys keys;
  std::map<std::string, std::string> owners;  // of pictures
  for (PagePlace& place : page_places(named, arguments.text("output", usual_folder))) {
    const WovenPage& page = *pages.emplace_back(std::make_unique<WovenPage>(std::move(place), keys, arguments.text("as")));
    const std::string folder = page.target().substr(0, page.target().rfind('/') + 1);
    for (const std::string& file : page.files())
      if (const auto [other, fresh] = owners.try_emplace(folder + file, page.source()); !fresh)
        throw UsageError("a picture of " + other->second + " and one of " + page.source() + " would both be " + folder + file,
                         "give one of the pages another name");
  }
  return pages;
}

/// The answers that are not there yet; what is wrong goes to the notes.
/// @returns the largest status of a fence
int answer(Task& task, const WovenPages& pages) {
  std::vector<FencePlace> places;
  std::vector<std::string> numbers;
  for (const auto& page : pages)
    for (std::size_t i = 0; i < page->fences().size(); ++i)
      if (page->state(i) == FenceState::stale) {
        numbers.push_back(std::to_string(places.size()));
        places.push_back({page.get(), i});
      }
  if (places.empty()) return 0;
  const Arguments& arguments = task.arguments;
  BatchTerms terms{.verb = {},
                   .words = {},
                   .seconds = arguments.number("time-limit").value_or(default_seconds),
                   .mebibytes = arguments.number("memory-limit").value_or(default_mebibytes)};
  if (arguments.has("verbose")) terms.least = Severity::note;
  if (arguments.has("quiet")) terms.least = Severity::warning;
  const auto asked_of = [](const FencePlace& place) { return place.page->asked(place.fence); };
  terms.by = [&](const AskedQuestion& asked) { return answer_of(asked_of(places[std::stoul(asked.text)]), terms); };
  std::size_t next = 0;
  int status = 0;
  const auto take = [&](std::string_view answers) {
    while (!answers.empty()) {
      const FencePlace& place = places[next++];
      FenceAnswer answer = taken_from(answers, asked_of(place));
      status = std::max(status, answer.status);
      const bool said = std::ranges::any_of(answer.messages, [](const Diagnostic& m) { return m.severity == Severity::error; });
      if (answer.status != 0 && !said) {
        const Fence& fence = place.page->fences()[place.fence];
        answer.messages.push_back({{std::make_shared<const std::string>(place.page->source()), fence.line, fence.column},
                                   "there is no whole answer: the verb ends with status " + std::to_string(answer.status),
                                   "ask it by itself, 'sfg " + place.page->question(place.fence).verb + "'"});
      }
      task.notes.insert(task.notes.end(), answer.messages.begin(), answer.messages.end());
      place.page->take(place.fence, std::move(answer));
    }
  };
  AskedQuestions questions(numbers);
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  const auto workers = static_cast<std::size_t>(std::clamp<std::uint64_t>(arguments.count("threads", cores), 1, 1024));
  task.working("weaving");
  answer_in_order(questions, terms, {.workers = workers, .deliver = take, .progress = task.progress}, task.budget);
  return status;
}

const char* word_of(FenceState state) {
  switch (state) {
    case FenceState::stale: return "stale";
    case FenceState::made: return "made";
    case FenceState::kept: return "kept";
    case FenceState::failed: return "failed";
  }
  return "failed";
}

std::string json_of(const WovenPages& pages) {
  Json list = Json::array();
  for (const auto& page : pages) {
    Json fences = Json::array();
    for (std::size_t i = 0; i < page->fences().size(); ++i)
      fences.push_back({{"line", page->fences()[i].line},
                        {"column", page->fences()[i].column},
                        {"last", page->last_line(i)},
                        {"verb", page->question(i).verb},
                        {"state", word_of(page->state(i))},
                        {"file", page->file_of(i)},
                        {"text", page->answer(i)}});
    list.push_back(
        {{"file", page->source()}, {"woven", page->target()}, {"written", page->written()}, {"fences", std::move(fences)}});
  }
  const Json json{{"schema", "sfg/weave/1"}, {"pages", std::move(list)}};
  return printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::size_t fences_in(const WovenPage& page, FenceState state) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < page.fences().size(); ++i)
    if (page.state(i) == state) ++count;
  return count;
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// What has been done, a line a page that was not as it is now.
std::string summary(const WovenPages& pages) {
  std::string lines;
  std::size_t all = 0, made = 0;
  for (const auto& page : pages) {
    const std::size_t anew = fences_in(*page, FenceState::made);
    all += page->fences().size();
    made += anew;
    if (page->written() || anew > 0) lines += page->target() + ": " + counted(anew, "answer") + " made\n";
  }
  return lines + counted(pages.size(), "page") + ", " + counted(all, "fence") + ": " + std::to_string(made) + " made\n";
}

/// What stands where, and is not what belongs there.
std::string out_of_date(const WovenPages& pages) {
  std::string lines;
  for (const auto& page : pages) {
    for (std::size_t i = 0; i < page->fences().size(); ++i)
      if (page->state(i) == FenceState::stale)
        lines += page->source() + ":" + std::to_string(page->fences()[i].line) + ": out of date\n";
    if (!page->stale() && page->text_stale()) lines += page->source() + ": out of date\n";
  }
  return lines;
}

int run_weave(Task& task) {
  const bool json = task.arguments.has("json");
  task.working("reading");
  task.delivered = true;
  const WovenPages pages = pages_of(task.arguments);
  if (task.arguments.has("check")) {
    const std::string lines = out_of_date(pages);
    deliver(json ? json_of(pages) : printable(lines));
    return lines.empty() ? 0 : 1;
  }
  const int worst = answer(task, pages);
  for (const auto& page : pages) page->write();
  Watch::end_progress();
  deliver(json ? json_of(pages) : printable(summary(pages)));
  constexpr int wrong_input = 3, limit = 4;
  return worst == 0 ? 0 : worst >= limit ? worst : wrong_input;
}

/// Words about a model stand in the fences.
std::vector<Refusal> weave_refusals() {
  static const std::set<std::string> taken{"--output",   "--json",  "--time-limit", "--memory-limit", "--threads",
                                           "--no-color", "--quiet", "--verbose",    "--help"};
  std::vector<Refusal> all;
  for (const Option& option : common_options())
    if (!taken.contains(option.name)) all.push_back({option.name, "write it in the fence that it is of"});
  return all;
}

}  // namespace

Verb weave() {
  return {
      .name = "weave",
      .summary = "pages whose fences become their answers: pictures, formulas, tables",
      .details =
          "A fence is a code block ```sfg VERB OPTIONS whose body is an input, or which names one by file=model.toml. Pages are "
          "Markdown (.md), reStructuredText (.rst: the directive .. sfg:: VERB OPTIONS) and LaTeX (.tex: \\begin{sfg}[VERB "
          "OPTIONS] … \\end{sfg}); of a folder all are taken, with those of its subfolders. The woven pages are written to the "
          "folder of "
          "-o "
          "(default: woven), their pictures to sfg/ beside them; the pages themselves stay as they are. Only what has changed is "
          "made "
          "anew. What is wrong is said at its line of the page, for all pages at once; a page with a wrong fence is not written "
          "(status 3). Processes of this one answer, --threads of them (default: one a core); --time-limit and --memory-limit "
          "hold for each fence.",
      .options = {{"--as",
                   "NOTATION",
                   "how formulas and tables are written: html, with MathML (default: as the page is)",
                   Option::Kind::choice,
                   {"html"}},
                  {"--check", "", "write nothing: name the fences whose answers are missing or out of date, with status 1"}},
      .examples = {"sfg weave page.md", "sfg weave docs -o site", "sfg weave docs -o site --check"},
      .run = run_weave,
      .refuses = weave_refusals(),
      .many_inputs = true,
      .limits_each = true,
      .lasts = [](const Arguments&) { return true; }};
}

}  // namespace sfg::command
