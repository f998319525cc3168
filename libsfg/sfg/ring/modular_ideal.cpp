#include "sfg/ring/modular_ideal.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "sfg/ring/echelon_form.hpp"

namespace sfg::ring {

namespace {

struct EffortSpent {};

PowerProduct multiplied(const PowerProduct& a, const PowerProduct& b) {
  PowerProduct result;
  result.degree = static_cast<std::uint16_t>(a.degree + b.degree);
  for (std::size_t i = 0; i < result.exponents.size(); ++i) {
    const unsigned sum = unsigned{a.exponents[i]} + b.exponents[i];
    if (sum > 255) throw EffortSpent{};
    result.exponents[i] = static_cast<std::uint8_t>(sum);
  }
  return result;
}

PowerProduct quotient(const PowerProduct& a, const PowerProduct& b) {
  PowerProduct result;
  result.degree = static_cast<std::uint16_t>(a.degree - b.degree);
  for (std::size_t i = 0; i < result.exponents.size(); ++i)
    result.exponents[i] = static_cast<std::uint8_t>(a.exponents[i] - b.exponents[i]);
  return result;
}

bool divides(const PowerProduct& a, const PowerProduct& b) {
  if (a.degree > b.degree) return false;
  for (std::size_t i = 0; i < a.exponents.size(); ++i)
    if (a.exponents[i] > b.exponents[i]) return false;
  return true;
}

PowerProduct with(const PowerProduct& a, const PowerProduct& b,
                  const std::uint8_t& (*choose)(const std::uint8_t&, const std::uint8_t&)) {
  PowerProduct result;
  for (std::size_t i = 0; i < result.exponents.size(); ++i)
    result.degree = static_cast<std::uint16_t>(result.degree + (result.exponents[i] = choose(a.exponents[i], b.exponents[i])));
  return result;
}
PowerProduct least_multiple(const PowerProduct& a, const PowerProduct& b) { return with(a, b, &std::max<std::uint8_t>); }
PowerProduct common(const PowerProduct& a, const PowerProduct& b) { return with(a, b, &std::min<std::uint8_t>); }

/// Two bits a variable: where those of a divisor are not all there, it is none.
std::uint64_t mask_of(const PowerProduct& power) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < power.exponents.size(); ++i)
    mask |= (std::uint64_t{power.exponents[i] > 0} | std::uint64_t{power.exponents[i] > 1} << 1U) << (2 * i);
  return mask;
}

/// A sum that many polynomials are added to, in lists of growing size (Yan 1998), and taken from term by term, the highest first.
class Sum {
 public:
  explicit Sum(const ModularRing& ring) : ring_(ring) {}

  /// factor·power·(the terms from `from`).
  void add(const ModularPolynomial& terms, std::size_t from, ModularRing::Value factor, const PowerProduct& power) {
    ModularPolynomial scaled;  // ascending, so that the highest is taken from the end
    scaled.reserve(terms.size() - from);
    for (std::size_t k = terms.size(); k-- > from;)
      scaled.push_back({multiplied(terms[k].power, power), ring_.multiply(terms[k].coefficient, factor)});
    put(std::move(scaled));
  }
  std::optional<ModularTerm> highest() {
    for (;;) {
      const ModularTerm* best = nullptr;
      for (const ModularPolynomial& list : lists_)
        if (!list.empty() && (best == nullptr || best->power < list.back().power)) best = &list.back();
      if (best == nullptr) return {};
      ModularTerm found{best->power, 0};
      for (ModularPolynomial& list : lists_)
        if (!list.empty() && list.back().power == found.power) {
          found.coefficient = ring_.add(found.coefficient, list.back().coefficient);
          list.pop_back();
        }
      if (found.coefficient != 0) return found;
    }
  }

