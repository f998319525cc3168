// v = T_1 w + T_j f with f = g − K v, g = f + K v, is v = T̃_1 w + T̃_j g with T̃ = T − T_f K (1 + T_j K)⁻¹ T_v, where T_f are the
// columns of the laws and T_v the rows of the unknowns: the same solutions for every K, and numbers where T has none.
#include "sfg/nonlinear/balance/balance_system.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "sfg/error.hpp"
#include "sfg/expr/derived_parameters.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;

std::vector<GiNaC::ex> symbols_of(const SymbolTable& table, const std::vector<std::string>& names) {
  std::vector<GiNaC::ex> result;
  for (const std::string& name : names) result.push_back(table.at(name).expr);
  return result;
}

std::vector<double> numbers_of(const SymbolTable& table, const std::vector<std::string>& names) {
  const GiNaC::exmap values = table.values();
  std::vector<double> result;
  for (const std::string& name : names) {
    const GiNaC::ex value = values.at(table.at(name).expr).evalf();
    result.push_back(GiNaC::ex_to<GiNaC::numeric>(value).to_double());
  }
  return result;
}

/// In laws, what is derived from the parameters moves with them.
PrincipalForm in_parameters(PrincipalForm form, const std::vector<std::string>& names) {
  std::vector<GiNaC::ex> kept = symbols_of(form.linear.symbols, names);
  const GiNaC::exmap values = values_keeping(form.linear.symbols, kept);
  for (auto& law : form.laws) law.law = law.law.subs(values, GiNaC::subs_options::no_pattern);
  return form;
}

PrincipalForm checked(PrincipalForm form, const SignalFlowGraph& graph) {
  if (form.linear.op.discrete())
    throw Error(graph.where, "harmonic balance is of continuous time, and this is a graph of samples",
                "ask for its response instead");
  for (const auto& law : form.laws)
    if (law.law.has(form.time))
      throw Error(graph[law.branch].where, "a law that contains t itself has no periodic motion of a frequency that is asked for",
                  "make the function of time an input, and the law one of that signal");
  return form;
}

/// A form whose laws are the functions at whose zeros the laws of this one have corners or jumps.
PrincipalForm switches_of(const PrincipalForm& form) {
  static const std::set<std::string> corners{"abs", "sign", "step", "min", "max"};
  PrincipalForm result = form;
  result.laws.clear();
  const auto add = [&](const GiNaC::ex& function) {
    const bool known = std::ranges::any_of(result.laws, [&](const auto& law) { return law.law.is_equal(function); });
    if (!known) result.laws.push_back({{}, function, function, {}, {}, {}});
  };
  for (const auto& law : form.laws)
    for (auto part = law.law.preorder_begin(); part != law.law.preorder_end(); ++part) {
      if (!GiNaC::is_a<GiNaC::function>(*part) || !corners.contains(GiNaC::ex_to<GiNaC::function>(*part).get_name())) continue;
      if (part->nops() == 1) add(part->op(0));
      for (std::size_t i = 1; i < part->nops(); ++i) add(part->op(0) - part->op(i));
    }
  return result;
}

}  // namespace

BalanceSystem::BalanceSystem(const SignalFlowGraph& graph, const Choice& choice)
    : form_(in_parameters(checked(principal_form(graph, {}, choice.outputs), graph), choice.parameters)),
      parameters_(choice.parameters),
      parameter_values_(numbers_of(form_.linear.symbols, parameters_)),
      laws_(form_, form_.linear.symbols.values(), symbols_of(form_.linear.symbols, parameters_)),
      response_(form_.linear, form_.questions(), {.budget = choice.budget}),
      frequency_(choice.frequency),
      budget_(choice.budget) {
  if (!parameters_.empty())
    differentiated_.emplace(form_.linear, form_.questions(),
                            CompiledOptions{.budget = choice.budget, .derivatives = parameters_});
  const PrincipalForm switches = switches_of(form_);
  smooth_ = switches.laws.empty();
  if (!smooth_) switches_.emplace(switches, form_.linear.symbols.values(), symbols_of(form_.linear.symbols, parameters_));
  state_unknowns();
  state_inputs(graph, choice);
  coupling_ = coupling();
}

void BalanceSystem::state_unknowns() {
  const auto& arguments = form_.arguments;
  for (const auto& argument : arguments) {
    const auto base = std::ranges::find_if(arguments, [&](const auto& a) { return a.signal == argument.signal && !a.rate; });
    const std::size_t number =
        static_cast<std::size_t>(base != arguments.end() ? base - arguments.begin() : &argument - arguments.data());
    auto known = std::ranges::find(unknowns_, number, &Unknown::argument);
    if (known == unknowns_.end()) known = unknowns_.insert(known, {number});
    follows_.push_back({static_cast<std::size_t>(known - unknowns_.begin()), argument.rate && !arguments[number].rate});
  }
}

