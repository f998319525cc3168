#include "sfg/export/targets.hpp"

#include <ostream>

#include "sfg/export/proper_branches.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

/// RFC 4180: quotes around what holds a comma, a quote or an end of a line, or what a reader might trim.
std::string field(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(",\"\r\n") == std::string::npos && text.front() != ' ' &&
                     text.front() != '\t' && text.back() != ' ' && text.back() != '\t';
  if (plain) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

void write_branch_list(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  const SignalFlowGraph& graph = subject.graph;
  for (const Branch& branch : graph.branches())
    if (!branch.linear())  // in a column of gains it would be read as one
      refuse_branch(graph, branch, "is nonlinear, and a list of gains has no place for laws",
                    "the targets json, graphml and latex write it as it stands");
  out << "from,to,gain\n";
  for (const Branch& branch : graph.branches()) {
    budget.check("the branches");
    out << field(graph[branch.from].name) << ',' << field(graph[branch.to].name) << ',' << field(print(branch.gain())) << '\n';
  }
}

}  // namespace sfg
