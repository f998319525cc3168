// A response is a sum of parts: of each output and each drive or initial value, T(s) times an amplitude. By the coefficients of T
// in double precision a part costs the exponential of one matrix and a product a time; the certified passes say whether that is
// right.
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/response/driven_response.hpp"
#include "sfg/study/fit/coefficient_response.hpp"
#include "sfg/study/fit/signal_residuals.hpp"
#include "sfg/study/local/exact_sensitivity.hpp"
#include "sfg/study/measures/coefficient_program.hpp"
#include "sfg/transfer/sequence_definitions.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A function of the parameters and its derivatives by them.
struct Amplitude {
  GiNaC::ex expression;                    ///< in the parameters that are to be found and, of a drive, the time
  std::optional<numeric::Tape> tape = {};  ///< of one without the time
};

/// What an output has of one drive or initial value.
struct ResponsePart {
  std::size_t output = 0;
  std::size_t source = 0;                          ///< among drives, then initial values
  Question question;                               ///< in the graph, or in the one that is released
  std::optional<numeric::Tape> coefficients = {};  ///< with derivatives
  std::size_t numerator = 0, denominator = 0;
  bool delayed = false;
};

class LinearResiduals : public SignalResiduals {
 public:
  LinearResiduals(const SignalFlowGraph& graph, SignalQuestion question, const std::vector<std::string>& parameters,
                  std::vector<double> times, std::vector<SignalSamples> samples, const Budget& budget)
      : SignalResiduals(graph, std::move(question), parameters, std::move(times), std::move(samples), budget) {
    for (const Drive& drive : question_.drives)
      add_amplitude(std::holds_alternative<GiNaC::ex>(drive.signal) ? std::get<GiNaC::ex>(drive.signal) : GiNaC::ex(1));
    for (const SignalQuestion::Start& start : question_.initial) add_amplitude(start.value);
    add_parts();
    compile_parts();
  }

  bool check(std::span<const double> parameters) override {
    if (!quick_) return true;
    const std::vector<Drive> stated = question_.drives;
    // Of a long record the beginning, held: exact responses cost as much a point as the whole fit.
    for (Drive& drive : question_.drives)
      if (auto* signal = std::get_if<SampledSignal>(&drive.signal)) {
        constexpr std::size_t points = 8;
        signal->time.resize(std::min(points, signal->time.size()));
        signal->value.resize(signal->time.size());
      }
    const bool right = agrees(parameters);
    question_.drives = stated;
    return right;
  }

  std::vector<std::string> notes() const override { return notes_; }

 protected:
  FollowedSignals follow(std::span<const double> parameters, bool slopes) override {
    budget_.check("the fit");
    if (quick_) return quickly(parameters, slopes);
    std::vector<VectorXd> directions;
    for (std::size_t k = 0; slopes && k < names_.size(); ++k)
      directions.push_back(VectorXd::Unit(static_cast<Index>(names_.size()), static_cast<Index>(k)));
    return certified(parameters, times(), directions);
  }

 private:
  bool agrees(std::span<const double> parameters) {
    FollowedSignals quick;
    try {
      quick = quickly(parameters, true);
    } catch (const NoAnswer&) {
      return quick_ = false;
    }
    // At some of the times: exact responses to a long record cost many times the whole fit.
    constexpr std::size_t most = 6;
    std::vector<double> some;
    std::vector<Index> rows;
    const std::size_t count = times().size(), shown = graph_.op.discrete() ? count : std::min(count, most);
    for (std::size_t i = 0; i < shown; ++i) {
      rows.push_back(static_cast<Index>(shown == 1 ? count - 1 : i * (count - 1) / (shown - 1)));
      some.push_back(times()[static_cast<std::size_t>(rows.back())]);
    }
    // All slopes in one direction, each as large as the others: what is wrong in any of them is wrong there. Of one that is 0 the
    // parameter moves as if the response were in proportion to it.
    VectorXd direction(static_cast<Index>(names_.size()));
    MatrixXd slope = MatrixXd::Zero(quick.value.rows(), quick.value.cols());
    for (std::size_t k = 0; k < names_.size(); ++k) {
      double size = largest(quick.slope[k]);
      if (size == 0 && parameters[k] != 0) size = largest(quick.value) / std::abs(parameters[k]);
      const int exponent = size > 0 && std::isfinite(size) ? std::ilogb(size) : 0;
      const double weight = std::ldexp(8 + static_cast<double>(5 * k % 8), -3 - exponent);  // few digits: it is exact
      direction[static_cast<Index>(k)] = weight;
      slope += weight * quick.slope[k];
    }
    const FollowedSignals right = certified(parameters, some, {direction});
    constexpr double agreeing = 1e-7;
    quick_ = agree(quick.value, rows, right.value, agreeing * largest(quick.value)) &&
             agree(slope, rows, right.slope.front(), 100 * agreeing);
    return quick_;
  }

