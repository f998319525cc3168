#include "sfg/read/branch_list.hpp"

#include <algorithm>
#include <utility>

#include "sfg/text/printable.hpp"

namespace sfg {

BranchList::BranchList(const SourceText& source, Problems& problems)
    : laws(source, graph.symbols, problems), source_(source), problems_(problems) {
  graph.where = source.at(0);
}

std::optional<NodeId> BranchList::node(const Passage& name, Attributes attributes) {
  if (const auto known = graph.find(name.text)) return known;
  if (name.text.empty() || has_steering(name.text)) {
    problems_.error(place(source_, name),
                    name.text.empty() ? "the name of a node is empty" : "the name of a node has a control character",
                    name.text.empty() ? "write a name" : "remove it");
    return {};
  }
  return graph.add_node({name.text, place(source_, name), std::move(attributes)});
}

void BranchList::branch(const StatedBranch& stated) {
  const auto tail = node(stated.from), head = node(stated.to);
  if (!tail || !head) return;
  Branch made{*tail, *head, GiNaC::ex(1), stated.where, stated.attributes};
  if (stated.gain && stated.nonlinear)
    problems_.error(place(source_, *stated.nonlinear), "a branch with both a gain and a nonlinear law",
                    "make two branches of it: parallel branches add");
  else if (stated.gain)
    made.law = laws.gain(*stated.gain);
  else if (stated.nonlinear) {
    Nonlinearity law = laws.nonlinear(*stated.nonlinear, stated.where);
    if (stated.arguments && !stated.arguments->trimmed().text.empty()) {
      std::vector<Passage> entries = split_list(*stated.arguments);
      for (Passage& entry : entries)
        if (entry.text.find('\\') != std::string::npos) entry.text = unescaped(entry);
      laws.arguments(entries, law, graph);
    }
    made.law = std::move(law);
  }
  if (stated.arguments && !stated.nonlinear && !stated.arguments->trimmed().text.empty())
    laws.doubt_arguments(place(source_, *stated.arguments));
  graph.add_branch(std::move(made));
  if (problems_.full()) problems_.finish(nullptr);
}

void BranchList::finish() { laws.finish(); }

}  // namespace sfg
