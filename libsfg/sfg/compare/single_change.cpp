#include "sfg/compare/single_change.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Value = std::uint64_t;
using Values = std::vector<Value>;  // by point
using ring::ModularRing;

/// Q⁻¹ and the wanted responses at one point.
class Sample {
 public:
  /// Nothing where the point is unlucky.
  static std::optional<Sample> at(const Relations& relations, ModularPoint point, const TargetValues& targets) {
    Sample sample(std::move(point), relations.rows.size());
    std::vector<Value> matrix(sample.size_ * sample.size_, 0);
    for (const Relations::Entry& entry : relations.entries) {
      const auto value = sample.point_(entry.value);
      if (!value) return {};
      Value& place = matrix[entry.row * sample.size_ + entry.column];
      place = entry.sense > 0 ? sample.ring_.add(place, *value) : sample.ring_.subtract(place, *value);
    }
    if (!sample.invert(std::move(matrix))) return {};
    for (const auto& target : targets(sample.point_)) {
      if (!target) return {};
      sample.targets_.push_back(*target);
    }
    return sample;
  }

  const ModularPoint& point() const { return point_; }
  const ModularRing& ring() const { return ring_; }

  /// The δ to be subtracted at Q[row][column] that gives all responses their targets: (Q − δ e_r e_cᵀ)⁻¹ = M + δ M e_r e_cᵀ M/(1
  /// − δ M_cr).
  std::optional<Value> change(const Relations& relations, std::uint32_t row, std::uint32_t column) const {
    std::optional<Value> delta;
    for (std::size_t i = 0; i < relations.responses.size(); ++i) {
      const Relations::Response& response = relations.responses[i];
      const auto functional = [&](std::uint32_t at) {  // of the column `at` of M: x_output − T·x_over
        const Value output = inverse(response.output, at);
        return response.over ? ring_.subtract(output, ring_.multiply(targets_[i], inverse(*response.over, at))) : output;
      };
      Value rest = functional(response.driver);
      if (!response.over) rest = ring_.subtract(rest, targets_[i]);
      const Value influence = ring_.multiply(functional(row), inverse(column, response.driver));
      if (rest == 0) {
        if (influence != 0) return {};
        continue;
      }
      if (influence == 0) return {};
      const Value below = ring_.subtract(ring_.multiply(rest, inverse(column, row)), influence);
      if (below == 0) return {};
      const Value here = ring_.divide(rest, below);
      if (delta && *delta != here) return {};
      delta = here;
    }
    return delta;
  }

 private:
  Sample(ModularPoint point, std::size_t size) : point_(std::move(point)), ring_(point_.prime()), size_(size) {}

  /// M[i][j]: the response of column i to row j.
  Value inverse(std::uint32_t i, std::uint32_t j) const { return inverse_[i * size_ + j]; }

  /// Gauss and Jordan with the first pivot that is not 0.
  bool invert(std::vector<Value> m) {
    const std::size_t n = size_;
    inverse_.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) inverse_[i * n + i] = 1;
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t pivot = k;
      while (pivot < n && m[pivot * n + k] == 0) ++pivot;
      if (pivot == n) return false;
      for (std::size_t j = 0; j < n; ++j) {
        std::swap(m[pivot * n + j], m[k * n + j]);
        std::swap(inverse_[pivot * n + j], inverse_[k * n + j]);
      }
      const Value factor = ring_.inverse(m[k * n + k]);
      for (std::vector<Value>* matrix : {&m, &inverse_})
        for (std::size_t j = 0; j < n; ++j)
          if (Value& value = (*matrix)[k * n + j]; value != 0) value = ring_.multiply(value, factor);
      for (std::size_t i = 0; i < n; ++i) {
        const Value times = m[i * n + k];
        if (i == k || times == 0) continue;
        for (std::vector<Value>* matrix : {&m, &inverse_})
          for (std::size_t j = 0; j < n; ++j)
            if (const Value value = (*matrix)[k * n + j]; value != 0)
              (*matrix)[i * n + j] = ring_.subtract((*matrix)[i * n + j], ring_.multiply(times, value));
      }
    }
    return true;
  }

  ModularPoint point_;
  ModularRing ring_;
  std::size_t size_;
  std::vector<Value> inverse_;
  std::vector<Value> targets_;
};

/// The fraction of small integers that has the residue (Wang 1981); nothing when there is none.
std::optional<GiNaC::numeric> small_fraction(Value residue, Value prime) {
  constexpr std::int64_t most = 1 << 20;
  auto r0 = static_cast<std::int64_t>(prime), r1 = static_cast<std::int64_t>(residue);
  std::int64_t t0 = 0, t1 = 1;
  while (r1 >= most) {
    const std::int64_t quotient = r0 / r1;
    std::tie(r0, r1) = std::tuple(r1, r0 - quotient * r1);
    std::tie(t0, t1) = std::tuple(t1, t0 - quotient * t1);
  }
  if (t1 == 0 || t1 >= most || -t1 >= most) return {};
  return GiNaC::numeric(static_cast<long>(r1)) / GiNaC::numeric(static_cast<long>(t1));
}

