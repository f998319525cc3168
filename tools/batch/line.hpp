#pragma once
#include <string>

#include "tools/batch/question.hpp"
#include "tools/frame/failure.hpp"
#include "tools/frame/reply.hpp"

namespace sfg::command {

/// What becomes of a question: one line of JSON, and the exit status that the verb alone would have had.
struct BatchAnswer {
  std::string line;  ///< with its end
  int status = 0;
};

/// The verb's own JSON with "file" or "id", "status", "messages" behind its "schema"; of verbs that write no JSON
/// {"schema": "sfg/batch/1", …, "verb", "text" or "written"}. docs/schema/batch.schema.json.
BatchAnswer answer_of(const BatchQuestion&, const Arguments&, const VerbReply&, Severity least);
/// {"schema": "sfg/error/1", "file" or "id", "status", "error", "errors"}
BatchAnswer answer_of(const BatchQuestion&, const Ending&, const std::vector<Diagnostic>& messages = {});

}  // namespace sfg::command
