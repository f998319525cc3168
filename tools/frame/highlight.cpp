#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

#include "sfg/graph/loops.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/pictures.hpp"

namespace sfg::command {

namespace {

/// One --highlight with what it says, for the messages.
struct Wish {
  std::string whole, what, of;
};

[[noreturn]] void refuse_wish(const Wish& wish, const std::string& problem, const std::string& hint) {
  throw UsageError("option '--highlight " + wish.whole + "': " + problem, hint);
}

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) return {};
  return value;
}

std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    found.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

/// "1: a → b → a; 2: b → b; …"
std::string listed(const SignalFlowGraph& graph, const std::vector<Path>& paths, bool closed) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(paths.size(), most); ++i) {
    text += (i == 0 ? "" : "; ") + std::to_string(i + 1) + ":";
    for (std::size_t k = 0; k < paths[i].nodes.size() + (closed ? 1 : 0); ++k)
      text += (k == 0 ? " " : " → ") + graph[paths[i].nodes[k % paths[i].nodes.size()]].name;
  }
  return text + (paths.size() > most ? "; …" : "");
}

class Highlighting {
 public:
  Highlighting(Task& task, const SignalFlowGraph& graph) : task_(task), graph_(graph) {}

  Highlight of(const std::string& whole) const {
    const std::size_t colon = std::min(whole.find(':'), whole.size());
    const Wish wish{whole, whole.substr(0, colon), whole.substr(std::min(colon + 1, whole.size()))};
    if (wish.what == "node") return {.nodes = {node_named(graph_, "--highlight", wish.of)}};
    if (wish.what == "branch") return branch(wish);
    if (wish.what == "loop") return highlighted_loop(graph_, loops(wish, {wish.of}).front());
    if (wish.what == "path") return path(wish);
    if (wish.what == "set") return set(wish);
    refuse_wish(wish, "nothing of that kind is in a graph", "write loop:2, path:1, set:1,3, branch:FROM,TO or node:NAME");
  }

 private:
  /// The first so many that `list` gives, more only to be named.
  static std::vector<Path> first(std::size_t count, const std::function<void(const std::function<bool(const Path&)>&)>& list) {
    constexpr std::size_t named = 7;
    std::vector<Path> found;
    list([&](const Path& path) {
      found.push_back(path);
      return found.size() < std::max(count, named);
    });
    return found;
  }

  std::size_t number(const Wish& wish, const std::string& text) const {
    if (const auto value = whole_number(text)) return *value;
    refuse_wish(wish, "'" + text + "' is no number of " + (wish.what == "path" ? "a path" : "a loop"),
                "write the number that 'sfg mason' lists, from 1");
  }

  std::vector<Path> loops(const Wish& wish, const std::vector<std::string>& numbers) const {
    std::vector<std::size_t> wanted;
    for (const std::string& text : numbers) wanted.push_back(number(wish, text));
    const std::size_t last = *std::ranges::max_element(wanted);
    const std::vector<Path> all = first(last, [&](const auto& visit) { for_each_loop(graph_, visit, task_.budget); });
    if (all.size() < last) refuse_wish(wish, "the graph has " + counted(all.size(), "loop"), listed(graph_, all, true));
    std::vector<Path> found;
    for (const std::size_t k : wanted) found.push_back(all[k - 1]);
    return found;
  }

  Highlight path(const Wish& wish) const {
    const std::size_t wanted = number(wish, wish.of);
    const std::vector<NodeId> from = graph_.stated_inputs(), to = graph_.stated_outputs();
    if (from.size() != 1 || to.size() != 1)
      refuse_wish(wish, "the graph has " + counted(from.size(), "input") + " and " + counted(to.size(), "output"),
                  "say between which by --from and --to");
    const std::vector<Path> all =
        first(wanted, [&](const auto& visit) { for_each_path(graph_, from.front(), to.front(), visit, task_.budget); });
    if (all.size() < wanted)
      refuse_wish(wish,
                  "from '" + graph_[from.front()].name + "' to '" + graph_[to.front()].name + "' there " +
                      (all.size() == 1 ? "is " : "are ") + counted(all.size(), "forward path"),
                  all.empty() ? "say others by --from and --to" : listed(graph_, all, false));
    return highlighted_path(graph_, all[wanted - 1]);
  }

  Highlight set(const Wish& wish) const {
    const std::vector<std::string> numbers = parts(wish.of);
    const std::vector<Path> chosen = loops(wish, numbers);
    Highlight made;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (std::ranges::count(numbers, numbers[i]) > 1)
        refuse_wish(wish, "loop " + numbers[i] + " is named twice", "name each once");
      for (std::size_t k = 0; k < i; ++k)
        for (const NodeId node : chosen[i].nodes)
          if (std::ranges::find(chosen[k].nodes, node) != chosen[k].nodes.end())
            refuse_wish(wish, "loops " + numbers[k] + " and " + numbers[i] + " touch at node '" + graph_[node].name + "'",
                        "name loops that do not touch, or each by loop:");
      made.add(highlighted_loop(graph_, chosen[i]));
    }
    return made;
  }

  /// Names may have commas themselves: where two nodes are named that a branch joins, it is meant.
  Highlight branch(const Wish& wish) const {
    const std::string& text = wish.of;
    std::string names;
    for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
      const auto from = graph_.find(text.substr(0, comma)), to = graph_.find(text.substr(comma + 1));
      if (!from || !to) continue;
      Highlight found = highlighted_branches(graph_, *from, *to);
      if (!found.branches.empty()) return found;
      names = "from '" + graph_[*from].name + "' to '" + graph_[*to].name + "' there is no branch";
      const auto leaving = graph_.leaving(*from);
      std::string ends;
      for (const BranchId id : leaving) ends += (ends.empty() ? "" : ", ") + graph_[graph_[id].to].name;
      names += leaving.empty() ? "; none leaves '" + graph_[*from].name + "'" : "; its branches lead to " + ends;
    }
    if (!names.empty()) refuse_wish(wish, names, "write branch:FROM,TO as the signals run");
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) refuse_wish(wish, "a branch has two ends", "write branch:FROM,TO");
    node_named(graph_, "--highlight", text.substr(0, comma));
    node_named(graph_, "--highlight", text.substr(comma + 1));
    refuse_wish(wish, "no branch is named so", "write branch:FROM,TO");
  }

  static std::string counted(std::size_t count, const std::string& what) {
    return (count == 0 ? "no" : std::to_string(count)) + " " + what + (count == 1 ? "" : "s");
  }

  Task& task_;
  const SignalFlowGraph& graph_;
};

}  // namespace

Highlight highlight_of(Task& task, const SignalFlowGraph& graph) {
  Highlight made;
  for (const std::string& wish : task.arguments.list("highlight")) made.add(Highlighting(task, graph).of(wish));
  return made;
}

Option highlight_option() {
  return {"--highlight",
          "WHAT",
          "make stand out loop:2, path:1, set:1,3 (numbers as 'sfg mason' lists them), branch:FROM,TO or node:NAME",
          Option::Kind::text,
          {},
          true};
}

}  // namespace sfg::command
