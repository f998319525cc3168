#include <array>

#include "sfg/control/margins.hpp"
#include "sfg/control/open_loop.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/study/local/local_study.hpp"
#include "sfg/write/margins.hpp"
#include "sfg/write/study/sensitivity.hpp"

namespace sfg {

namespace {

constexpr std::array answers{LoopAnswer::loop, LoopAnswer::sensitivity, LoopAnswer::complementary};

/// The graph of an answer of the loop, and its one question.
struct LoopGraph {
  SignalFlowGraph graph;
  Question question;
};

LoopGraph graph_of(const ReportWork& work, LoopAnswer answer) {
  LoopTerms terms = *work.loop();
  terms.of = answer;
  LoopGraph result{work.subject().subject.quiet().about(std::move(terms)).graph(), {}};
  result.question = questions(result.graph).front();
  return result;
}

Math letter(LoopAnswer answer) {
  return Math::name(answer == LoopAnswer::loop ? "L" : answer == LoopAnswer::sensitivity ? "S" : "T");
}

/// Of the open loop, whatever else the report is about.
ReportCommand command(std::string verb, std::vector<std::string> options = {}, std::string picture = {}) {
  options.insert(options.begin(), {"--of", "loop"});
  return {.verb = std::move(verb),
          .options = std::move(options),
          .values = ReportCommand::Values::numbers,
          .picture = std::move(picture)};
}

/// L, S and T in the names of the parameters.
ReportPart loop_forms(ReportWork& work, const std::vector<LoopGraph>& graphs) {
  Page page;
  Equations equations{{}, work.graph().op.symbol()};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const TransferFunction found =
        transfer_function(graphs[i].graph, graphs[i].question, {.budget = work.budget(), .seed = work.seed()});
    equations.rows.push_back({letter(answers[i]), {found.value}});
    work.verified(
        {"The loop", name_of(answers[i]), found.verification.method, found.verification.points, found.verification.error_bound});
    work.gives({.verb = "tf", .options = {"--of", name_of(answers[i])}});
  }
  page.add(std::move(equations));
  return fitting(std::move(page));
}

/// The open loop with its margins marked, in three pictures, and the sizes of S and T.
void add_pictures(std::vector<ReportPart>& parts, ReportWork& work, const std::vector<ExactTransfer>& transfers,
                  const Margins& margins) {
  constexpr std::size_t points = 300;
  const std::vector<double> frequency = frequency_range(transfers, points);
  std::vector<FrequencyResponse> responses;
  for (const ExactTransfer& transfer : transfers) {
    responses.push_back(frequency_response(transfer, frequency));
    responses.back().group_delay.clear();
  }
  const std::span all(responses);
  const FigureOptions marked{.margins = {margins}};
  parts.push_back({{}, bode_figure(all.first(1), marked)});
  parts.push_back({{}, nyquist_figure(all.first(1), marked)});
  parts.push_back({{}, nichols_figure(all.first(1), marked)});
  parts.push_back({{}, bode_figure(all.subspan(1))});
  for (const char* verb : {"bode", "nyquist", "nichols"}) work.gives(command(verb, {}, std::string("loop-") + verb));
}

/// How the margins change with every parameter.
void add_sensitivities(std::vector<ReportPart>& parts, ReportWork& work, const LoopGraph& loop) {
  StudiedGraph studied = sfg::studied(loop.graph, {}, StudyParameter::Role::factor);
  if (studied.parameters.empty()) return;
  const MeasuredSystem system{.graph = std::move(studied.graph), .question = loop.question};
  LocalStudy all;
  std::vector<std::string> options;
  for (const char* name : {"gain-margin", "phase-margin", "modulus-margin", "disk-margin", "delay-margin"}) try {
      LocalStudy one = local_study(system, studied.parameters, {measure_of(name, system.graph.symbols)}, work.share(3));
      one.measures.insert(one.measures.begin(), all.measures.begin(), all.measures.end());
      all = std::move(one);
      options.insert(options.end(), {"--measure", name});
    } catch (const Failure&) {
      work.budget().check("the sensitivity of the margins");  // there is no such margin: said above
    }
  if (all.measures.empty()) return;
  parts.push_back(heading(words("Sensitivity of the margins")));
  parts.push_back({{}, page(all)});
  work.gives(command("sens", std::move(options)));
}

void add_loop_numbers(std::vector<ReportPart>& parts, ReportWork& work, const std::vector<LoopGraph>& graphs) {
  std::vector<ExactTransfer> transfers;
  for (const LoopGraph& each : graphs)
    transfers.push_back(
        exact_transfers(each.graph, std::span(&each.question, 1), {.budget = work.budget(), .seed = work.seed()}).front());
  const Margins margins = sfg::margins(transfers.front());
  parts.push_back(heading(words("Margins")));
  parts.push_back({{}, page(margins)});
  work.gives(command("margins"));
  work.verified({"The loop", "margins", "crossings are certified real roots of exact polynomials: none is missed"});
  add_pictures(parts, work, transfers, margins);
  add_sensitivities(parts, work, graphs.front());
}

}  // namespace

std::vector<ReportPart> loop_section(ReportWork& work) {
  if (!work.loop()) return {};
  if (!work.linear())
    return {remark("A loop gain is of linear branches, and this graph has others: its linearisation at a point has one.")};
  std::vector<LoopGraph> graphs;
  for (const LoopAnswer answer : answers) graphs.push_back(graph_of(work, answer));
  std::vector<ReportPart> parts{remark(
      {"The loop is opened at " + work.loop()->where + ". ", Math::name("L"),
       " is minus the return ratio there, so that 1 + L = Δ/Δ₀ with the determinants of the closed and the opened graph; ",
       Math::name("S"), " = 1/(1 + L) is the sensitivity, ", Math::name("T"), " = L/(1 + L) the complementary sensitivity."})};
  parts.push_back(loop_forms(work, graphs));
  if (!work.known()) return parts;
  try {
    add_loop_numbers(parts, work, graphs);
  } catch (const Failure& failure) {
    work.budget().check("the margins");
    parts.push_back(remark(std::string("No further numbers of the loop: ") + failure.what() + "."));
  }
  return parts;
}

}  // namespace sfg
