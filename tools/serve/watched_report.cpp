#include "tools/serve/watched_report.hpp"

#include <charconv>
#include <chrono>
#include <iostream>

#include "sfg/error.hpp"
#include "tools/frame/output.hpp"
#include "tools/serve/answered.hpp"
#include "tools/serve/framed.hpp"
#include "tools/serve/resources.hpp"
#include "tools/serve/workbench.hpp"

namespace sfg::command {

namespace {

constexpr auto longest_wait = std::chrono::seconds(10);

bool is_good(const ChildResult& result) { return result.status == 0 && !result.stopped && !result.late; }

bool is_page(const std::string& output) {
  const std::string extension = extension_of(output);
  return extension == "html" || extension == "htm";
}

}  // namespace

WatchedReport::WatchedReport(WatchedSubject subject) : subject_(std::move(subject)) {}

void WatchedReport::look(Door& door) {
  const std::filesystem::path output = subject_.output;
  const auto files = files_named_by(subject_.input, {output, std::filesystem::path(".") / output});
  FileContents now = FileContents::of(files, contents_);
  const bool same = begun_ && now == contents_;
  contents_ = std::move(now);
  if (same) return;
  begun_ = true;
  make(door);
}

void WatchedReport::make(Door& door) {
  const std::size_t turn = ++turn_;
  questions_.stop("report");
  questions_.stop("file");
  {
    const std::lock_guard lock(mutex_);
    making_ = true;
  }
  maker_ = std::jthread([this, &door, turn] {  // that before has been stopped
    ChildTask task{.words = subject_.words, .model_name = "", .answer_name = "report.html", .limits = subject_.limits};
    const ChildResult report = questions_.ask(task, "report");
    if (report.stopped || turn != turn_) return;
    if (subject_.output.empty() || is_page(subject_.output) || !is_good(report)) return publish(door, report, &report);
    const std::string extension = extension_of(subject_.output);
    task.answer_name = "report." + extension;
    task.scratch = extension == "pdf";
    const ChildResult file = questions_.ask(task, "file");
    if (!file.stopped && turn == turn_) publish(door, report, &file);
  });
}

void WatchedReport::publish(Door& door, const ChildResult& report, const ChildResult* file) {
  const std::vector<std::string> names{subject_.input};
  std::vector<SaidProblem> problems = problems_of(report, names, subject_.limits);
  std::string said = report.messages;
  if (file != &report && !is_good(*file)) {
    const auto more = problems_of(*file, names, subject_.limits);
    problems.insert(problems.end(), more.begin(), more.end());
    said += file->messages;
  }
  if (!subject_.output.empty() && is_good(*file)) {
    try {
      deliver(file->output, subject_.output);
      said += "sfg report: " + subject_.output + " is written\n";
    } catch (const Failure& error) {
      problems.push_back({"error", subject_.output, 0, 0, error.what()});
      said += "sfg report: error: " + subject_.output + ": " + error.what() + "\n";
    }
  }
  std::cerr << said << std::flush;
  std::string page = is_good(report) ? door.keep(framed(report.output)) : "";
  const std::lock_guard lock(mutex_);
  good_ = is_good(report);
  if (good_) page_ = std::move(page);
  problems_ = std::move(problems);
  making_ = false;
  ++revision_;
  changed_.notify_all();
}

/// What is to be seen, as soon as it differs from what the page knows.
std::string WatchedReport::state(std::size_t known) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, longest_wait, [&] { return revision_ != known || ended_; });
  return dumped({{"revision", revision_},
                 {"input", subject_.input},
                 {"page", page_},
                 {"good", good_},
                 {"making", making_},
                 {"problems", json_of(problems_)}});
}

Reply WatchedReport::answer(const Visit& visit) {
  const auto page = [](std::string_view text, const char* type) {
    return Reply{.type = std::string(type) + "; charset=utf-8", .body = std::string(text), .policy = own_page_policy};
  };
  if (visit.posted) return {.status = 404};
  if (visit.path == "/") return page(watch_html, "text/html");
  if (visit.path == "/watch.css") return page(watch_css, "text/css");
  if (visit.path == "/watch.js") return page(watch_js, "text/javascript");
  const std::string_view state_path = "/state/";
  if (!visit.path.starts_with(state_path)) return {.status = 404};
  std::size_t known = 0;
  const char* const last = visit.path.data() + visit.path.size();
  const auto [end, error] = std::from_chars(visit.path.data() + state_path.size(), last, known);
  if (error != std::errc() || end != last) return {.status = 404};
  return {.type = json_type, .body = state(known)};
}

void WatchedReport::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  questions_.end();
  if (maker_.joinable()) maker_.join();
}

}  // namespace sfg::command
