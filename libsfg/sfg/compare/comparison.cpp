#include "sfg/compare/comparison.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/control/poles.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

/// The parameters one of which, or all of which, make the difference by their values.
Explanations of_values(const ModelPair& pair, const std::vector<StatedValue>& different, const ComparisonOptions& options) {
  Explanations found;
  const auto explanation = [](const StatedValue& value) {
    return Explanation{Explanation::Kind::parameter,
                       Explanation::Side::both,
                       Explanation::Change::gain,
                       value.name,
                       "",
                       *value.a,
                       *value.b,
                       true};
  };
  for (const StatedValue& value : different) {
    ModelPair other = pair;
    other.a.graph.symbols.find(value.name)->value = *value.b;
    if (!equality(with_values(other), {.budget = options.budget, .seed = options.seed}).all()) continue;
    found.alternatives.push_back(explanation(value));
    return found;
  }
  for (const StatedValue& value : different) found.together.push_back(explanation(value));
  return found;
}

/// The factor of the operator that a transfer function has cancelled; "" where there is none.
std::string cancelled(const TransferFunction& transfer) {
  const bool modes = transfer.value.space().size() > 0 && transfer.cancelled.depends_on(0);
  return modes ? print(transfer.cancelled) : "";
}

/// Whether a mode that cancels does not decay, with the stated values; false where they do not tell.
bool unstable_when_cancelled(const TransferFunction& transfer, const SignalFlowGraph& graph) {
  try {
    const PolesZeros found = poles_zeros(exact_transfer(transfer, graph));
    return std::ranges::any_of(found.hidden, [&](const Mode& mode) {
      return graph.op.discrete() ? std::abs(mode.pole.value) >= 1 : mode.pole.value.real() >= 0;
    });
  } catch (const Failure&) {
    return false;
  }
}

class Comparing {
 public:
  Comparing(ComparedModel a, ComparedModel b, const ComparisonOptions& options) : options_(options) {
    result_.a = a.name;
    result_.b = b.name;
    pair_ = paired(std::move(a), std::move(b), options.names);
    result_.notes = pair_.notes;
    result_.op = pair_.a.graph.op;
    result_.valued = options.values;
    result_.limits = options.within;
    for (const StatedValue& value : stated_values(pair_)) {
      if (value.a && value.b && !vanishes(*value.a - *value.b)) result_.different_values.push_back(value);
      if (value.a.has_value() != value.b.has_value()) result_.one_sided_values.push_back(value);
    }
  }

  Comparison run() && {
    const ModelPair compared = options_.values ? with_values(pair_) : pair_;
    Equality found = equality(compared, how());
    show_difference(compared, found);
    result_.method = found.method;
    result_.functions = found.functions;
    result_.error_probability = found.error_probability;
    result_.same = combined(found.same);
    list_transfers(found);
    note_hidden_modes(found);
    compare_values();
    if (options_.explain && result_.same == Sameness::different) explain(compared);
    if (options_.within) {
      result_.deviations = deviations(pair_, *options_.within, options_.budget);
      result_.same = std::ranges::all_of(result_.deviations, &PairDeviation::within) ? Sameness::same : Sameness::different;
    }
    return std::move(result_);
  }

 private:
  void list_transfers(Equality& found) {
    for (std::size_t i = 0; i < pair_.transfers.size(); ++i) {
      const TransferPair& transfer = pair_.transfers[i];
      result_.transfers.push_back({pair_.a.graph[transfer.a.input].name,
                                   pair_.a.graph[transfer.a.output].name,
                                   pair_.b.graph[transfer.b.input].name,
                                   pair_.b.graph[transfer.b.output].name,
                                   found.same[i],
                                   {},
                                   {}});
      if (!found.a.empty()) result_.transfers.back().a = found.a[i];
      if (!found.b.empty()) result_.transfers.back().b = found.b[i];
    }
  }