std::vector<BalanceSystem::Signal> BalanceSystem::signals() const {
  std::vector<Signal> result;
  const auto add = [&](NodeId node, std::size_t row) {
    const std::string& name = form_.linear[node].name;
    if (std::ranges::find(result, name, &Signal::name) == result.end()) result.push_back({name, row});
  };
  for (std::size_t k = 0; k < form_.sinks.size(); ++k) {  // outputs first; what laws depend on is known without a transmittance
    const auto same = std::ranges::find(form_.arguments, form_.sinks[k], &PrincipalForm::Argument::node);
    add(form_.sinks[k],
        same == form_.arguments.end() ? form_.arguments.size() + k : static_cast<std::size_t>(same - form_.arguments.begin()));
  }
  for (std::size_t a = 0; a < form_.arguments.size(); ++a) add(form_.arguments[a].node, a);
  return result;
}

void BalanceSystem::state_inputs(const SignalFlowGraph& graph, const Choice& choice) {
  const auto n = static_cast<Eigen::Index>(form_.sources.size());
  amplitudes_ = constants_ = Eigen::VectorXd::Zero(n);
  for (const PeriodicInput& input : choice.inputs) {
    const auto place = std::ranges::find(form_.sources, input.input);
    if (place == form_.sources.end())
      throw Error(graph.where, "'" + graph[input.input].name + "' is no input of the graph", "name one of its inputs");
    amplitudes_[place - form_.sources.begin()] += input.amplitude;
    constants_[place - form_.sources.begin()] += input.constant;
  }
}

std::vector<BalanceSystem::Point> BalanceSystem::open_points(const std::vector<Complex>& s, bool by_parameters) const {
  const CompiledResponse& response = by_parameters ? *differentiated_ : response_;
  const CompiledValues values = response.values(s, {}, {.tolerance = 0, .threads = 1, .budget = budget_});
  const std::size_t questions = response.question_count(), width = by_parameters ? parameters_.size() : 0;
  const auto rows = static_cast<Eigen::Index>(row_count()), columns = static_cast<Eigen::Index>(form_.input_count());
  std::vector<Point> all(s.size());
  for (std::size_t p = 0; p < s.size(); ++p) {
    const auto matrix = [&](auto index) {
      MatrixXcd m(rows, columns);
      for (Eigen::Index c = 0; c < columns; ++c)
        for (Eigen::Index r = 0; r < rows; ++r)
          m(r, c) = values.value[index(static_cast<std::size_t>(c * rows + r)) * s.size() + p];
      return m;
    };
    all[p].T = matrix([](std::size_t q) { return q; });
    for (std::size_t d = 0; d < width; ++d)
      all[p].by_parameter.push_back(matrix([&](std::size_t q) { return questions + q * width + d; }));
  }
  return all;
}

BalanceSystem::Point BalanceSystem::shifted(Point open, const MatrixXcd& K) const {
  const auto laws = static_cast<Eigen::Index>(law_count()), sources = static_cast<Eigen::Index>(source_count());
  const auto rows_of_unknowns = [&](const MatrixXcd& m) {
    MatrixXcd v(static_cast<Eigen::Index>(unknowns_.size()), m.cols());
    for (std::size_t u = 0; u < unknowns_.size(); ++u)
      v.row(static_cast<Eigen::Index>(u)) = m.row(static_cast<Eigen::Index>(unknowns_[u].argument));
    return v;
  };
  const MatrixXcd Tv = rows_of_unknowns(open.T);
  const MatrixXcd loop = MatrixXcd::Identity(Tv.rows(), Tv.rows()) + Tv.middleCols(sources, laws) * K;
  const MatrixXcd KT = K * loop.partialPivLu().solve(Tv);    // what the feedback makes of the sources and laws
  const auto moved = [&](const MatrixXcd& d) -> MatrixXcd {  // the derivative of T̃ by that of T
    const MatrixXcd Df = d.middleCols(sources, laws);
    const MatrixXcd part = d - Df * KT;
    return part - open.T.middleCols(sources, laws) * (K * loop.partialPivLu().solve(rows_of_unknowns(part)));
  };
  Point result;
  result.K = K;
  for (const MatrixXcd& d : open.by_parameter) result.by_parameter.push_back(moved(d));
  result.T = open.T - open.T.middleCols(sources, laws) * KT;
  return result;
}

