// Nonlinear equations of motion in C.
#include "sfg/export/c/c_parts.hpp"

#include <fmt/format.h>

#include <numeric>

namespace sfg {

namespace {

/// R. Dormand and P. J. Prince, J. Comput. Appl. Math. 6, 1980: order 5, with step control by the embedded order 4.
constexpr std::string_view step_of_runge_kutta = R"(
/* One step of Dormand and Prince from x to next; returns its error, 1 where it is just small enough. */
static $R tried(const $R p[], $R t, $R h, const $R x[], $R next[]) {
  static const $R at[7] = {0.0$l, 0.2$l, 0.3$l, 0.8$l, 8.0$l / 9.0$l, 1.0$l, 1.0$l};
  static const $R a[7][6] = {
      {0.0$l, 0.0$l, 0.0$l, 0.0$l, 0.0$l, 0.0$l},
      {0.2$l, 0.0$l, 0.0$l, 0.0$l, 0.0$l, 0.0$l},
      {3.0$l / 40.0$l, 9.0$l / 40.0$l, 0.0$l, 0.0$l, 0.0$l, 0.0$l},
      {44.0$l / 45.0$l, -56.0$l / 15.0$l, 32.0$l / 9.0$l, 0.0$l, 0.0$l, 0.0$l},
      {19372.0$l / 6561.0$l, -25360.0$l / 2187.0$l, 64448.0$l / 6561.0$l, -212.0$l / 729.0$l, 0.0$l, 0.0$l},
      {9017.0$l / 3168.0$l, -355.0$l / 33.0$l, 46732.0$l / 5247.0$l, 49.0$l / 176.0$l, -5103.0$l / 18656.0$l, 0.0$l},
      {35.0$l / 384.0$l, 0.0$l, 500.0$l / 1113.0$l, 125.0$l / 192.0$l, -2187.0$l / 6784.0$l, 11.0$l / 84.0$l}};
  static const $R e[7] = {71.0$l / 57600.0$l,       0.0$l, -71.0$l / 16695.0$l, 71.0$l / 1920.0$l,
                              -17253.0$l / 339200.0$l, 22.0$l / 525.0$l, -1.0$l / 40.0$l};
  $R k[7][$n], u[$m], worst = 0.0$l;
  int stage, i, j;
  for (stage = 0; stage < 7; ++stage) {
    for (i = 0; i < $n; ++i) {
      next[i] = x[i];
      for (j = 0; j < stage; ++j) next[i] += h * a[stage][j] * k[j][i];
    }
    drives(p, t + at[stage] * h, u);
    $N_rates(p, t + at[stage] * h, next, u, k[stage]);
  }
  for (i = 0; i < $n; ++i) {
    $R error = 0.0$l, size = fabs$f(next[i]);
    for (j = 0; j < 7; ++j) error += h * e[j] * k[j][i];
    if (fabs$f(x[i]) > size) size = fabs$f(x[i]);
    if (least[i] > size) size = least[i];
    error = fabs$f(error) / ($tolerance * size);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

/* From t to end; 0 where the steps became too many. */
static int moved(const $R p[], $R t, $R end, $R x[]) {
  $R h = end - t, next[$n];
  long steps = 0;
  int i;
  while (t < end && steps++ < 5000000L) {
    const int last = !(t + h < end);
    const $R size = last ? end - t : h, error = tried(p, t, size, x, next);
    $R factor = 0.2$l;
    if (error < 1.0$l || size < $smallest * (1.0$l + fabs$f(t))) {
      for (i = 0; i < $n; ++i) x[i] = next[i];
      t = last ? end : t + size;
    }
    if (error < 1e30$l) factor = 0.9$l * pow$f(error + 1e-10$l, -0.2$l);
    h = size * (factor < 0.2$l ? 0.2$l : factor > 5.0$l ? 5.0$l : factor);
  }
  return !(t < end);
}
)";

constexpr std::string_view main_of_motion = R"(
int main(void) {
  $R p[$P], x[$X], u[$m], y[$o];
  int k, i, j;
  for (i = 0; i < $P; ++i) p[i] = $N_values[i];
  for (k = 0; k < $o; ++k) {
    printf("# response %s\n", $N_output_names[k]);
    for (i = 0; i < $X; ++i) x[i] = $N_start[i];
    for (j = 0; j < $count; ++j) {
$advance      drives(p, times[j], u);
      $N_output(p, times[j], x, u, y);
      printf("%.17g %.17g\n", (double)times[j], (double)y[k]);
    }
  }
  return 0;
}
)";

constexpr std::string_view by_time = R"(      if (j > 0 && !moved(p, times[j - 1], times[j], x)) {
        fprintf(stderr, "the steps of the solution became too many\n");
        return 1;
      }
)";

/// No step goes over a switch.
constexpr std::string_view by_parts_of_time = R"(      for (i = 0; j > 0 && i <= $switches; ++i) {
        const $R from = i > 0 && switches[i - 1] > times[j - 1] ? switches[i - 1] : times[j - 1];
        const $R to = i < $switches && switches[i] < times[j] ? switches[i] : times[j];
        if (from < to && !moved(p, from, to, x)) {
          fprintf(stderr, "the steps of the solution became too many\n");
          return 1;
        }
      }
)";