  /// What is cancelled in one of two equal transfer functions, and not in the other.
  void note_hidden_modes(const Equality& found) {
    if (found.a.empty() || found.b.empty() || result_.same != Sameness::same) return;
    for (std::size_t i = 0; i < found.a.size(); ++i) {
      const std::string in_a = cancelled(found.a[i]), in_b = cancelled(found.b[i]);
      if (in_a == in_b) continue;
      const auto modes = [](const std::string& name, const std::string& factor, bool unstable) {
        return name + (factor.empty() ? " cancels nothing" : " cancels " + factor) + (unstable ? ", which is unstable" : "");
      };
      result_.notes.push_back("hidden modes differ in " + result_.transfers[i].output + "/" + result_.transfers[i].input + ": " +
                              modes("A", in_a, unstable_when_cancelled(found.a[i], pair_.a.graph)) + ", " +
                              modes("B", in_b, unstable_when_cancelled(found.b[i], pair_.b.graph)) +
                              "; the transfer function is the same, the models are not");
    }
  }

  EqualityOptions how() const {
    return {.budget = options_.budget, .seed = options_.seed, .exact_terms = options_.exact_terms, .positive = options_.positive};
  }

  void compare_values() {
    if (options_.values) return;
    const bool any = std::ranges::any_of(stated_values(pair_), [](const StatedValue& v) { return v.a || v.b; });
    if (!any || (result_.same == Sameness::same && result_.different_values.empty())) return;
    try {
      const ModelPair valued = with_values(pair_);
      Equality found = equality(valued, how());
      if (combined(found.same) == Sameness::open) prove_apart(valued, found);
      if (const Sameness same = combined(found.same); same != Sameness::open) result_.same_with_values = same == Sameness::same;
    } catch (const Error&) {  // the values divide by zero
    } catch (const NoAnswer&) {
    }
  }

  /// What is open differs where numbers show it.
  std::optional<Counterexample> prove_apart(const ModelPair& compared, Equality& found) {
    std::optional<Counterexample> shown;
    for (std::size_t i = 0; i < found.same.size(); ++i) {
      if (found.same[i] == Sameness::same || (found.same[i] == Sameness::different && shown)) continue;
      const bool open = found.same[i] == Sameness::open;
      auto here = plain_point(compared, i, !open);
      if (open && !here) {
        const auto point = point_apart(compared, i, {.positive = options_.positive, .budget = options_.budget});
        if (!point) continue;
        point_apart_ = *point;
      }
      found.same[i] = Sameness::different;
      if (open) found.method = Equality::Method::balls;
      if (!shown) shown = std::move(here);
    }
    return shown;
  }

  std::optional<Counterexample> plain_point(const ModelPair& compared, std::size_t i, bool known) {
    try {
      return counterexample(compared, i, {.known = known, .positive = options_.positive, .budget = options_.budget});
    } catch (const Error& error) {
      no_values_ = error.what();
    } catch (const NoAnswer& error) {
      no_values_ = error.what();
    }
    return {};
  }

  void show_difference(const ModelPair& compared, Equality& found) {
    result_.counterexample = prove_apart(compared, found);
    const Sameness same = combined(found.same);
    if (same == Sameness::same || result_.counterexample) return;
    if (!no_values_.empty()) result_.notes.push_back("no values are shown: " + no_values_);
    if (!point_apart_.empty())
      result_.notes.push_back("a point at which they differ: " + point_apart_);
    else if (same == Sameness::different && no_values_.empty())
      result_.notes.emplace_back("the difference is proved modulo a prime; it does not show in decimals");
  }

  void explain(const ModelPair& compared) {
    const ExplanationOptions how{.budget = options_.budget, .seed = options_.seed};
    try {
      if (options_.values && !result_.different_values.empty() &&
          equality(pair_, {.budget = options_.budget, .seed = options_.seed}).all()) {
        result_.explanations = of_values(pair_, result_.different_values, options_);
        return;
      }
      if (options_.values && result_.different_values.empty()) result_.explanations = explanations(pair_, how);
      if (result_.explanations.alternatives.empty()) {
        Explanations other = explanations(compared, how);
        if (!other.alternatives.empty() || result_.explanations.together.empty()) result_.explanations = std::move(other);
      }
    } catch (const LimitReached& limit) {
      result_.notes.push_back(std::string("the search for what differs ended early: ") + limit.what());
    }
  }

  const ComparisonOptions& options_;
  ModelPair pair_;
  Comparison result_;
  std::string no_values_, point_apart_;
};

}  // namespace

Comparison compare(ComparedModel a, ComparedModel b, const ComparisonOptions& options) {
  return Comparing(std::move(a), std::move(b), options).run();
}

}  // namespace sfg
