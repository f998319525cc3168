#include <algorithm>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/expr/decimal_fraction.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/write/mason.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

std::string count(std::size_t number, const std::string& singular, const std::string& plural) {
  return std::to_string(number) + " " + (number == 1 ? singular : plural);
}

/// The laws as they are written: v = f(u), from where to where.
ReportPart laws(const ReportWork& work) {
  Page page;
  page.add(Heading{words("Nonlinear branches")});
  Table table;
  table.columns = {{.head = words("from")}, {.head = words("to")}, {.head = words("law")}, {.head = words("further signals")}};
  for (const Branch& branch : work.graph().branches()) {
    if (branch.linear()) continue;
    const auto& law = std::get<Nonlinearity>(branch.law);
    std::vector<Prose> further;
    for (const auto& argument : law.arguments)
      further.push_back({math(argument.signal), " is ", Math::signal(work.graph()[argument.node].name)});
    table.rows.push_back({{Math::signal(work.graph()[branch.from].name)},
                          {Math::signal(work.graph()[branch.to].name)},
                          {math(law.law)},
                          further.empty() ? Prose{} : joined(further, ", ")});
  }
  if (std::ranges::all_of(table.rows, [](const auto& row) { return row[3].empty(); })) {
    table.columns.pop_back();
    for (auto& row : table.rows) row.pop_back();
  }
  page.add(std::move(table));
  page.add(Paragraph{{"In a law ", Math::name("u"), " is the signal at its tail, ", Math::name("v"), " the rate of that, ",
                      Math::name("t"), " the time."}});
  return {{}, std::move(page)};
}

/// Whether the gains have room beside a picture.
bool gains_fit(const SignalFlowGraph& graph) {
  constexpr std::size_t most = 60'000;  // characters
  std::size_t all = 0;
  for (const Branch& branch : graph.branches()) {
    if (branch.linear()) all += print(branch.gain()).size();
    if (all > most) return false;
  }
  return true;
}

std::string number_of(const std::optional<ring::Integer>& count) { return count ? to_string(*count) : "very many"; }

/// Of lists that are too long for a page: what there is, and the beginnings.
std::vector<ReportPart> cut_derivation(const ReportWork& work, const std::vector<MasonListing>& listings) {
  std::vector<ReportPart> parts{
      remark("Paths, loops and sets are too many for a page. The counts are of all of them; no "
             "determinant is assembled here, and the closed forms below come by another way.")};
  Page page;
  Table table;
  table.columns = {{.head = words("transfer function")},
                   {.head = words("forward paths"), .right = true},
                   {.head = words("loops"), .right = true}};
  for (const MasonListing& listing : listings)
    table.rows.push_back({{gain_name(work.input(listing.question), work.output(listing.question))},
                          words(number_of(listing.path_count)),
                          words(number_of(listing.loop_count))});
  page.add(std::move(table));
  parts.push_back({{}, std::move(page)});
  constexpr std::size_t shown = 30;
  MasonListing beginning = listings.front();
  beginning.truncated = true;
  if (beginning.paths.size() > shown) beginning.paths.resize(shown);
  if (beginning.loops.size() > shown) beginning.loops.resize(shown);
  std::erase_if(beginning.non_touching, [&](const auto& set) { return set.back() >= beginning.loops.size(); });
  if (beginning.non_touching.size() > shown) beginning.non_touching.resize(shown);
  parts.push_back(fitting(sfg::page(beginning), transfer_label(work.graph(), beginning.question)));
  return parts;
}

}  // namespace

std::vector<ReportPart> graph_section(ReportWork& work) {
  const SignalFlowGraph& graph = work.graph();
  std::vector<ReportPart> parts;
  std::string text = (work.loop() ? "The loop is opened at " + work.loop()->where + ". " : std::string()) + "The graph has " +
                     count(graph.nodes().size(), "node", "nodes") + " and " +
                     count(graph.branches().size(), "branch", "branches") + ".";
  const bool readable = gains_fit(graph), shown = suits_layout(graph) && readable;
  if (!readable)
    text += " Its gains are too long for a picture: the command of this section writes them.";
  else if (!shown)
    text += " It is too dense for a picture whose lines a reader can follow.";
  else if (const auto nodes = left_out(graph, Parts::automatic); !nodes.empty())
    text += " The picture leaves out " + in_words(graph, nodes) + ".";
  parts.push_back(remark(text));
  if (shown) {
    parts.push_back({{}, ReportGraph{graph, decimals_in(work.subject().text)}});
    if (!work.loop()) work.gives({.verb = "draw", .ends = ReportCommand::Ends::asked, .picture = "graph"});
  } else {
    work.gives({.verb = "graph"});
  }
  if (!graph.linear()) parts.push_back(laws(work));
  return parts;
}

std::vector<ReportPart> mason_section(ReportWork& work) {
  if (!work.answerable()) return {};
  const std::vector<MasonListing>& listings = work.listings();
  const bool cut = std::ranges::any_of(listings, &MasonListing::truncated);
  work.gives({.verb = "mason",
              .options = cut ? std::vector<std::string>{"--limit", "30"} : std::vector<std::string>{},
              .ends = ReportCommand::Ends::asked});
  if (cut) return cut_derivation(work, listings);
  work.verified({"Mason's rule", "",
                 "ΣPₖΔₖ/Δ of the listed paths and loops compared with the elimination of all nodes, modulo primes of 61 bits"});
  return {{{}, ReportDerivation{listings}}};
}

}  // namespace sfg
