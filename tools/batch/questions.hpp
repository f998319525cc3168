#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "tools/batch/question.hpp"

namespace sfg::command {

/// Where the questions of a batch come from: a list of files, or the lines of a descriptor, read as they are wanted.
class AskedQuestions {
 public:
  explicit AskedQuestions(std::vector<std::string> files);
  /// Lines of a descriptor; blank ones are no questions.
  explicit AskedQuestions(int descriptor) : descriptor_(descriptor) {}

  /// The next one, if it is there already.
  std::optional<AskedQuestion> next();
  bool ended() const { return waiting_.empty() && descriptor_ < 0; }
  /// To wait for what is not there yet; −1: there is none to wait for.
  int descriptor() const { return waiting_.empty() ? descriptor_ : -1; }
  /// Reads what has come, once; blocks where nothing has.
  void read();
  /// How many there will be; 0: not known.
  std::uint64_t count() const { return count_; }

 private:
  void add_line();

  std::deque<AskedQuestion> waiting_;
  int descriptor_ = -1;
  std::string line_;
  bool too_long_ = false;
  std::uint64_t lines_ = 0, count_ = 0;
};

}  // namespace sfg::command