  static double largest(const MatrixXd& values) { return values.size() == 0 ? 0 : values.cwiseAbs().maxCoeff(); }

  static bool agree(const MatrixXd& quick, const std::vector<Index>& rows, const MatrixXd& right, double tolerance) {
    if (quick.size() == 0) return true;
    double worst = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      worst = std::max(worst, largest(quick.row(rows[i]) - right.row(static_cast<Index>(i))));
    return worst <= tolerance + 1e-300;
  }

  void add_amplitude(const GiNaC::ex& stated) {
    Amplitude amplitude{stated.subs(values_, plain)};
    if (!amplitude.expression.has(question_.time)) {
      const numeric::Tape tape = compile(std::span(&amplitude.expression, 1), symbols_);
      if (tape.inputs().size() == symbols_.size()) amplitude.tape = with_jacobian(tape);
    }
    amplitudes_.push_back(std::move(amplitude));
  }

  void add_parts() {
    const auto mode = question_.inject ? Question::Mode::inject : Question::Mode::source;
    for (std::size_t o = 0; o < question_.outputs.size(); ++o)
      for (std::size_t j = 0; j < question_.drives.size(); ++j)
        parts_.push_back({o, j, {question_.drives[j].node, question_.outputs[o], mode, {}}});
    forced_ = parts_.size();
    if (question_.initial.empty()) return;
    std::vector<std::string> states;
    for (const SignalQuestion::Start& start : question_.initial) states.push_back(start.state);
    released_ = released_graph(graph_, states, question_.outputs, budget_);
    for (std::size_t o = 0; o < question_.outputs.size(); ++o)
      for (std::size_t i = 0; i < states.size(); ++i)
        parts_.push_back({o, question_.drives.size() + i, released_->questions[o][i]});
  }

  const SignalFlowGraph& graph_of(std::size_t part) const { return part < forced_ ? graph_ : released_->graph; }
  bool sampled(std::size_t source) const {
    return source < question_.drives.size() && std::holds_alternative<SampledSignal>(question_.drives[source].signal);
  }

  void compile_parts() {
    quick_ = std::ranges::all_of(amplitudes_, [](const Amplitude& each) { return each.tape.has_value(); }) &&
             (!graph_.op.discrete() || question_.initial.empty());
    for (std::size_t p = 0; quick_ && p < parts_.size(); ++p) try {
        const CoefficientProgram program(graph_of(p), parts_[p].question, names_, budget_);
        if (program.numerator_size() > program.denominator_size() || (program.delayed() && graph_.op.discrete())) quick_ = false;
        parts_[p].coefficients = with_jacobian(program.tape());
        parts_[p].numerator = program.numerator_size();
        parts_[p].denominator = program.denominator_size();
        parts_[p].delayed = program.delayed();
      } catch (const NoAnswer&) {
        quick_ = false;
      } catch (const LimitReached&) {
        budget_.check("the fit");
        quick_ = false;
      }
  }

  // ---- in double precision

