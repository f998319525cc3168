#pragma once
#include <vector>

#include "sfg/transfer/question.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// The options of transfer functions in closed form: --form and what goes with it.
std::vector<Option> form_options();
/// @throws UsageError for options that do not go together.
void check_form(const Arguments&);
/// The answers to the questions, in the form that --form says: text, LaTeX or JSON (docs/schema/tf.schema.json).
void write_in_form(Task&, const SignalFlowGraph&, const std::vector<Question>&);

}  // namespace sfg::command
