#pragma once
#include <string>

#include "tools/serve/door.hpp"
#include "tools/serve/question.hpp"
#include "tools/serve/questions.hpp"

namespace sfg::command {

/// What the editor shows at first, where a file is given.
struct WorkbenchStart {
  std::string file;  ///< its name without the folder
  std::string text;
};

/// The workbench: a page with an editor, and answers to its questions.
class Workbench {
 public:
  Workbench(WorkbenchStart start, QuestionLimits limits) : start_(std::move(start)), limits_(limits) {}

  /// @param door  where reports are kept for the frame
  Reply answer(const Visit&, Door& door);
  void end() { questions_.end(); }

 private:
  Reply ask(const std::string& body, Door&);
  std::string beginning() const;

  WorkbenchStart start_;
  QuestionLimits limits_;
  Questions questions_{3};
};

/// What is served beside the frame: own scripts and styles, frames of own pages, nothing from elsewhere.
extern const char* const own_page_policy;

}  // namespace sfg::command
