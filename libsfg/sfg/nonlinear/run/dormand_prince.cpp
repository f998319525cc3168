#include "sfg/nonlinear/run/dormand_prince.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using Eigen::VectorXd;

constexpr std::size_t whole = 12, extended = 16;  // stages of a step; with that at its end and those of values within

// Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., section II.5, table 5.2, and II.6.
constexpr std::array<double, extended> stage_times{0,
                                                   0.05260015195876773,
                                                   0.0789002279381516,
                                                   0.1183503419072274,
                                                   0.2816496580927726,
                                                   0.3333333333333333,
                                                   0.25,
                                                   0.3076923076923077,
                                                   0.6512820512820513,
                                                   0.6,
                                                   0.8571428571428571,
                                                   1.0,
                                                   1.0,
                                                   0.1,
                                                   0.2,
                                                   0.7777777777777778};
constexpr std::array<std::array<double, extended>, extended> stage_weights{{
    {},
    {0.05260015195876773},
    {0.0197250569845379, 0.0591751709536137},
    {0.02958758547680685, 0, 0.08876275643042054},
    {0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792},
    {0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242},
    {0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
    {0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402, 0.008273789163814023},
    {0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894,
     -43.48988418106996},
    {0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423,
     -33.28821096898486, -0.020331201708508627},
    {-0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295, -8.149787010746927, -18.52006565999696, 22.739487099350505,
     2.4936055526796523, -3.0467644718982196},
    {2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996, -2.8589982771350235,
     -8.87285693353063, 12.360567175794303, 0.6433927460157636},
    {0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585, 0.3111643669578199,
     -0.1521609496625161, 0.20136540080403034, 0.04471061572777259},
    {0.056167502283047954, 0, 0, 0, 0, 0, 0.25350021021662483, -0.2462390374708025, -0.12419142326381637, 0.15329179827876568,
     0.00820105229563469, 0.007567897660545699, -0.008298},
    {0.03183464816350214, 0, 0, 0, 0, 0.028300909672366776, 0.053541988307438566, -0.05492374857139099, 0, 0,
     -0.00010834732869724932, 0.0003825710908356584, -0.00034046500868740456, 0.1413124436746325},
    {-0.42889630158379194, 0, 0, 0, 0, -4.697621415361164, 7.683421196062599, 4.06898981839711, 0.3567271874552811, 0, 0, 0,
     -0.0013990241651590145, 2.9475147891527724, -9.15095847217987},
}};
constexpr std::array<double, whole> third_order{-0.18980075407240762,
                                                0,
                                                0,
                                                0,
                                                0,
                                                4.450312892752409,
                                                1.8915178993145003,
                                                -5.801203960010585,
                                                -0.4226823213237919,
                                                -0.1521609496625161,
                                                0.20136540080403034,
                                                0.02265179219836082},
    fifth_order{0.01312004499419488,
                0,
                0,
                0,
                0,
                -1.2251564463762044,
                -0.4957589496572502,
                1.6643771824549864,
                -0.35032884874997366,
                0.3341791187130175,
                0.08192320648511571,
                -0.022355307863886294};
constexpr std::array<std::array<double, extended>, 4> dense_weights{{
    {-8.428938276109013, 0, 0, 0, 0, 0.5667149535193777, -3.0689499459498917, 2.38466765651207, 2.117034582445028,
     -0.871391583777973, 2.2404374302607883, 0.6315787787694688, -0.08899033645133331, 18.148505520854727, -9.194632392478356,
     -4.436036387594894},
    {10.427508642579134, 0, 0, 0, 0, 242.28349177525817, 165.20045171727028, -374.5467547226902, -22.113666853125306,
     7.733432668472264, -30.674084731089398, -9.332130526430229, 15.697238121770845, -31.139403219565178, -9.35292435884448,
     35.81684148639408},
    {19.985053242002433, 0, 0, 0, 0, -387.0373087493518, -189.17813819516758, 527.8081592054236, -11.57390253995963,
     6.8812326946963, -1.0006050966910838, 0.7777137798053443, -2.778205752353508, -60.19669523126412, 84.32040550667716,
     11.99229113618279},
    {-25.69393346270375, 0, 0, 0, 0, -154.18974869023643, -231.5293791760455, 357.6391179106141, 93.40532418362432,
     -37.45832313645163, 104.0996495089623, 29.8402934266605, -43.53345659001114, 96.32455395918828, -39.17726167561544,
     -149.72683625798564},
}};

}  // namespace

DormandPrince::DormandPrince(Problem problem) : problem_(std::move(problem)), slopes_(problem_.size * Eigen::Index(extended)) {
  here_.resize(problem_.size);
  rate_.resize(problem_.size);
  largest_ = VectorXd::Zero(problem_.size);
}

void DormandPrince::start(double t, const VectorXd& x) {
  from_ = t_ = t;
  x_ = x;
  known_ = false;
}

double DormandPrince::allowed(Eigen::Index i) const {
  const double beside = problem_.allowed.size() > 0 ? problem_.allowed[i] : problem_.atol;
  return beside + problem_.rtol * largest_[i];
}

bool DormandPrince::evaluate(std::size_t stage, double t, const VectorXd& x) {
  try {
    if (!problem_.rate(t, x, rate_)) return false;
  } catch (const NoAnswer&) {
    if (stage == 0) throw;
    return false;  // far from the motion: the step is made smaller
  }
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    if (!std::isfinite(rate_[i])) return false;
    slopes_[i * Eigen::Index(extended) + Eigen::Index(stage)] = rate_[i];
  }
  return true;
}

