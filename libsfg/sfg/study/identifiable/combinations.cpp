#include "sfg/study/identifiable/combinations.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "sfg/expr/print.hpp"
#include "sfg/study/identifiable/candidates.hpp"

namespace sfg {

namespace {

using ring::EchelonForm;
using ring::Polynomial;

/// The choice among the functions that have one value.
class Choice {
 public:
  Choice(const Told& told, const std::vector<Fibre>& fibres, const Budget& budget)
      : told_(told), fibres_(fibres), budget_(budget) {}

  /// Keeps what has one value. @param alone  parameters, which stay chosen
  void add(const std::vector<ToldFunction>& candidates, bool alone = false) {
    for (const ToldFunction& f : candidates) {
      budget_.check("looking for combinations of parameters");
      const std::string text = text_of(f);
      if (!seen_.insert(text).second) continue;
      bool found = true;
      for (const Fibre& fibre : fibres_) {
        const auto gradient = fibre.gradient(f);
        found = found && std::ranges::any_of(gradient, [](std::uint64_t g) { return g != 0; }) && !fibre.moves(gradient) &&
                (!fibre.solved() || fibre.one_value(f));
      }
      if (found) found_.push_back({f, length_of(told_, f), text, fibres_.front().gradient(f), alone});
    }
    std::ranges::stable_sort(found_,
                             [](const One& a, const One& b) { return std::tie(a.length, a.text) < std::tie(b.length, b.text); });
  }

  bool complete() const { return independent().size() == fibres_.front().rank() - told_.relations.size(); }

  ToldCombinations independent_ones() const { return of(independent(), false); }
  /// @param plain  among what was added: what says all if it is independent, however long
  ToldCombinations chosen(const std::vector<ToldFunction>& plain) const {
    std::vector<std::size_t> set = independent();
    bool all = exchange(set);
    if (!all) {
      std::vector<std::size_t> other = independent_from(plain);
      all = solutions(other) == wanted();
      if (all) shorten(other), set = other;
    }
    std::ranges::sort(set);
    return of(set, all);
  }

 private:
  struct One {
    ToldFunction function;
    std::vector<std::size_t> length;
    std::string text;
    EchelonForm::Row gradient;
    bool alone = false;
  };
  static constexpr std::size_t most_tries = 150;

  static std::string text_of(const ToldFunction& f) { return print(f.above) + "/" + print(f.below); }
  ToldCombinations of(const std::vector<std::size_t>& set, bool generate) const {
    ToldCombinations result{{}, generate};
    for (const std::size_t k : set) result.functions.push_back(found_[k].function);
    return result;
  }
  /// Others for some, while that leaves fewer solutions. @return they say all
  bool exchange(std::vector<std::size_t>& set) const {
    std::optional<std::size_t> left = solutions(set);
    for (std::size_t tries = 0; left != wanted() && tries < most_tries;) {
      bool better = false;
      for (std::size_t c = 0; c < found_.size() && !better && tries < most_tries; ++c)
        for (std::size_t k = set.size(); k-- > 0 && !better && tries < most_tries;) {
          std::vector<std::size_t> other = set;
          other[k] = c;
          if (found_[set[k]].alone || std::ranges::find(set, c) != set.end() || !are_independent(other)) continue;
          ++tries;
          budget_.check("looking for combinations that say all");
          const auto fewer = solutions(other);
          better = fewer && (!left || *fewer < *left);
          if (better) set = other, left = fewer;
        }
      if (!better) break;
    }
    return left == wanted();
  }
  /// Of a set that says all: shorter ones for the longest, while it goes on saying all.
  void shorten(std::vector<std::size_t>& set) const {
    std::ranges::sort(set, std::greater{});
    std::size_t tries = 0;
    for (std::size_t k = 0; k < set.size(); ++k)
      for (std::size_t c = 0; c < set[k] && tries < most_tries; ++c) {
        std::vector<std::size_t> other = set;
        other[k] = c;
        if (found_[set[k]].alone || std::ranges::find(set, c) != set.end() || !are_independent(other)) continue;
        ++tries;
        budget_.check("looking for combinations that say all");
        if (solutions(other) == wanted()) set = other;
      }
  }
  std::optional<std::size_t> wanted() const { return fibres_.front().solutions(); }
  EchelonForm with_relations() const {
    EchelonForm rows(fibres_.front().point().ring, told_.unknown.size());
    const Polynomial one = Polynomial::constant(told_.space.context(), 1);
    for (const Polynomial& relation : told_.relations) rows.add(fibres_.front().gradient({relation, one}));
    return rows;
  }
  std::vector<std::size_t> independent() const { return independent_from({}); }
  /// The shortest, but parameters that are found, and these functions, before all others.
  std::vector<std::size_t> independent_from(const std::vector<ToldFunction>& first) const {
    std::set<std::string> texts;
    for (const ToldFunction& f : first) texts.insert(text_of(f));
    EchelonForm rows = with_relations();
    std::vector<std::size_t> result;
    for (const bool late : {false, true})
      for (std::size_t k = 0; k < found_.size(); ++k)
        if (late != (found_[k].alone || texts.contains(found_[k].text)) && rows.add(found_[k].gradient)) result.push_back(k);
    return result;
  }
  bool are_independent(const std::vector<std::size_t>& set) const {
    EchelonForm rows = with_relations();
    return std::ranges::all_of(set, [&](std::size_t k) { return rows.add(found_[k].gradient); });
  }
  std::optional<std::size_t> solutions(const std::vector<std::size_t>& set) const {
    if (set.size() + told_.relations.size() != fibres_.front().rank()) return {};
    std::vector<ToldFunction> functions;
    for (const std::size_t k : set) functions.push_back(found_[k].function);
    return fibres_.front().solutions_of(functions);
  }

  const Told& told_;
  const std::vector<Fibre>& fibres_;
  const Budget& budget_;
  std::set<std::string> seen_;
  std::vector<One> found_;
};

/// As many as linear equations for the coefficients of the longest sums need.
std::vector<Fibre> points_for(const Told& told, const Fibre& first) {
  const std::size_t directions = std::max<std::size_t>(first.directions().size(), 1);
  std::vector<Fibre> points;
  for (std::uint64_t k = 0; k < most_summed / directions + 3 && (k == 0 || !first.directions().empty()); ++k)
    points.emplace_back(told, first.point().ring.prime(), 1000 + k);
  return points;
}

}  // namespace

ToldCombinations combinations(const Told& told, const std::vector<Fibre>& fibres, const std::vector<std::size_t>& single,
                              const Budget& budget) {
  Choice choice(told, fibres, budget);
  const Polynomial one = Polynomial::constant(told.space.context(), 1);
  std::vector<ToldFunction> alone;
  std::vector<std::size_t> loose;
  for (std::size_t k = 0; k < told.unknown.size(); ++k)
    if (std::ranges::find(single, k) != single.end())
      alone.push_back({Polynomial::variable(told.space.context(), told.unknown[k]), one});
    else
      loose.push_back(k);
  choice.add(alone, true);
  if (!fibres.front().solved()) {  // what is told has one value, and of nothing else it is known
    choice.add(quotient_candidates(told));
    return choice.independent_ones();
  }
  if (choice.complete()) return choice.chosen({});
  const std::vector<Fibre> points = points_for(told, fibres.front());
  choice.add(product_candidates(told, points, loose));
  choice.add(sum_candidates(told, points, loose));
  choice.add(quotient_candidates(told));
  const std::vector<ToldFunction> plain = plain_quotients(told);
  choice.add(plain);
  return choice.chosen(plain);
}

}  // namespace sfg
