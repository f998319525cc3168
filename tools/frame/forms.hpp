#pragma once
#include <string>
#include <variant>
#include <vector>

#include "sfg/transfer/question.hpp"
#include "sfg/write/page/page.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// The options of transfer functions in closed form: --form and what goes with it.
std::vector<Option> form_options();
/// @throws UsageError for options that do not go together.
void check_form(const Arguments&);

/// A page, or the text of docs/schema/tf.schema.json where JSON is asked for.
using FormAnswer = std::variant<Page, std::string>;
/// The answers to the questions, in the form that --form says.
FormAnswer in_form(Task&, const SignalFlowGraph&, const std::vector<Question>&);

}  // namespace sfg::command