 private:
  void put(ModularPolynomial ascending) {
    std::size_t place = 0;
    for (std::size_t room = 8; room < ascending.size(); room *= 4) ++place;
    for (;; ++place) {
      if (lists_.size() <= place) lists_.resize(place + 1);
      if (lists_[place].empty()) break;
      ascending = merged(ascending, std::exchange(lists_[place], {}));
      if (ascending.size() <= (std::size_t{8} << (2 * place))) break;
    }
    lists_[place] = std::move(ascending);
  }
  ModularPolynomial merged(const ModularPolynomial& a, const ModularPolynomial& b) const {
    ModularPolynomial result;
    result.reserve(a.size() + b.size());
    auto i = a.begin();
    auto j = b.begin();
    while (i != a.end() && j != b.end()) {
      if (i->power < j->power) {
        result.push_back(*i++);
      } else if (j->power < i->power) {
        result.push_back(*j++);
      } else {
        const auto sum = ring_.add(i->coefficient, j->coefficient);
        if (sum != 0) result.push_back({i->power, sum});
        ++i, ++j;
      }
    }
    result.insert(result.end(), i, a.end());
    result.insert(result.end(), j, b.end());
    return result;
  }

  const ModularRing& ring_;
  std::vector<ModularPolynomial> lists_;
};

}  // namespace

bool operator<(const PowerProduct& a, const PowerProduct& b) {
  if (a.degree != b.degree) return a.degree < b.degree;
  for (std::size_t i = a.exponents.size(); i-- > 0;)
    if (a.exponents[i] != b.exponents[i]) return a.exponents[i] > b.exponents[i];
  return false;
}

ModularPolynomial ordered(ModularPolynomial terms, const ModularRing& ring) {
  std::ranges::sort(terms, [](const ModularTerm& a, const ModularTerm& b) { return b.power < a.power; });
  ModularPolynomial result;
  for (const ModularTerm& term : terms) {
    if (!result.empty() && result.back().power == term.power)
      result.back().coefficient = ring.add(result.back().coefficient, term.coefficient);
    else
      result.push_back(term);
    if (result.back().coefficient == 0) result.pop_back();
  }
  return result;
}

/// A Gröbner basis, and how it comes about.
class ModularIdeal::Basis {
 public:
  Basis(const Terms& terms, std::uint64_t effort) : terms_(terms), left_(effort) {}

  const Terms& terms() const { return terms_; }
  std::uint64_t left() const { return left_; }
  void unlimited() { left_ = std::numeric_limits<std::uint64_t>::max(); }
  bool whole() const { return whole_; }
  std::vector<ModularPolynomial> polynomials() const {
    std::vector<ModularPolynomial> result;
    for (const Element& e : elements_)
      if (e.needed) result.push_back(e.terms);
    return result;
  }

  void generate(std::vector<ModularPolynomial> generators) {
    std::ranges::sort(generators, {}, [](const ModularPolynomial& p) {
      return std::pair(p.empty() ? 0U : unsigned{p.front().power.degree}, p.size());
    });
    for (ModularPolynomial& p : generators)
      if (!p.empty()) take(std::move(p), 0);
    while (!pairs_.empty() && !whole_) {
      if (fresh_) return again();
      const auto next = std::ranges::min_element(pairs_, [](const Pair& a, const Pair& b) {
        return std::tie(a.sugar, a.multiple.degree) < std::tie(b.sugar, b.multiple.degree);
      });
      const Pair pair = *next;
      *next = pairs_.back();
      pairs_.pop_back();
      ModularPolynomial difference = rest_of_pair(pair);
      if (!difference.empty()) add(std::move(difference), pair.sugar);
    }
    settle();
  }

  /// What was solved for goes out of all others, which may fall apart then: quicker than going on.
  void again() {
    std::vector<ModularPolynomial> all;
    for (Element& e : elements_) all.push_back(std::move(e.terms));
    elements_.clear(), pairs_.clear(), fresh_ = false;
    generate(std::move(all));
  }