constexpr std::string_view by_samples = R"(      if (j > 0) {
        $R next[$X];
        drives(p, times[j - 1], u);
        $N_rates(p, times[j - 1], x, u, next);
        for (i = 0; i < $X; ++i) x[i] = next[i];
      }
)";

std::vector<std::string> motion_inputs(const ExportedMotion& motion) {
  std::vector<std::string> names{"t"};
  for (std::size_t k = 0; k < motion.states.size(); ++k) names.push_back(fmt::format("x[{}]", k));
  for (std::size_t k = 0; k < motion.inputs.size(); ++k) names.push_back(fmt::format("u[{}]", k));
  return names;
}

/// The outputs from `first` on, as a function.
std::string function_of(CText& c, const ExportedMotion& motion, std::size_t first, std::size_t count, const char* letter) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  const numeric::Tape part = outputs_of(motion.rates, numbers);
  const std::vector<std::string> names = motion_inputs(motion);
  const CText::Block block = c.block(part, names);
  std::string text = block.statements;
  for (std::size_t k = 0; k < count; ++k) text += fmt::format("  {}[{}] = {};\n", letter, k, block.outputs[k]);
  const std::array<std::string_view, 5> words{"p", "t", "x", "u", letter};
  return CText::unused(words, text) + text;
}

}  // namespace

CPart c_motion(CText& c, const ExportedMotion& motion, bool discrete) {
  const std::size_t n = motion.states.size(), o = motion.outputs.size();
  const std::string rates = "void $N_rates(const $R p[], $R t, const $R x[], const $R u[], $R dx[])",
                    outputs = "void $N_output(const $R p[], $R t, const $R x[], const $R u[], $R y[])";
  CPart part;
  part.declarations = c.filled("extern const $R $N_start[];\n" + rates + ";\n" + outputs + ";\n");
  part.definitions = c.filled("\n/* The states at the time 0. */\nconst $R $N_start[] = {") + c.numbers(motion.start) + "};\n\n";
  part.definitions += discrete ? "/* dx: the states one sample later. */\n" : "/* dx: the rates of the states. */\n";
  part.definitions += c.filled(rates) + " {\n" + function_of(c, motion, 0, n, "dx") + "}\n\n";
  part.definitions += c.filled(outputs) + " {\n" + function_of(c, motion, n, o, "y") + "}\n";
  return part;
}

std::string c_main(CText& c, const ExportSubject& subject, const ExportedMotion& motion, std::vector<double> reach) {
  const bool discrete = subject.graph.op.discrete();
  const std::size_t n = motion.states.size();
  const std::vector<std::string> names{"t"};
  const CText::Block block = c.block(motion.drives, names);
  std::string drives = block.statements;
  for (std::size_t k = 0; k < motion.inputs.size(); ++k) drives += fmt::format("  u[{}] = {};\n", k, block.outputs[k]);
  static constexpr std::array<std::string_view, 3> words{"p", "t", "u"};
  const auto at_least_one = [](std::size_t count) { return std::to_string(std::max<std::size_t>(1, count)); };
  const std::vector<std::pair<std::string, std::string>> sizes{
      {"$P", at_least_one(motion.rates.inputs().size() - 1 - n - motion.inputs.size())},
      {"$X", at_least_one(n)},
      {"$n", std::to_string(n)},
      {"$m", at_least_one(motion.inputs.size())},
      {"$o", std::to_string(motion.outputs.size())},
      {"$count", std::to_string(subject.times.size())},
      {"$switches", std::to_string(motion.switches.size())},
      {"$tolerance", c.single() ? "1e-5f" : "1e-12"},
      {"$smallest", c.single() ? "1e-6f" : "1e-14"}};
  std::string text =
      c.filled("static void drives(const $R p[], $R t, $R u[]) {\n") + CText::unused(words, drives) + drives + "}\n";
  text = c.filled("static const $R times[] = {") + c.numbers(subject.times) + "};\n\n" + text;
  const bool parts = n > 0 && !motion.switches.empty();
  if (parts)
    text = c.filled("/* The drives jump, bend or vary fast there. */\nstatic const $R switches[] = {") +
           c.numbers(motion.switches) + "};\n" + text;
  if (n > 0 && !discrete) {
    for (double& each : reach) each *= 1e-3;
    text +=
        c.filled("\n/* Of smaller states a step may be as wrong as of these: a thousandth of how far each comes, roughly. */\n") +
        c.filled("static const $R least[] = {") + c.numbers(reach) + "};\n";
    text += c.filled(step_of_runge_kutta, sizes);
  }
  std::vector<std::pair<std::string, std::string>> of_main = sizes;
  of_main.emplace_back("$advance", n == 0 ? "" : c.filled(discrete ? by_samples : parts ? by_parts_of_time : by_time, sizes));
  return text + c.filled(main_of_motion, of_main);
}

}  // namespace sfg
