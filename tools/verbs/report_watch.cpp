#include "tools/verbs/report_watch.hpp"

#include "sfg/read/input.hpp"
#include "tools/serve/serving.hpp"
#include "tools/serve/watched_report.hpp"

namespace sfg::command {

std::vector<Option> watch_options() {
  std::vector<Option> options{
      {"--watch", "",
       "serve it on 127.0.0.1 and make it again when the input changes, or a file that it names; the page that is open follows, "
       "and shows errors with their place. -o is written, too. Ctrl-C ends it (status 130)"}};
  for (Option& option : serving_options()) options.push_back(std::move(option));
  return options;
}

int watch_report(Task& task) {
  const Arguments& arguments = task.arguments;
  if (arguments.input() == "-") throw UsageError("standard input does not change", "name a file, or leave --watch out");
  if (arguments.has("type"))
    throw UsageError("--type does not matter: a page is shown", "leave it out; -o says what is written beside");
  text_of_file(arguments.input());  // that it is not there is said at once
  std::vector<std::string> words{"report", arguments.input()};
  std::vector<Option> options = report_study().options;
  options.insert(options.end(), common_options().begin(), common_options().end());
  for (std::string& word : words_of(arguments, options, {"output", "watch", "tcp-port", "open", "json", "verbose"}))
    words.push_back(std::move(word));
  constexpr double usual_seconds = 60;
  WatchedReport report(
      {arguments.input(), std::move(words), arguments.text("output"), question_limits(arguments, usual_seconds)});
  return serve_until_interrupted(task, {.answer = [&](const Visit& visit, Door&) { return report.answer(visit); },
                                        .look = [&](Door& door) { report.look(door); },
                                        .end = [&] { report.end(); }});
}

}  // namespace sfg::command
