#include "tools/serve/serving.hpp"

#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <thread>

#include "tools/frame/watch.hpp"

extern char** environ;

namespace sfg::command {

namespace {

/// The browser of the user's desktop, on request.
void open_in_browser(const std::string& address) {
  std::vector<std::string> words{"xdg-open", address};
  std::vector<char*> pointers{words[0].data(), words[1].data(), nullptr};
  pid_t process = 0;
  if (::posix_spawnp(&process, "xdg-open", nullptr, nullptr, pointers.data(), environ) != 0)
    std::cerr << "sfg: warning: no browser could be opened (xdg-open is not installed); open the address yourself\n";
}

int port_of(const Arguments& arguments) {
  const std::uint64_t port = arguments.count("tcp-port", 0);
  constexpr std::uint64_t largest = 65535;
  if (port > largest)
    throw UsageError("--tcp-port " + arguments.text("tcp-port") + ": there is no such port",
                     "name one from 1024 to 65535, or none for a free one");
  return static_cast<int>(port);
}

}  // namespace

std::vector<Option> serving_options() {
  return {formerly("--port", {"--tcp-port", "N", "of 127.0.0.1, where it is served (default: a free one)", Option::Kind::count}),
          {"--open", "", "open the address in the browser of the desktop"}};
}

QuestionLimits question_limits(const Arguments& arguments, double seconds) {
  const QuestionLimits usual;
  return {arguments.number("time-limit").value_or(seconds), arguments.number("memory-limit").value_or(usual.mebibytes)};
}

int serve_until_interrupted(Task& task, const Serving& serving) {
  Door* opened = nullptr;
  Door door(port_of(task.arguments), [&](const Visit& visit) { return serving.answer(visit, *opened); });
  opened = &door;
  Watch::end_progress();
  std::cerr << "sfg " << task.arguments.verb() << ": open " << door.address() << " (Ctrl-C ends it)\n" << std::flush;
  if (task.arguments.has("open")) open_in_browser(door.address());
  try {
    for (;;) {
      if (serving.look) serving.look(door);
      for (int i = 0; i < 5; ++i) {
        task.budget.check("serving");
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }
  } catch (const Cancelled&) {
  }
  serving.end();
  const int status = 128 + (Watch::signal() != 0 ? Watch::signal() : SIGINT);
  constexpr double seconds_for_connections = 0.15;
  if (!door.close(seconds_for_connections)) ::_exit(status);  // a client that neither reads nor goes
  return status;
}

std::vector<std::string> words_of(const Arguments& arguments, const std::vector<Option>& options,
                                  const std::vector<std::string>& except) {
  std::vector<std::string> words;
  for (const Option& option : options) {
    const std::string name = option.name.substr(2);
    if (!arguments.has(name) || std::ranges::find(except, name) != except.end()) continue;
    if (option.value.empty())
      words.push_back(option.name);
    else
      for (const std::string& value : arguments.list(name)) words.push_back(option.name + "=" + value);
  }
  return words;
}

}  // namespace sfg::command
