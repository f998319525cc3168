// What a C file prints when it is run: the step and frequency parts.
#include <fmt/format.h>

#include <algorithm>

#include "sfg/export/c/c_parts.hpp"

namespace sfg {

namespace {

constexpr std::string_view main_function = R"(
int main(void) {
  const $R *p = $N_values;
  int k, j;
  for (k = 0; k < $transfers; ++k) {
$step_part    printf("# frequency %s\n", $N_transfers[k]);
    for (j = 0; j < $frequencies; ++j) {
      $R value[2];
      transfers[k](p, $re, $im, value);
      printf("%.17g %.17g %.17g\n", (double)frequencies[j], (double)value[0], (double)value[1]);
    }
  }
  return 0;
}
)";

constexpr std::string_view step_part = R"(    if (improper[k]) {
      printf("# no step %s: the numerator is of a higher degree than the denominator\n", $N_transfers[k]);
    } else {
      $R x[$X], u[$m], y[$o];
      int i;
      printf("# step %s\n", $N_transfers[k]);
      for (i = 0; i < $X; ++i) x[i] = 0.0$l;
      for (i = 0; i < $m; ++i) u[i] = i == inputs[k] ? 1.0$l : 0.0$l;
$steps    }
)";

/// y after a step of dt.
constexpr std::string_view continuous_steps = R"(      $N_output(p, x, u, y);
      for (j = 0; j < $times; ++j) {
        if (j > 0) $N_step(p, times[j] - times[j - 1], u, x, y);
        printf("%.17g %.17g\n", (double)times[j], (double)y[outputs[k]]);
      }
)";

/// y of the sample, then the next.
constexpr std::string_view discrete_steps = R"(      for (j = 0; j < $times; ++j) {
        $N_step(p, $h, u, x, y);
        printf("%.17g %.17g\n", (double)times[j], (double)y[outputs[k]]);
      }
)";

template <class Entry>
std::string table(const char* what, const std::vector<ExportedTransfer>& transfers, const Entry& entry) {
  std::string text = fmt::format("static const int {}[] = {{", what);
  for (std::size_t k = 0; k < transfers.size(); ++k) text += fmt::format("{}{}", k == 0 ? "" : ", ", entry(transfers[k]));
  return text + "};\n";
}

int place(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::ranges::find(names, name) - names.begin());
}

}  // namespace

std::string c_main(const CText& c, const ExportSubject& subject, const std::vector<ExportedTransfer>& transfers,
                   const ExportedStates& states) {
  const Operator& op = subject.graph.op;
  const std::size_t n = states.states.size(), m = states.inputs.size();
  const std::string h = c.number(op.discrete() ? op.period().to_double() : 0);
  const std::vector<std::pair<std::string, std::string>> sizes{
      {"$transfers", std::to_string(transfers.size())},
      {"$times", std::to_string(subject.times.size())},
      {"$frequencies", std::to_string(subject.frequencies.size())},
      {"$re", op.discrete() ? c.filled("cos$f(frequencies[j] * ") + h + ")" : c.number(0)},
      {"$im", op.discrete() ? c.filled("sin$f(frequencies[j] * ") + h + ")" : "frequencies[j]"},
      {"$h", h},
      {"$X", std::to_string(std::max<std::size_t>(1, n))},
      {"$m", std::to_string(m)},
      {"$o", std::to_string(states.outputs.size())}};
  std::string text = c.filled("static const $R times[] = {") + c.numbers(subject.times) + "};\n";
  text += c.filled("static const $R frequencies[] = {") + c.numbers(subject.frequencies) + "};\n";
  text += table("inputs", transfers, [&](const ExportedTransfer& T) { return place(states.inputs, T.input); });
  text += table("outputs", transfers, [&](const ExportedTransfer& T) { return place(states.outputs, T.output); });
  text += table("improper", transfers, [](const ExportedTransfer& T) { return T.improper() ? 1 : 0; });
  text += c.filled("static void (*const transfers[])(const $R[], $R, $R, $R[2]) = {");
  for (std::size_t k = 0; k < transfers.size(); ++k)
    text += c.filled(k == 0 ? "$N_transfer_" : ",\n    $N_transfer_") + std::to_string(k);
  text += "};\n";
  std::vector<std::pair<std::string, std::string>> all = sizes;
  all.insert(all.begin(), {"$steps", c.filled(op.discrete() ? discrete_steps : continuous_steps, sizes)});
  all.insert(all.begin(), {"$step_part", c.filled(step_part, all)});
  return text + c.filled(main_function, all);
}

}  // namespace sfg