  CoefficientDrive drive_of(const ResponsePart& part) const {
    if (part.source >= question_.drives.size()) return {{}, true};
    if (sampled(part.source)) return {std::get<SampledSignal>(question_.drives[part.source].signal), false};
    return {{{0}, {1}}, false};
  }

  FollowedSignals zeros(std::size_t count, bool slopes) const {
    const auto rows = static_cast<Index>(count), columns = static_cast<Index>(question_.outputs.size());
    FollowedSignals all{MatrixXd::Zero(rows, columns), {}};
    if (slopes) all.slope.assign(names_.size(), MatrixXd::Zero(rows, columns));
    return all;
  }

  /// The response to the source alone and its slopes by the coefficients.
  void respond(const ResponsePart& part, std::span<const double> coefficients, VectorXd& y, MatrixXd* slopes) const {
    const auto n = coefficients.first(part.numerator), d = coefficients.subspan(part.numerator, part.denominator);
    if (d.back() == 0) throw NoAnswer("the degree of the transfer function drops");
    const double delay = part.delayed ? coefficients[part.numerator + part.denominator] : 0;
    if (delay < 0) throw NoAnswer("the dead time is negative");
    const bool discrete = graph_.op.discrete();
    CoefficientResponse response(n, d, delay, discrete);
    if (!discrete) return response.follow(drive_of(part), times(), y, slopes);
    std::vector<double> input;
    for (const double t : times()) input.push_back(sampled(part.source) ? sample(part.source, t) : 1);
    response.step(input, y, slopes);
  }

  double sample(std::size_t source, double t) const {
    const auto& [time, value] = std::get<SampledSignal>(question_.drives[source].signal);
    const auto after = static_cast<std::size_t>(std::ranges::upper_bound(time, t) - time.begin());
    if (after == 0) return 0;
    if (after == time.size()) return value.back();
    return value[after - 1] + (t - time[after - 1]) / (time[after] - time[after - 1]) * (value[after] - value[after - 1]);
  }

  FollowedSignals quickly(std::span<const double> parameters, bool slopes) const {
    FollowedSignals all = zeros(times().size(), slopes);
    for (const ResponsePart& part : parts_) {
      if (part.numerator == 0) continue;
      const std::size_t size = part.numerator + part.denominator + (part.delayed ? 1 : 0), count = names_.size();
      const std::vector<double> coefficients = part.coefficients->values(parameters);
      const std::vector<double> amplitude = amplitudes_[part.source].tape->values(parameters);
      VectorXd y;
      MatrixXd by_coefficient;
      respond(part, std::span(coefficients).first(size), y, slopes ? &by_coefficient : nullptr);
      const auto column = static_cast<Index>(part.output);
      all.value.col(column) += amplitude[0] * y;
      if (!slopes) continue;
      for (std::size_t k = 0; k < count; ++k) {
        auto into = all.slope[k].col(column);
        if (amplitude[1 + k] != 0) into += amplitude[1 + k] * y;
        for (std::size_t c = 0; c < size; ++c)
          if (const double by = coefficients[size + c * count + k]; by != 0)
            into += amplitude[0] * by * by_coefficient.col(place(part, c));
      }
    }
    return all;
  }

  /// Of a coefficient among the slopes: those of a shorter numerator, then of the denominator, then by the dead time.
  static Index place(const ResponsePart& part, std::size_t coefficient) {
    if (coefficient < part.numerator) return static_cast<Index>(coefficient);
    return static_cast<Index>(part.denominator + coefficient - part.numerator);
  }

  // ---- by the certified passes

  /// The graph on its way in a direction: every parameter is its value and, as far as it moves, a multiple of a new one, which is
  /// 0.
  StudiedGraph along(const SignalFlowGraph& still, const GiNaC::exmap& numbers, const VectorXd& direction) const {
    SignalFlowGraph graph = still;
    const std::string name = unused_prefix(graph) + "1";
    const GiNaC::ex step = graph.symbols.symbol(name);
    graph.symbols.find(name)->value = GiNaC::ex(0);
    GiNaC::exmap moved;
    for (std::size_t k = 0; k < names_.size(); ++k)
      moved[symbols_[k]] = numbers.at(symbols_[k]) + numeric_value(exact::Rational::of(direction[static_cast<Index>(k)])) * step;
    return {graph.substituted(moved), {{name, step, step}}};
  }

