#include "sfg/nonlinear/run/run_events.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/laws_with_memory.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::VectorXd;
using GiNaC::ex;

constexpr unsigned plain = GiNaC::subs_options::no_pattern;

std::size_t number_of(Index k) { return static_cast<std::size_t>(k); }

/// Whether a function is but a way to find knots and steps.
bool is_periodic(const ex& function) { return function_name(function) == "sin" && function.op(0).has(GiNaC::Pi); }

}  // namespace

ModesBefore::ModesBefore(const SlidingModes& of) : levels(of.levels()) {
  for (Index k = 0; k < of.size(); ++k) modes.push_back(of.mode(k)), slid.push_back(of.slides(k));
}

std::vector<ModeChange> changes_of(const SlidingModes& modes, const ModesBefore& before, const std::vector<bool>& friction) {
  std::vector<ModeChange> found;
  for (Index k = 0; k < modes.size(); ++k) {
    const int was = before.modes[number_of(k)], is = modes.mode(k);
    const double step = modes.is_floor(k) ? modes.levels()[k] - before.levels[k] : 0;
    if (was == is && step == 0) continue;
    const int direction = is == 0 ? -was : was != 0 && step != 0 ? (step > 0 ? 1 : -1) : is;
    // What stands at its edge has the law's own value there: it is held by nothing.
    if (modes.slides(k))
      found.push_back({k, friction[number_of(k)] ? "stick" : "hold", direction});
    else if (before.slid[number_of(k)])
      found.push_back({k, friction[number_of(k)] ? "slip" : "leave", direction});
    else
      found.push_back({k, "switch", direction});
  }
  return found;
}

std::vector<std::string> notes_of_events(std::size_t count) {
  if (count <= most_listed_events) return {};
  return {"there were " + std::to_string(count) + " events, of which the first " + std::to_string(most_listed_events) +
          " are listed"};
}

RunEvents::RunEvents(const SignalFlowGraph& graph, CoupledSystem& system) : graph_(graph), system_(system) {
  const PrincipalForm& form = system.form();
  std::vector<ex> laws;
  for (const auto& law : form.laws) laws.push_back(law.law);
  const auto law_with = [&](const ex& symbol) {
    for (std::size_t i = 0; i < laws.size(); ++i)
      if (laws[i].has(symbol)) return i;
    return laws.size();
  };
  const auto is_rate = [](const ex& function, const auto& argument) { return argument.rate && function.has(argument.symbol); };
  for (const Jump& jump : system.jumps()) {
    jumps_.push_back({jump.function, law_with(jump.sign)});
    friction_.push_back(jump.kind == JumpKind::grip || std::ranges::any_of(form.arguments, [&](const auto& argument) {
                          return is_rate(jump.function, argument);
                        }));
  }
  // As the compiled laws number them.
  std::size_t known = 0;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const auto all = explicit_laws({laws.begin(), laws.begin() + static_cast<std::ptrdiff_t>(i) + 1}).switches;
    for (; known < all.size(); ++known) switches_.push_back({all[known].function, i});
  }
  for (const auto& argument : form.arguments)
    names_[argument.symbol] = GiNaC::symbol(argument.rate ? form.linear.op.name_of_rate(argument.signal) : argument.signal);
  names_[form.time] = GiNaC::symbol("t");
  for (const Jump& jump : system.jumps())
    if (jump.kind == JumpKind::floor) names_[jump.level] = 0;
}

std::vector<double> RunEvents::switches(double t, const VectorXd& x) {
  std::vector<double> values(switches_.size());
  if (!values.empty()) system_.switching(t, x, values.data());
  return values;
}

void RunEvents::before(double t, const VectorXd& x) {
  modes_.emplace(system_.modes());
  outputs_ = system_.law_outputs(t, x);
  signs_ = switches(t, x);
}

void RunEvents::after(double t, const VectorXd& x, std::span<const int> changes) {
  const std::vector<ModeChange> changed = changes_of(system_.modes(), *modes_, friction_);
  const std::vector<double> signs = changes.empty() ? switches(t, x) : std::vector<double>();
  outputs_after_ = system_.law_outputs(t, x);
  for (const ModeChange& change : changed) {
    Source source = jumps_[number_of(change.jump)];
    const Jump& jump = system_.jumps()[number_of(change.jump)];
    if (jump.kind == JumpKind::relay) source.function = source.function.subs(jump.sign == -change.direction, plain);
    add(t, source, change.kind, change.direction);
  }
  for (std::size_t i = 0; i < switches_.size(); ++i) {
    const int way = !changes.empty() ? changes[i] : signs_[i] * signs[i] < 0 ? (signs[i] > 0 ? 1 : -1) : 0;
    if (way != 0)
      add(t, switches_[i], system_.laws().jumps(i) ? "switch" : "corner", is_periodic(switches_[i].function) ? 0 : way);
  }
}

void RunEvents::add(double t, const Source& source, const std::string& kind, int direction) {
  if (++count > most_listed_events) return;
  RunEvent event{.time = t, .kind = kind, .function = text_of(source.function), .direction = direction};
  if (source.law < system_.form().laws.size()) {
    const Branch& branch = graph_[system_.form().laws[source.law].branch];
    event.name = graph_[branch.from].name + " -> " + graph_[branch.to].name;
    const auto value = [&](const VectorXd& outputs) {
      const double y = outputs[static_cast<Index>(source.law)];
      return std::isfinite(y) ? std::optional(y) : std::nullopt;
    };
    event.before = value(outputs_);
    event.after = value(outputs_after_);
  }
  found.push_back(std::move(event));
}

std::string RunEvents::text_of(const ex& function) {
  if (is_periodic(function)) return {};
  const auto [place, fresh] = texts_.try_emplace(function);
  if (fresh) place->second = print(function.subs(names_, plain));
  return place->second;
}

}  // namespace sfg