/// Expressions by their values at all points.
class Pool {
 public:
  explicit Pool(const std::vector<Sample>& samples) : samples_(samples) {}

  void add(const ex& expression) {
    const auto values = values_of(expression);
    if (values) add(expression, *values);
  }
  /// Products and quotients of what is there, when that is not too much.
  void add_products() {
    constexpr std::size_t few = 60;
    const std::vector<std::pair<ex, Values>> factors = listed_;
    if (factors.size() > few) return;
    for (std::size_t i = 0; i < factors.size(); ++i)
      for (std::size_t j = 0; j < factors.size(); ++j) {
        if (j >= i) add(factors[i].first * factors[j].first, combined(factors[i].second, factors[j].second, false));
        if (i != j) add(factors[i].first / factors[j].first, combined(factors[i].second, factors[j].second, true));
      }
  }

  /// What has these values, up to the sign.
  std::optional<ex> find(const Values& values) const {
    const auto found = by_value_.find(values.front());
    if (found != by_value_.end())
      for (const std::size_t i : found->second)
        if (listed_[i].second == values) return listed_[i].first;
    const Values opposite = negated(values);
    const auto other = by_value_.find(opposite.front());
    if (other != by_value_.end())
      for (const std::size_t i : other->second)
        if (listed_[i].second == opposite) return -listed_[i].first;
    return {};
  }

  std::optional<Values> values_of(const ex& expression) const {
    Values values;
    for (const Sample& sample : samples_) {
      const auto value = sample.point()(expression);
      if (!value) return {};
      values.push_back(*value);
    }
    return values;
  }
  Values negated(Values values) const {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = samples_[k].ring().negate(values[k]);
    return values;
  }
  /// x + times·y.
  Values sum(Values x, const Values& y, int times) const {
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k] = samples_[k].ring().add(x[k], samples_[k].ring().multiply(samples_[k].ring().of(times), y[k]));
    return x;
  }
  Values combined(Values x, const Values& y, bool quotient) const {
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k] = quotient ? (y[k] == 0 ? 0 : samples_[k].ring().divide(x[k], y[k])) : samples_[k].ring().multiply(x[k], y[k]);
    return x;
  }
  /// The number that has these values.
  std::optional<GiNaC::numeric> number(const Values& values) const {
    const auto first = small_fraction(values.front(), samples_.front().point().prime());
    if (!first || values_of(*first) != values) return {};
    return first;
  }

 private:
  void add(const ex& expression, const Values& values) {
    if (values.front() == 0 || find(values)) return;
    by_value_[values.front()].push_back(listed_.size());
    listed_.emplace_back(expression, values);
  }

  const std::vector<Sample>& samples_;
  std::vector<std::pair<ex, Values>> listed_;
  std::unordered_map<Value, std::vector<std::size_t>> by_value_;
};

/// The same with one letter another: a sign, an inverse, a factor; and without one of its terms.
std::vector<ex> variants(const ex& gain) {
  std::vector<ex> all;
  GiNaC::exmap letters;
  for (GiNaC::const_preorder_iterator i = gain.preorder_begin(); i != gain.preorder_end(); ++i)
    if (GiNaC::is_a<GiNaC::symbol>(*i)) letters.emplace(*i, *i);
  const auto substituted = [&](const ex& letter, const ex& value) {
    try {
      all.push_back(gain.subs(letter == value, GiNaC::subs_options::no_pattern));
    } catch (const std::exception&) {  // a pole
    }
  };
  for (const auto& [letter, same] : letters) {
    substituted(letter, -letter);
    substituted(letter, 1 / letter);
    substituted(letter, 2 * letter);
    substituted(letter, GiNaC::pow(letter, 2));
    substituted(letter, 0);
    substituted(letter, 1);
  }
  if (vanishes(gain)) return all;
  all.push_back(1 / gain);
  const ex above = gain.numer(), below = gain.denom();
  const auto without_terms = [&](const ex& sum, bool in_numerator) {
    if (!GiNaC::is_a<GiNaC::add>(sum)) return;
    for (std::size_t i = 0; i < sum.nops(); ++i)
      for (const int times : {1, 2}) {
        const ex other = sum - times * sum.op(i);
        if (!vanishes(other)) all.push_back(in_numerator ? other / below : above / other);
      }
  };
  without_terms(above, true);
  without_terms(below, false);
  return all;
}

/// Names what a change is, place by place.
class Search {
 public:
  Search(const Relations& relations, const std::vector<Sample>& samples, const SingleChangeOptions& options)
      : relations_(relations), samples_(samples), options_(options), pool_(samples), products_(samples) {
    for (const Relations::Entry& entry : relations.entries)
      if (!entry.fixed) at_[{entry.row, entry.column}].push_back(entry.value);
    for (Pool* pool : {&pool_, &products_}) {
      for (const auto& [place, values] : at_)
        for (const ex& value : values) pool->add(value);
      for (const ex& gain : options.gains) pool->add(gain);
      std::set<std::string> names;
      for (const auto& [place, values] : at_)
        for (const ex& value : values) add_letters(*pool, value, names);
      for (const ex& gain : options.gains) add_letters(*pool, gain, names);
    }
    products_.add_products();
  }