/// Where the stages so far lead to.
void DormandPrince::combine(std::size_t stage, double h) {
  for (Eigen::Index i = 0; i < here_.size(); ++i) {
    const double* k = &slopes_[i * Eigen::Index(extended)];
    double sum = stage_weights[stage][0] * k[0];
    for (std::size_t j = stage > 4 ? 3 : 1; j < stage; ++j)
      sum += stage_weights[stage][j] * k[j];  // the second and third end early
    here_[i] = before_[i] + h * sum;
  }
}

/// The error of the step on what is allowed; infinite where there is no value.
double DormandPrince::attempt(double h) {
  before_ = x_;
  for (std::size_t stage = 1; stage < whole; ++stage) {
    combine(stage, h);
    if (!evaluate(stage, t_ + stage_times[stage] * h, here_)) return HUGE_VAL;
  }
  combine(whole, h);
  double worst = 0;
  for (Eigen::Index i = 0; i < here_.size(); ++i) {
    if (!std::isfinite(here_[i])) return HUGE_VAL;
    const double* k = &slopes_[i * Eigen::Index(extended)];
    double third = 0, fifth = 0;
    for (std::size_t j = 0; j < whole; ++j) third += third_order[j] * k[j], fifth += fifth_order[j] * k[j];
    const double size = std::hypot(fifth, 0.1 * third);
    // A step that is refused may lead anywhere: what it was allowed there is forgotten with it.
    const double room = allowed(i) + problem_.rtol * std::max(0.0, std::abs(here_[i]) - largest_[i]);
    worst = std::max(worst, size > 0 ? std::abs(h) * fifth * fifth / (size * room) : 0);
  }
  return worst;
}

/// A first step by the rate at the start.
double DormandPrince::first_step(double longest) const {
  double size = 0, speed = 0;
  for (Eigen::Index i = 0; i < x_.size(); ++i) {
    size = std::max(size, std::abs(x_[i]) / allowed(i));
    speed = std::max(speed, std::abs(slopes_[i * Eigen::Index(extended)]) / allowed(i));
  }
  constexpr double part = 0.003;
  return speed > 0 ? std::min(longest, part * std::max(size, 1e-3 / problem_.rtol) / speed) : longest;
}

DormandPrince::Step DormandPrince::step(double last) {
  largest_ = largest_.cwiseMax(x_.cwiseAbs());
  const auto stuck = [&] {
    return NoAnswer("the response cannot be followed beyond t = " + print(t_) +
                        ": it grows without bound there, or its equations have no solution",
                    "ask for times before that, or look at the laws there");
  };
  if (known_)  // the rate at the end of the last step
    for (Eigen::Index i = 0; i < x_.size(); ++i)
      slopes_[i * Eigen::Index(extended)] = slopes_[i * Eigen::Index(extended) + Eigen::Index(whole)];
  else if (!evaluate(0, t_, x_))
    throw stuck();
  known_ = true;
  if (h_ == 0) h_ = first_step(last - t_);
  constexpr int most = 60;
  bool shortened = false;
  for (int i = 0; i < most; ++i) {
    const double longest = std::min(h_, longest_), left = last - t_;
    const bool ends = longest * 1.0001 >= left;
    const double h = ends ? left : longest;
    if (t_ + h == t_) break;
    const double error = attempt(h);
    if (!(error <= 1)) {
      h_ = h * (std::isfinite(error) ? std::max(0.3, 0.9 * std::pow(error, -0.125)) : 0.2);
      shortened = true;
      continue;
    }
    const double longer = std::clamp(0.9 * std::pow(std::max(error, 1e-16), -0.125), 0.3, shortened ? 1.0 : 6.0);
    h_ = h < 0.9 * h_ ? std::max(h_, h * longer) : h * longer;
    return take(h, ends ? last : t_ + h);
  }
  throw stuck();
}

DormandPrince::Step DormandPrince::take(double h, double to) {
  x_ = here_;
  from_ = t_;
  length_ = h;
  t_ = to;
  dense_ = false;
  if (!evaluate(whole, t_, x_))
    throw NoAnswer("the motion has no rate at t = " + print(t_), "ask for times before that, or look at what acts there");
  return {from_, t_};
}

/// Three stages more, once a step, for values within it.
void DormandPrince::prepare() {
  if (std::exchange(dense_, true)) return;
  for (std::size_t stage = whole + 1; stage < extended; ++stage) {
    combine(stage, length_);
    if (!evaluate(stage, from_ + stage_times[stage] * length_, here_))
      throw NoAnswer("the motion has no rate near t = " + print(from_), "ask for times before that, or look at what acts there");
  }
  polynomial_.resize(here_.size(), 7);
  for (Eigen::Index i = 0; i < here_.size(); ++i) {
    const double* k = &slopes_[i * Eigen::Index(extended)];
    const double change = x_[i] - before_[i];
    polynomial_(i, 0) = change;
    polynomial_(i, 1) = length_ * k[0] - change;
    polynomial_(i, 2) = 2 * change - length_ * (k[whole] + k[0]);
    for (std::size_t row = 0; row < dense_weights.size(); ++row) {
      double sum = 0;
      for (std::size_t j = 0; j < extended; ++j) sum += dense_weights[row][j] * k[j];
      polynomial_(i, 3 + Eigen::Index(row)) = length_ * sum;
    }
  }
}

VectorXd DormandPrince::at(double t) {
  if (t == t_) return x_;
  prepare();
  const double part = (t - from_) / length_;
  VectorXd value = VectorXd::Zero(x_.size());
  for (Eigen::Index k = polynomial_.cols(); k-- > 0;) {
    value += polynomial_.col(k);
    value *= k % 2 == 0 ? part : 1 - part;
  }
  return before_ + value;
}

}  // namespace sfg
