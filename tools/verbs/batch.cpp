// batch: many questions, one line of JSON each.
#include "tools/verbs/batch.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "tools/batch/batch.hpp"
#include "tools/frame/growing_file.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/verb_table.hpp"
#include "tools/frame/watch.hpp"

namespace sfg::command {

namespace {

const char* const usual_verb = "tf";

/// The words of the command line that are the verb's.
std::vector<std::string> words_of(const Arguments& arguments, const Verb& verb) {
  std::vector<std::string> words;
  const auto add = [&](const Option& option) {
    for (const std::string& value : arguments.list(option.name.substr(2))) {
      words.push_back(option.name);
      if (!option.value.empty()) words.push_back(value);
    }
  };
  for (const Option& option : verb.options) add(option);
  for (const Option& option : common_options())
    if (!belongs_to_batch(option)) add(option);
  return words;
}

BatchTerms terms_of(const Arguments& arguments) {
  const Verb& verb = verb_asked(arguments.text("verb", usual_verb));
  BatchTerms terms{verb.name, words_of(arguments, verb), arguments.number("time-limit").value_or(default_seconds),
                   arguments.number("memory-limit").value_or(default_mebibytes)};
  if (arguments.has("verbose")) terms.least = Severity::note;
  if (arguments.has("quiet")) terms.least = Severity::warning;
  std::vector<std::string> once = terms.words;  // what is wrong with them is wrong with the command
  once.insert(once.begin(), "FILE");
  if (writes_json(verb)) once.emplace_back("--json");
  const Arguments read(verb, once);
  return terms;
}

AskedQuestions questions_of_batch(const Arguments& arguments) {
  const std::vector<std::string>& files = arguments.inputs();
  if (std::ranges::find(files, "-") != files.end() && files.size() > 1)
    throw UsageError("standard input brings questions of its own", "name files, or '-' alone");
  if (files.empty() && ::isatty(STDIN_FILENO) == 1)
    throw UsageError("no file is named", "write 'sfg batch FILES…', or '-' to write questions, one a line");
  if (files.empty() || files.front() == "-") return AskedQuestions(STDIN_FILENO);
  return AskedQuestions(files);
}

int run_batch(Task& task) {
  const Arguments& arguments = task.arguments;
  const BatchTerms terms = terms_of(arguments);
  AskedQuestions questions = questions_of_batch(arguments);
  const std::string path = arguments.text("output", "-");
  const auto file = path == "-" ? nullptr : std::make_unique<GrowingFile>(path, false);
  if (!file && ::isatty(STDOUT_FILENO) == 1) Watch::end_progress();
  task.working("answering");
  task.delivered = true;
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  const BatchOutcome outcome =
      answer_in_order(questions, terms,
                      {.workers = static_cast<std::size_t>(std::clamp<std::uint64_t>(arguments.count("threads", cores), 1, 1024)),
                       .deliver = [&](std::string_view lines) { file ? file->append(lines) : deliver(lines); },
                       .progress =
                           [&](std::uint64_t done, std::uint64_t all) {
                             if (all > 0) task.progress(done, all);
                           }},
                      task.budget);
  if (file) file->finish();
  if (outcome.failed > 0)
    task.notes.push_back({{},
                          std::to_string(outcome.failed) + " of " + std::to_string(outcome.questions) +
                              (outcome.failed == 1 ? " questions has" : " questions have") + " a status other than 0",
                          "their lines say why",
                          Severity::warning});
  return outcome.status;
}

std::vector<Refusal> batch_refusals() { return {{"--json", "every line of the answer is JSON"}}; }

}  // namespace

std::vector<Option> options_of_verb_asked(std::span<const std::string> words) {
  std::string name = usual_verb;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--verb" && i + 1 < words.size()) name = words[i + 1];
    if (words[i].starts_with("--verb=")) name = words[i].substr(7);
  }
  return verb_asked(name).options;
}

Verb batch() {
  return {
      .name = "batch",
      .summary = "many questions in one call: a line of JSON for each, in their order",
      .details =
          "Asks the same of many files, with the options of that verb; or, with '-' or without files, reads a question a line "
          "from "
          "standard input: the name of a file, or an object {\"verb\", \"file\" or \"text\", \"format\", \"args\", \"id\"}. Each "
          "answer is a line: the verb's own JSON with \"file\" or \"id\", \"status\" (what the verb alone would have exited "
          "with) "
          "and \"messages\" (its warnings). An error stands in its place as {\"error\", \"errors\", \"status\"}. Processes of "
          "this "
          "one answer, --threads of them (default: one a core); --time-limit and --memory-limit hold for each question. The exit "
          "status is the largest of all questions: 0 when every one has its answer.",
      .options = {{"--verb", "VERB", "what is asked (default tf); its options may follow"}},
      .examples = {"sfg batch graphs/*/*.dot", "sfg batch --verb step --until 10 --points 101 examples/*.dot -o steps.jsonl",
                   "find . -name '*.dot' | sfg batch --verb poles"},
      .run = run_batch,
      .needs_input = false,
      .refuses = batch_refusals(),
      .many_inputs = true,
      .limits_each = true,
      .lasts = [](const Arguments&) { return true; }};
}

}  // namespace sfg::command