  SingleChanges run() {
    for (std::uint32_t row = 0; row < relations_.rows.size(); ++row) {
      options_.budget.check("the search for what differs");
      if (relations_.closed[row]) continue;
      for (std::uint32_t column = 0; column < relations_.columns.size(); ++column) try_place(row, column);
    }
    std::ranges::stable_sort(found_.named, {}, &SingleChange::rank);
    if (found_.named.size() > options_.most) found_.named.resize(options_.most);
    return std::move(found_);
  }

 private:
  static void add_letters(Pool& pool, const ex& value, std::set<std::string>& names) {
    for (GiNaC::const_preorder_iterator i = value.preorder_begin(); i != value.preorder_end(); ++i)
      if (GiNaC::is_a<GiNaC::symbol>(*i) && names.insert(print(*i)).second) {
        pool.add(*i);
        pool.add(1 / *i);
      }
  }

  void try_place(std::uint32_t row, std::uint32_t column) {
    Values delta;
    for (const Sample& sample : samples_) {
      const auto here = sample.change(relations_, row, column);
      if (!here) return;
      delta.push_back(relations_.senses[column] < 0 ? *here : sample.ring().negate(*here));  // of Q it is subtracted
    }
    const std::size_t before = found_.named.size();
    if (const auto known = at_.find({row, column}); known != at_.end())
      changed(row, column, known->second, delta);
    else
      added(row, column, delta);
    if (found_.named.size() == before) found_.unnamed.emplace_back(row, column);
  }

  void report(SingleChange::Kind kind, std::uint32_t row, std::uint32_t column, ex before, ex after, int rank) {
    found_.named.push_back({kind, row, column, std::move(before), std::move(after), rank});
  }

  void added(std::uint32_t row, std::uint32_t column, const Values& delta) {
    const auto plain = named(delta);
    if (plain) report(SingleChange::Kind::extra, row, column, 0, plain->first, 30 + plain->second);
  }

  /// An expression with these values, and how far it was fetched.
  std::optional<std::pair<ex, int>> named(const Values& values) const {
    if (const auto number = pool_.number(values)) return std::pair{ex(*number), 1};
    if (const auto gain = pool_.find(values)) return std::pair{*gain, 0};
    if (const auto gain = products_.find(values)) return std::pair{*gain, 5};
    return {};
  }

  void changed(std::uint32_t row, std::uint32_t column, const std::vector<ex>& parts, const Values& delta) {
    using Kind = SingleChange::Kind;
    ex before = 0;
    for (const ex& part : parts) before += part;
    for (const ex& part : parts) {  // of parallel branches each alone, too
      const auto value = pool_.values_of(part);
      if (!value) continue;
      if (pool_.sum(delta, *value, 2) == zero()) return report(Kind::sign, row, column, part, -part, 0);
      if (pool_.sum(delta, *value, 1) == zero()) return report(Kind::missing, row, column, part, 0, 10);
    }
    const auto old = pool_.values_of(before);
    if (!old) return;
    const Values fresh = pool_.sum(*old, delta, 1);
    if (fresh == zero()) return report(Kind::missing, row, column, before, 0, 10);
    if (pool_.sum(fresh, *old, 1) == zero()) return report(Kind::sign, row, column, before, -before, 0);
    for (const ex& other : variants(before))
      if (const auto value = pool_.values_of(other); value && (*value == fresh || pool_.negated(*value) == fresh))
        return report(Kind::gain, row, column, before, *value == fresh ? other : -other, 20);
    if (const auto factor = pool_.number(pool_.combined(fresh, *old, true)))
      return report(Kind::gain, row, column, before, *factor * before, 21);
    if (const auto plain = named(fresh)) return report(Kind::gain, row, column, before, plain->first, 22 + plain->second);
    if (const auto plain = named(delta))
      return report(Kind::gain, row, column, before, before + plain->first, 24 + plain->second);
  }
  Values zero() const { return Values(samples_.size(), 0); }

  const Relations& relations_;
  const std::vector<Sample>& samples_;
  const SingleChangeOptions& options_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<ex>> at_;
  Pool pool_, products_;
  SingleChanges found_;
};

}  // namespace

SingleChanges single_changes(const Relations& relations, const TargetValues& targets, const RandomPoints& random,
                             const SingleChangeOptions& options) {
  if (relations.rows.size() > options.largest || relations.responses.empty()) return {};
  std::vector<Sample> samples;
  for (std::size_t attempt = 0; samples.size() < options.points && attempt < options.points + 10; ++attempt) {
    options.budget.check("the search for what differs");
    if (auto sample = Sample::at(relations, random(options.seed * 15485863 + attempt, options.budget), targets))
      samples.push_back(*std::move(sample));
  }
  if (samples.size() < options.points) return {};
  return Search(relations, samples, options).run();
}

}  // namespace sfg
