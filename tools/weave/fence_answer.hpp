#pragma once
#include <string>
#include <vector>

#include "tools/batch/line.hpp"
#include "tools/weave/fence_question.hpp"

namespace sfg::command {

/// A fence on its way to its answer.
struct AskedFence {
  const Fence* fence = nullptr;
  const PageKind* kind = nullptr;
  std::string notation;
  FenceQuestion question;
  std::string page;    ///< its name, for messages
  std::string folder;  ///< of the page, from the root: names of files are seen from there
};

/// What a fence has got: the picture's bytes, or the formula or table.
struct FenceAnswer {
  int status = 0;
  std::string text;
  std::string title;                 ///< of a picture
  std::vector<Diagnostic> messages;  ///< at their places in the page
};

/// In a process of its own, which goes to the folder of the page: the answer, and a line of JSON before it that tells of it.
BatchAnswer answer_of(const AskedFence&, const BatchTerms&);

/// The first of several answers as answer_of and the workers write them; `all` holds the others then.
FenceAnswer taken_from(std::string_view& all, const AskedFence&);

}  // namespace sfg::command