/// A generic matrix whose feedback is about as strong as the linear part.
Eigen::MatrixXd BalanceSystem::coupling() const {
  const auto laws = static_cast<Eigen::Index>(law_count()), count = static_cast<Eigen::Index>(unknowns_.size());
  if (laws == 0) return Eigen::MatrixXd::Zero(laws, count);
  double strength = 0;
  for (const Point& point :
       open_points({Complex(0, frequency_), Complex(0, 0.37 * frequency_), Complex(0, 2.9 * frequency_)}, false)) {
    double most = 0;
    for (const Unknown& unknown : unknowns_)
      for (Eigen::Index law = 0; law < laws; ++law)
        most = std::max(most, std::abs(point.T(static_cast<Eigen::Index>(unknown.argument),
                                               static_cast<Eigen::Index>(source_count()) + law)));
    if (most > 0 && std::isfinite(most)) strength = std::max(strength, 1 / most);
  }
  Eigen::MatrixXd K(laws, count);
  for (Eigen::Index i = 0; i < laws; ++i)
    for (Eigen::Index u = 0; u < count; ++u)
      K(i, u) = (strength > 0 ? strength : 1) * (i % count == u ? 1.0 : 0.3) *
                (1 + 0.1 * std::sin(7.0 * static_cast<double>(i) + 3.0 * static_cast<double>(u)));
  return K;
}

/// T̃(0) by Cauchy's integral; what has a pole there is infinite.
BalanceSystem::Mean BalanceSystem::mean_on_circle(double radius, bool by_parameters) const {
  constexpr int count = 16;
  std::vector<Complex> s;
  for (int i = 0; i < count; ++i) s.push_back(std::polar(radius, 2 * std::numbers::pi * (i + 0.5) / count));
  Point mean;
  MatrixXcd pole;
  Eigen::MatrixXd size;
  const std::vector<Point> open = open_points(s, by_parameters);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Point at = shifted(open[i], coupling_);
    if (i == 0) {
      mean = at;
      pole = at.T * s[i];
      size = at.T.cwiseAbs() / count;
      continue;
    }
    mean.T += at.T;
    pole += at.T * s[i];
    size += at.T.cwiseAbs() / count;
    for (std::size_t d = 0; d < at.by_parameter.size(); ++d) mean.by_parameter[d] += at.by_parameter[d];
  }
  const auto real = [](MatrixXcd& m) { m = (m.real() / static_cast<double>(count)).cast<Complex>().eval(); };
  real(mean.T);
  for (MatrixXcd& d : mean.by_parameter) real(d);
  constexpr double there = 1e-6;
  for (Eigen::Index i = 0; i < mean.T.size(); ++i)
    if (std::abs(pole(i)) / count > there * radius * size(i)) mean.T(i) = std::numeric_limits<double>::infinity();
  return {std::move(mean), std::move(size)};
}

const BalanceSystem::Point& BalanceSystem::at_zero(bool by_parameters) const {
  if (const auto known = zero_.find(by_parameters); known != zero_.end()) return known->second;
  const Point open = open_points({Complex(0, 0)}, by_parameters).front();
  bool finite = open.T.allFinite();
  for (const MatrixXcd& d : open.by_parameter) finite = finite && d.allFinite();
  if (finite) {
    const MatrixXcd none = MatrixXcd::Zero(static_cast<Eigen::Index>(law_count()), static_cast<Eigen::Index>(unknowns_.size()));
    return zero_[by_parameters] = shifted(open, none);
  }
  Point best;
  double least = std::numeric_limits<double>::infinity();
  Eigen::Index fewest = std::numeric_limits<Eigen::Index>::max();  // entries without a value
  Mean last = mean_on_circle(frequency_, by_parameters);
  for (double radius = frequency_ / 2; radius > 1e-7 * frequency_; radius /= 2) {
    Mean here = mean_on_circle(radius, by_parameters);
    double change = 0;
    for (Eigen::Index i = 0; i < here.size.size(); ++i) {
      const Complex now = here.point.T(i), before = last.point.T(i);
      if (std::isfinite(now.real()) || std::isfinite(before.real()))
        change = std::max(change, std::abs(now - before) / (1e-300 + here.size(i)));
    }
    const Eigen::Index without = (!here.point.T.array().isFinite()).count();
    if (std::isfinite(change) && (without < fewest || (without == fewest && change < least)))
      least = change, fewest = without, best = here.point;
    last = std::move(here);
  }
  if (least > 1e-6)
    throw NoAnswer("the linear part has no steady state at frequency 0 that could be found",
                   "give the inputs a way to the outputs");
  return zero_[by_parameters] = std::move(best);
}

std::vector<BalanceSystem::Point> BalanceSystem::points(const std::vector<double>& frequencies, bool by_parameters) const {
  std::vector<Complex> s;
  for (const double w : frequencies)
    if (w != 0) s.emplace_back(0, w);
  std::vector<Point> open = open_points(s, by_parameters), all;
  std::size_t next = 0;
  for (const double w : frequencies) {
    if (w == 0) {
      all.push_back(at_zero(by_parameters));
      continue;
    }
    if (!open[next].T.allFinite())  // a pole on the axis at this very frequency
      open[next] = open_points({Complex(0, w * (1 + 1e-13))}, by_parameters).front();
    all.push_back(shifted(std::move(open[next++]), feedback()));
  }
  return all;
}

}  // namespace sfg
