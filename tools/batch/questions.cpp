#include "tools/batch/questions.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace sfg::command {

AskedQuestions::AskedQuestions(std::vector<std::string> files) : count_(files.size()) {
  for (std::string& file : files) waiting_.push_back({std::move(file)});
}

std::optional<AskedQuestion> AskedQuestions::next() {
  if (waiting_.empty()) return {};
  std::optional<AskedQuestion> first = std::move(waiting_.front());
  waiting_.pop_front();
  return first;
}

void AskedQuestions::read() {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count < 0)
    throw Error(SourceSpan{std::make_shared<const std::string>("-")}, std::string("cannot read: ") + std::strerror(errno),
                "give the questions on standard input");
  for (std::string_view rest(buffer.data(), static_cast<std::size_t>(count)); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const std::string_view part = rest.substr(0, end);
    too_long_ = too_long_ || line_.size() + part.size() > longest_question;
    too_long_ ? line_.clear() : void(line_ += part);
    if (end == std::string_view::npos) break;
    add_line();
    rest.remove_prefix(end + 1);
  }
  if (count > 0) return;
  descriptor_ = -1;
  add_line();
}

void AskedQuestions::add_line() {
  ++lines_;
  if (too_long_ || line_.find_first_not_of(" \t\r") != std::string::npos)
    waiting_.push_back({std::move(line_), lines_, too_long_});
  line_.clear();
  too_long_ = false;
}

}  // namespace sfg::command
