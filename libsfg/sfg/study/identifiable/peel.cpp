
#include "sfg/study/identifiable/told.hpp"

#include <algorithm>
#include <optional>

namespace sfg {

namespace {

using ring::Polynomial;

class Peeling {
 public:
  explicit Peeling(Told& told) : told_(told) { told_.found.assign(told_.unknown.size(), false); }

  void run() {
    for (bool going = true; going;) {
      going = false;
      for (auto& group : told_.groups) {
        if (group.size() > most_members ||
            std::ranges::any_of(group, [](const Polynomial& p) { return p.term_count() > most_terms; }))
          continue;
        while (shorten(group)) {
        }
        going = find(group) || going;
      }
    }
  }

 private:
  static constexpr std::size_t most_members = 60, most_terms = 400;

  bool is_open(std::size_t variable) const {
    const auto at = std::ranges::find(told_.unknown, variable);
    return at != told_.unknown.end() && !told_.found[static_cast<std::size_t>(at - told_.unknown.begin())];
  }
  /// The parameter alone on which it depends, of those not found; {}: of several. Without any: `none`.
  std::optional<std::size_t> only_open(const Polynomial& p, std::size_t none) const {
    std::size_t result = none;
    for (std::size_t k = 0; k < told_.unknown.size(); ++k) {
      if (told_.found[k] || !p.depends_on(told_.unknown[k])) continue;
      if (result != none) return {};
      result = k;
    }
    return result;
  }
  Polynomial variable(std::size_t v) const { return Polynomial::variable(told_.space.context(), v); }

  /// Members lose what they share, powers of what is found, and multiples of other members.
  bool shorten(std::vector<Polynomial>& group) {
    Polynomial shared = group.front();
    for (const Polynomial& p : group) shared = gcd(shared, p);
    for (Polynomial& p : group) {
      p = exact_quotient(p, shared)->primitive();
      for (std::size_t v = 0; v < told_.space.size(); ++v)
        if (p.depends_on(v) && !is_open(v))
          while (auto less = exact_quotient(p, variable(v))) p = std::move(*less);
    }
    for (Polynomial& p : group)
      for (const Polynomial& other : group)
        if (&p != &other && subtract(p, other)) return true;
    return false;
  }
  /// p − factor·other where that is shorter, the factor of what is known and found.
  bool subtract(Polynomial& p, const Polynomial& other) const {
    if (other.term_count() > p.term_count() || other.is_constant()) return false;
    const Polynomial::Term leading = other.terms().front();
    for (const Polynomial::Term& term : p.terms()) {
      const std::optional<Polynomial> factor = quotient(term, leading);
      if (!factor) continue;
      Polynomial rest = p - *factor * other;
      if (rest.is_zero() || rest.term_count() >= p.term_count()) continue;
      p = rest.primitive();
      return true;
    }
    return false;
  }
  std::optional<Polynomial> quotient(const Polynomial::Term& a, const Polynomial::Term& b) const {
    const std::vector<Polynomial::Term> above{{a.coefficient / b.coefficient, a.powers}}, below{{1, b.powers}};
    auto result =
        exact_quotient(Polynomial::sum_of(told_.space.context(), above), Polynomial::sum_of(told_.space.context(), below));
    if (!result || only_open(*result, told_.unknown.size()) != told_.unknown.size()) return {};
    return result;
  }
  /// Two members whose quotient depends on one parameter, by (ax + b)/(cx + d): it has one value.
  bool find(const std::vector<Polynomial>& group) {
    const std::size_t none = told_.unknown.size();
    bool any = false;
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto parts = gcd_cofactors(group[i], group[j]);
        const auto above = only_open(parts.a, none), below = only_open(parts.b, none);
        if (!above || !below || (*above == none && *below == none) || (*above != none && *below != none && *above != *below))
          continue;
        const std::size_t k = *above == none ? *below : *above;
        if (parts.a.degree(told_.unknown[k]) > 1 || parts.b.degree(told_.unknown[k]) > 1) continue;
        told_.found[k] = true;
        any = true;
      }
    return any;
  }

  Told& told_;
};

}  // namespace

void peel(Told& told) { Peeling(told).run(); }

}  // namespace sfg