  ModularPolynomial rest(const ModularPolynomial& polynomial) const {
    Sum sum(terms_.ring);
    sum.add(polynomial, 0, 1, {});
    return rest(sum);
  }

  /// Products of powers that no leading one divides; nothing where there are more than are counted.
  std::optional<std::vector<PowerProduct>> standard() const {
    if (whole_) return std::vector<PowerProduct>{};
    std::vector<PowerProduct> all{{}};
    for (std::size_t k = 0; k < all.size(); ++k)
      for (std::size_t i = 0; i < terms_.variables; ++i) {
        if (std::any_of(all[k].exponents.begin() + static_cast<std::ptrdiff_t>(i) + 1, all[k].exponents.end(),
                        [](std::uint8_t e) { return e > 0; }))
          continue;  // each is made once: by its last variable
        PowerProduct next = all[k];
        ++next.exponents[i], ++next.degree;
        if (divisor(next) != nullptr) continue;
        if (all.size() >= terms_.solutions) return {};
        all.push_back(next);
      }
    return all;
  }

 private:
  struct Element {
    ModularPolynomial terms;
    std::uint64_t mask = 0;
    unsigned sugar = 0;
    bool needed = true;
    const PowerProduct& leading() const { return terms.front().power; }
  };
  struct Pair {
    std::size_t a, b;
    PowerProduct multiple;
    unsigned sugar;
  };

  const Element* divisor(const PowerProduct& power) const {
    spend(elements_.size() / 4);
    const std::uint64_t mask = ~mask_of(power);
    for (const Element& e : elements_)
      if (e.needed && (e.mask & mask) == 0 && divides(e.leading(), power)) return &e;
    return nullptr;
  }
  ModularPolynomial rest(Sum& sum) const {
    ModularPolynomial result;
    while (const std::optional<ModularTerm> term = sum.highest()) {
      const Element* by = divisor(term->power);
      if (by == nullptr) {
        result.push_back(*term);
        continue;
      }
      spend(by->terms.size());
      sum.add(by->terms, 1, terms_.ring.negate(term->coefficient), quotient(term->power, by->leading()));
    }
    return result;
  }
  void spend(std::size_t products) const {
    if (left_ < products + 8) throw EffortSpent{};
    left_ -= products + 8;
  }
  ModularPolynomial rest_of_pair(const Pair& pair) const {
    const Element &a = elements_[pair.a], &b = elements_[pair.b];
    Sum sum(terms_.ring);
    sum.add(a.terms, 1, 1, quotient(pair.multiple, a.leading()));
    sum.add(b.terms, 1, terms_.ring.negate(1), quotient(pair.multiple, b.leading()));
    return rest(sum);
  }
  void take(ModularPolynomial polynomial, unsigned sugar) {
    sugar = std::max(sugar, unsigned{polynomial.front().power.degree});
    polynomial = rest(polynomial);
    if (!polynomial.empty()) add(std::move(polynomial), sugar);
  }
  /// What has its own normal form.
  void add(ModularPolynomial p, unsigned sugar) {
    if (terms_.units) {
      PowerProduct shared = p.front().power;
      for (const ModularTerm& term : p) shared = common(shared, term.power);
      if (shared.degree > 0) {
        for (ModularTerm& term : p) term.power = quotient(term.power, shared);
        return take(std::move(p), sugar - shared.degree);
      }
    }
    const PowerProduct leading = p.front().power;
    if (leading.degree == 0) whole_ = true;
    if (leading.degree == 1) {
      const std::size_t i = static_cast<std::size_t>(std::ranges::find(leading.exponents, 1) - leading.exponents.begin());
      fresh_ = fresh_ || !solved_[i];
      solved_[i] = true;
    }
    const auto unit = terms_.ring.inverse(p.front().coefficient);
    for (ModularTerm& term : p) term.coefficient = terms_.ring.multiply(term.coefficient, unit);
    Element e{std::move(p), 0, sugar, true};
    e.mask = mask_of(e.leading());
    pair_up(e);
    for (Element& old : elements_)
      if (old.needed && divides(e.leading(), old.leading())) old.needed = false;
    elements_.push_back(std::move(e));
  }
  /// The pairs of a new element that neither criterion of Buchberger's strikes.
  void pair_up(const Element& e) {
    const std::size_t number = elements_.size();
    const PowerProduct& leading = e.leading();
    std::erase_if(pairs_, [&](const Pair& old) {
      return divides(leading, old.multiple) && !(least_multiple(elements_[old.a].leading(), leading) == old.multiple) &&
             !(least_multiple(elements_[old.b].leading(), leading) == old.multiple);
    });
    std::vector<std::pair<Pair, bool>> fresh;  // and whether the leading powers are coprime
    for (std::size_t k = 0; k < number; ++k) {
      const Element& other = elements_[k];
      if (!other.needed) continue;
      const PowerProduct multiple = least_multiple(other.leading(), leading);
      const unsigned sugar = std::max(e.sugar - leading.degree, other.sugar - other.leading().degree) + multiple.degree;
      fresh.push_back({{k, number, multiple, sugar}, multiple.degree == leading.degree + other.leading().degree});
    }
    std::ranges::stable_sort(fresh, [](const auto& x, const auto& y) {
      return std::tuple(x.first.multiple.degree, !x.second) < std::tuple(y.first.multiple.degree, !y.second);
    });
    std::vector<std::pair<Pair, bool>> kept;
    for (const auto& one : fresh)
      if (std::ranges::none_of(kept, [&](const auto& k) { return divides(k.first.multiple, one.first.multiple); }))
        kept.push_back(one);
    for (const auto& [pair, coprime] : kept)
      if (!coprime) pairs_.push_back(pair);
  }
  /// Every element is replaced by what is left of it by the others.
  void settle() {
    std::vector<Element> needed;
    for (Element& e : elements_)
      if (e.needed) needed.push_back(std::move(e));
    elements_ = std::move(needed);
    for (Element& e : elements_) {
      ModularTerm leading = e.terms.front();
      Sum sum(terms_.ring);
      sum.add(e.terms, 1, 1, {});
      ModularPolynomial tail = rest(sum);
      e.terms.assign(1, leading);
      e.terms.insert(e.terms.end(), tail.begin(), tail.end());
    }
  }

