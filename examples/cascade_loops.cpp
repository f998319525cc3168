// The loops of a drive in cascade: what of a loop can be asked, and the margins of each with the other one closed and open.
#include <sfg/ask/subject.hpp>
#include <sfg/sfg.hpp>

#include <cstdio>

int main() {
  const sfg::Subject drive(sfg::read_file("cascade_drive.dot"));

  //! [answers]
  for (const sfg::LoopAnswer of : {sfg::LoopAnswer::loop, sfg::LoopAnswer::sensitivity, sfg::LoopAnswer::complementary}) {
    const sfg::SignalFlowGraph graph = drive.about(sfg::LoopTerms{.where = "w,ew", .of = of}).graph();
    const sfg::ExactTransfer answer = exact_transfers(graph, questions(graph)).front();
    std::printf("%s: |%s(40j)| = %.4f\n", answer.input.c_str(), answer.output.c_str(), std::abs(value_at(answer, {0, 40})));
  }
  //! [answers]

  for (const auto& [where, other] : {std::pair("i,ei", "w,ew"), std::pair("w,ew", "i,ei")})
    for (const bool open : {false, true}) {
      const sfg::SignalFlowGraph graph =
          drive.about(sfg::LoopTerms{.where = where, .others = {other}, .others_open = open}).graph();
      const sfg::Margins margins = sfg::margins(graph, questions(graph).front());
      std::printf("%s, the other one %s: phase margin %.2f deg, modulus margin %.4f\n", where, open ? "open" : "closed",
                  *margins.phase_margin_deg, *margins.modulus_margin);
    }
}

/* prints
w,ew: |loop(40j)| = 7.5805
w,ew: |sensitivity(40j)| = 0.1499
w,ew: |complementary(40j)| = 1.1364
i,ei, the other one closed: phase margin 43.44 deg, modulus margin 0.7079
i,ei, the other one open: phase margin 65.59 deg, modulus margin 0.7852
w,ew, the other one closed: phase margin 37.39 deg, modulus margin 0.5194
w,ew, the other one open: phase margin -36.88 deg, modulus margin 0.6093
*/
