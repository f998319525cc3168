#include "sfg/control/asymptotic_gain.hpp"

#include <ginac/ginac.h>

#include "sfg/error.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

AsymptoticGain asymptotic_gain(const SignalFlowGraph& graph, LoopPlace place, const Question& question,
                               const TransferOptions& options) {
  require_loop(graph, place);
  const OpenLoop open = open_loop(graph, place.from, place.to);
  const GiNaC::ex variable = graph.op.in(graph.symbols);
  AsymptoticGain result{transfer_function(graph, question, options), 0,
                        transfer_function(open.graph, open.question, options).value.expression(),
                        transfer_function(opened(graph, place), question, options).value.expression()};
  const GiNaC::ex T = result.transfer.value.expression(), &L = result.loop_gain;
  if (L.is_zero())
    throw NoAnswer("the loop gain is 0: what the loop would do if it were great is not known", "open another loop", graph.where);
  result.ideal = normal_form((T * (1 + L) - result.direct) / L, variable);
  return result;
}

}  // namespace sfg
