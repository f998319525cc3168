#pragma once
#include <optional>
#include <span>
#include <vector>

#include "sfg/ask/subject.hpp"
#include "sfg/control/open_loop.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// The input of the task and what follows from it, with the words that change it; what is to be said goes to the notes.
/// @param conflicts  how dimensions that do not fit are taken: not as an error by whoever wants an answer all the same
Subject subject_of(Task&, Severity conflicts = Severity::warning);
/// The same of an input that was read already.
Subject subject_of(Task&, Input as_read, Severity conflicts = Severity::warning);
/// The format that --format states. @throws UsageError where standard input needs one.
std::optional<InputFormat> stated_format(const Arguments&);

SignalFlowGraph graph_of(Task&, GraphLayout = GraphLayout::two_node);
SignalFlowGraph regular_graph_of(Task&);

/// Every --from with every --to; without them what the file states, else its sources and sinks.
/// @throws UsageError for a name that is not there, and for a question that needs --ratio or --inject.
std::vector<Question> questions_of(const Arguments&, const SignalFlowGraph&);

/// Inputs and outputs of the graph as --from and --to say.
/// @throws UsageError as questions_of, and for --ratio, which is no response to an input.
void state_ends(const Arguments&, SignalFlowGraph&);
/// The same for what shows or reduces the graph: no response is asked for, so that any node may be named.
void mark_ends(const Arguments&, SignalFlowGraph&);
/// --from and --to of a verb that is about the whole graph: they must be nodes, and it is said that they do not matter.
void note_ends(Task&, const SignalFlowGraph&, const std::string& what);
/// The --to nodes; without them what the file states, else the sinks.
std::vector<NodeId> outputs_of(const Arguments&, const SignalFlowGraph&);

/// The node of that name. @throws UsageError with the nearest name.
NodeId node_named(const SignalFlowGraph&, const std::string& option, const std::string& name);

/// --break and --of. Where measures are studied, without --of, the answers stay those of the whole graph, and margins alone are
/// the loop's.
std::vector<Option> loop_options();
/// --ratio-of.
Option ratio_option();
/// The loop that is asked about, the first where there are several. @throws UsageError for words that do not go with it.
std::optional<LoopTerms> loop_of(const Arguments&);

/// How a verb of formulas answers: by --json, else by the extension of -o, else as a page (tools/frame/show.hpp).
enum class Form { page, json, toml, dot, graphml };

/// @param besides  what the verb writes beside pages and JSON
/// @throws UsageError when the name of -o asks for a kind of file that only other verbs write.
Form form_of(const Arguments&, std::span<const Form> besides = {});

}  // namespace sfg::command
