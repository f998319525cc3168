#include "sfg/analysis/margins.hpp"

#include "sfg/write/control.hpp"
#include "tools/plot.hpp"

namespace sfg::command {

namespace {

int run(Task& task) {
  const Answer answer = answer_of(task.arguments);
  const std::vector<ExactTransfer> transfers = approximated(task.arguments, transfers_of(task));
  if (transfers.size() != 1) throw UsageError("margins are those of one open loop", "name it by --from and --to");
  const Margins result = sfg::margins(transfers.front());
  if (answer == Answer::json)
    write_json(task.out, result);
  else
    write_text(task.out, result);
  return 0;
}

}  // namespace

Verb margins() {
  return {.name = "margins",
          .summary = "gain, phase, modulus and delay margin of an open loop",
          .details =
              "The transfer function is the open loop of a negative unity feedback. Every crossing is found: they are roots of "
              "exact polynomials.",
          .options = {pade_option()},
          .examples = {"sfg margins open_loop.dot --from R --to Y"},
          .run = run};
}

}  // namespace sfg::command