  /// With a slope in every direction.
  FollowedSignals certified(std::span<const double> parameters, std::span<const double> at_times,
                            const std::vector<VectorXd>& directions) const {
    FollowedSignals all = zeros(at_times.size(), false);
    all.slope.assign(directions.size(), all.value);
    GiNaC::exmap numbers;
    for (std::size_t k = 0; k < names_.size(); ++k)
      numbers[symbols_[k]] = GiNaC::ex(numeric_value(exact::Rational::of(parameters[k])));
    for (const bool released : {false, true}) {
      const std::size_t first = released ? forced_ : 0, last = released ? parts_.size() : forced_;
      if (first == last) continue;
      const SignalFlowGraph graph = with_parameters(graph_of(first), names_, parameters);
      std::vector<Question> questions;
      for (std::size_t p = first; p < last; ++p) questions.push_back(parts_[p].question);
      const TransferOptions options{.budget = budget_};
      const std::vector<ExactTransfer> T = exact_transfers(graph, questions, options);
      for (std::size_t p = first; p < last; ++p)
        add(T[p - first], parts_[p], amplitudes_[parts_[p].source].expression, numbers, at_times, all.value);
      for (std::size_t d = 0; d < directions.size(); ++d) {
        const StudiedGraph moved = along(graph, numbers, directions[d]);
        const auto by = exact_sensitivities(moved, questions, moved.parameters.front(), options);
        for (std::size_t p = first; p < last; ++p) {
          const GiNaC::ex& amplitude = amplitudes_[parts_[p].source].expression;
          add(by[p - first], parts_[p], amplitude, numbers, at_times, all.slope[d]);
          GiNaC::ex slope = 0;
          for (std::size_t k = 0; k < names_.size(); ++k)
            slope +=
                numeric_value(exact::Rational::of(directions[d][static_cast<Index>(k)])) * derivative(amplitude, symbols_[k]);
          if (!slope.is_zero()) add(T[p - first], parts_[p], slope, numbers, at_times, all.slope[d]);
        }
      }
    }
    return all;
  }

  void add(const ExactTransfer& T, const ResponsePart& part, const GiNaC::ex& amplitude, const GiNaC::exmap& numbers,
           std::span<const double> at_times, MatrixXd& to) const {
    if (T.numerator.parts.empty()) return;
    const GiNaC::ex number = amplitude.subs(numbers, plain);
    const ForcedOptions options{.budget = budget_};
    TimeResponse response;
    if (part.source >= question_.drives.size()) {
      const auto value = double_value(number);
      if (!value) throw NoAnswer("an initial value is no number");
      response = released_response(T, *value, at_times, options);
    } else {
      const Drive& drive = question_.drives[part.source];
      response = driven_response(T, sampled(part.source) ? drive : Drive{drive.node, number}, question_.time, at_times, options);
    }
    for (std::size_t i = 0; i < at_times.size(); ++i)
      to(static_cast<Index>(i), static_cast<Index>(part.output)) += response.value[i];
  }

  std::vector<Amplitude> amplitudes_;  ///< by source
  std::vector<ResponsePart> parts_;
  std::size_t forced_ = 0;  ///< how many of them are of drives
  std::optional<ReleasedGraph> released_;
  bool quick_ = false;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<SignalResiduals> linear_residuals(const SignalFlowGraph& graph, SignalQuestion question,
                                                  const std::vector<std::string>& parameters, std::vector<double> times,
                                                  std::vector<SignalSamples> samples, const Budget& budget) {
  return std::make_unique<LinearResiduals>(graph, std::move(question), parameters, std::move(times), std::move(samples), budget);
}

}  // namespace sfg