  Terms terms_;
  mutable std::uint64_t left_;
  bool whole_ = false;
  bool fresh_ = false;  ///< a variable has been solved for, and the others do not know of it
  std::array<bool, PowerProduct::most_variables> solved_ = {};
  std::vector<Element> elements_;
  std::vector<Pair> pairs_;
};

namespace {

ModularPolynomial times(const ModularPolynomial& p, const PowerProduct& power) {
  ModularPolynomial result = p;
  for (ModularTerm& term : result) term.power = multiplied(term.power, power);
  return result;
}

ModularPolynomial multiplied(const ModularPolynomial& a, const ModularPolynomial& b, const ModularRing& ring) {
  ModularPolynomial result;
  for (const ModularTerm& x : a)
    for (const ModularTerm& y : b) result.push_back({multiplied(x.power, y.power), ring.multiply(x.coefficient, y.coefficient)});
  return ordered(std::move(result), ring);
}

PowerProduct power_of(std::size_t variable) {
  PowerProduct power;
  power.exponents[variable] = 1, power.degree = 1;
  return power;
}

/// What a factor that does not vanish can be divided out of: polynomials whose product with it is in the ideal.
std::vector<ModularPolynomial> divided_out(const std::function<ModularPolynomial(const ModularPolynomial&)>& rest,
                                           const std::vector<PowerProduct>& standard, const ModularPolynomial& factor,
                                           const ModularRing& ring) {
  std::map<PowerProduct, std::size_t> place;
  for (const PowerProduct& power : standard) place.emplace(power, place.size());
  EchelonForm columns(ring, standard.size());  // of the transposed matrix: relations between its rows are wanted
  std::vector<std::vector<ModularRing::Value>> rows;
  const ModularPolynomial reduced = rest(factor);
  for (const PowerProduct& power : standard) {
    std::vector<ModularRing::Value> row(standard.size());
    for (const ModularTerm& term : rest(times(reduced, power))) row[place.at(term.power)] = term.coefficient;
    rows.push_back(std::move(row));
  }
  for (std::size_t c = 0; c < standard.size(); ++c) {
    std::vector<ModularRing::Value> column;
    for (const auto& row : rows) column.push_back(row[c]);
    columns.add(std::move(column));
  }
  std::vector<ModularPolynomial> result;
  for (const auto& relation : columns.kernel()) {
    ModularPolynomial p;
    for (std::size_t k = 0; k < relation.size(); ++k)
      if (relation[k] != 0) p.push_back({standard[k], relation[k]});
    result.push_back(ordered(std::move(p), ring));
  }
  return result;
}

}  // namespace

std::optional<ModularIdeal> ModularIdeal::finite(std::vector<ModularPolynomial> generators,
                                                 std::vector<ModularPolynomial> nonzero, const Terms& terms) {
  if (terms.variables > PowerProduct::most_variables) return {};
  if (terms.units)
    for (std::size_t i = 0; i < terms.variables; ++i) nonzero.push_back({{power_of(i), 1}});
  try {
    if (auto found = calculated(generators, nonzero, terms)) return found;
    // Infinitely many where something vanishes that does not: it gets an inverse, one after the other, then all of them at once.
    if (nonzero.empty() || terms.variables == PowerProduct::most_variables) return {};
    Terms more = terms;
    ++more.variables;
    ModularPolynomial all{{{}, 1}};
    for (const ModularPolynomial& factor : nonzero) all = multiplied(all, factor, terms.ring);
    nonzero.push_back(all);
    for (std::size_t k = 0; k < nonzero.size(); ++k) {
      std::vector<ModularPolynomial> with_inverse = generators;
      ModularPolynomial inverse = times(nonzero[k], power_of(terms.variables));
      inverse.push_back({{}, terms.ring.negate(1)});
      with_inverse.push_back(std::move(inverse));
      if (auto found = calculated(std::move(with_inverse), nonzero, more)) return found;
    }
  } catch (const EffortSpent&) {
    // the limit of the caller
  }
  return {};
}

/// Nothing where there are too many solutions.
std::optional<ModularIdeal> ModularIdeal::calculated(std::vector<ModularPolynomial> generators,
                                                     const std::vector<ModularPolynomial>& nonzero, const Terms& terms) {
  std::uint64_t effort = terms.effort;
  for (std::size_t next = 0;;) {
    auto basis = std::make_shared<Basis>(terms, effort);
    basis->generate(std::move(generators));
    auto standard = basis->standard();
    if (!standard) return {};
    generators.clear();
    for (; generators.empty() && next < nonzero.size() && !standard->empty(); next += generators.empty())
      generators = divided_out([&](const ModularPolynomial& p) { return basis->rest(p); }, *standard, nonzero[next], terms.ring);
    if (generators.empty()) {
      basis->unlimited();
      ModularIdeal result(basis);
      result.standard_ = *std::move(standard);
      return result;
    }
    for (ModularPolynomial& p : basis->polynomials()) generators.push_back(std::move(p));
    effort = basis->left();
  }
}

ModularIdeal::ModularIdeal(std::shared_ptr<const Basis> basis) : basis_(std::move(basis)) {}

std::size_t ModularIdeal::solutions() const { return standard_.size(); }
const ModularRing& ModularIdeal::ring() const noexcept { return basis_->terms().ring; }

ModularPolynomial ModularIdeal::rest(ModularPolynomial polynomial) const { return basis_->rest(polynomial); }

}  // namespace sfg::ring
