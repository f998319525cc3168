#include "sfg/study/boxes/box_roots.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/numeric/numbers.hpp"

namespace sfg {

using ring::Interval;
using ring::Jet;
using ring::ParameterBox;

namespace {

constexpr int most_cells = 40, cells_per_root = 20;

/// Where exactly one root is, and around it a zone in which F is monotone: no other root.
struct Zone {
  Interval root, zone;
};

/// One step of Newton's method over the box: every root in the cell lies in the result too. Nothing where F may be stationary.
std::optional<Interval> newton(const ParameterBox& box, const BoxFunction& F, const Interval& cell) {
  const ParameterBox wider = box.with(cell);
  const Jet wide = F.over(wider);
  const Interval slope = wide.slope(box.size());
  if (!wide.smooth() || slope.contains(0)) return {};
  const double middle = cell.middle();
  return Interval(middle) - F(Jet(middle)).value() / slope;
}

std::optional<Zone> zone_about(const ParameterBox& box, const BoxFunction& F, double guess, const Interval& range) {
  double radius = std::max(std::abs(guess) * 1e-7, 1e-14 * std::min(range.high, 1.0));
  Interval root;
  bool found = false;
  for (int round = 0; round < 8 && !found; ++round) {
    const Interval cell{guess - radius, guess + radius};
    const auto next = newton(box, F, cell);
    if (!next || !next->finite()) return {};
    found = cell.low < next->low && next->high < cell.high;
    root = *next;
    radius = 1.25 * std::max(std::abs(next->low - guess), std::abs(next->high - guess)) + 1e-15 * std::abs(guess);
  }
  if (!found) return {};
  for (int round = 0; round < 4; ++round) {
    const auto next = newton(box, F, root);
    const auto met = next ? common(root, *next) : std::nullopt;
    if (!met || met->width() > 0.9 * root.width()) break;
    root = *met;
  }
  Zone zone{root, root};
  for (double reach = 2 * root.width() + 1e-12 * std::abs(guess); reach < range.width(); reach *= 2) {
    const Interval reached{std::max(range.low, root.low - reach), std::min(range.high, root.high + reach)};
    const ParameterBox around = box.with(reached);
    const Jet wide = F.over(around);
    if (!wide.smooth() || wide.slope(box.size()).contains(0)) break;
    zone.zone = reached;
  }
  return zone;
}

/// The root at the centre of the box alone, as narrow as rounding lets it be.
Interval central_root(const ParameterBox& point, const BoxFunction& at_centre, Interval root) {
  for (int round = 0; round < 6; ++round) {
    const auto next = newton(point, at_centre, root);
    const auto met = next ? common(root, *next) : std::nullopt;
    if (!met || met->width() > 0.9 * root.width()) break;
    root = *met;
  }
  return root;
}

/// By the theorem of implicit functions: x_k = −F_k/F_x, and its derivatives once more.
Jet root_jet(const ParameterBox& box, const BoxFunction& F, const Interval& root) {
  const std::size_t n = box.size();
  const ParameterBox point = box.point();
  BoxFunction at_centre = F;
  for (Jet& part : at_centre.parts) part = part.at_centre(point);
  const Interval middle = central_root(point, at_centre, root);
  const ParameterBox thin = point.with(middle), wider = box.with(root);
  const Jet narrow = at_centre.over(thin), wide = F.over(wider);
  if (!wide.smooth() || !narrow.smooth()) return Jet::rough(root);
  std::vector<Interval> centre_slopes, slopes, second;
  for (std::size_t k = 0; k < n; ++k) {
    centre_slopes.push_back(-(narrow.slope(k) / narrow.slope(n)));
    slopes.push_back(-(wide.slope(k) / wide.slope(n)));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      second.push_back(-((wide.second(i, j) + wide.second(n, i) * slopes[j] + wide.second(n, j) * slopes[i] +
                          wide.second(n, n) * slopes[i] * slopes[j]) /
                         wide.slope(n)));
  return Jet::of(box, middle, root, centre_slopes, slopes, second);
}

double middle_of(const Interval& cell) {
  if (cell.low > 0 && cell.high > 4 * cell.low) return std::sqrt(cell.low * cell.high);
  if (cell.low == 0 && cell.high > 0) return cell.high / 8;
  return cell.middle();
}

/// What of a cell may have roots.
class Remainder {
 public:
  Remainder(const ParameterBox& box, const BoxFunction& F, const std::function<bool(const Interval&)>& skip, double scale,
            int most)
      : box_(box), F_(F), skip_(skip), smallest_(1e-7 * scale), most_(most) {}

  void search(const Interval& whole, std::vector<BoxRoot>& found) {
    std::vector<Interval> open{whole};
    while (!open.empty()) {
      const Interval cell = open.back();
      open.pop_back();
      if (cell.width() <= 0) continue;
      const bool last = ++cells_ > most_ || cell.width() < std::max(smallest_, 5e-3 * std::abs(cell.high));
      if (skip_ && skip_(cell)) continue;
      if (!F_.over(box_.with(cell)).value().contains(0)) continue;
      if (!last) {
        const double middle = middle_of(cell);
        open.push_back({middle, cell.high});
        open.push_back({cell.low, middle});
      } else {
        found.push_back({cell, {}});
      }
    }
  }

 private:
  const ParameterBox& box_;
  const BoxFunction& F_;
  const std::function<bool(const Interval&)>& skip_;
  double smallest_;
  int most_, cells_ = 0;
};

}  // namespace

Jet BoxFunction::over(const ParameterBox& wider) const {
  std::vector<Jet> padded;
  padded.reserve(parts.size());
  for (const Jet& part : parts) padded.push_back(part.over(wider));
  return of(padded, Jet::variable(wider, wider.size() - 1));
}

std::vector<BoxRoot> box_roots(const ParameterBox& box, const BoxFunction& F, const Interval& range,
                               std::span<const double> guesses, const std::function<bool(const Interval& cell)>& skip,
                               bool first) {
  std::vector<Zone> zones;
  for (const double guess : guesses) {
    if (guess <= range.low || guess >= range.high) continue;
    auto zone = zone_about(box, F, guess, range);
    if (!zone || zone->root.low < range.low || zone->root.high > range.high) continue;
    if (!zones.empty() && zone->zone.low < zones.back().root.high) continue;  // the same root again
    if (!zones.empty()) zone->zone.low = std::max(zone->zone.low, zones.back().zone.high);
    if (zone->zone.low > zone->root.low) continue;
    zones.push_back(*zone);
  }
  std::vector<BoxRoot> found;
  Remainder remainder(box, F, skip, range.width() * 1e-6, most_cells + cells_per_root * static_cast<int>(guesses.size()));
  double from = range.low;
  for (const Zone& zone : zones) {
    remainder.search({from, zone.zone.low}, found);
    found.push_back({zone.root, root_jet(box, F, zone.root)});
    if (first) return found;
    from = zone.zone.high;
  }
  remainder.search({from, range.high}, found);
  return found;
}

double root_bound(std::span<const Jet> p) {
  while (!p.empty() && p.back().constant() && p.back().value().zero()) p = p.first(p.size() - 1);
  if (p.size() < 2) return 0;
  const Interval& leading = p.back().value();
  if (leading.contains(0)) return infinity;
  double bound = 0;
  for (std::size_t k = 1; k < p.size(); ++k) {
    const double ratio = (p[p.size() - 1 - k].value() / leading).greatest();
    bound = std::max(bound, std::pow(ratio, 1.0 / static_cast<double>(k)));
  }
  return 2 * bound * (1 + 1e-12);
}

std::vector<Jet> product(std::span<const Jet> a, std::span<const Jet> b) {
  std::vector<Jet> result(a.empty() || b.empty() ? 0 : a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] = result[i + j] + a[i] * b[j];
  return result;
}

std::vector<Jet> derivative(std::span<const Jet> p) {
  std::vector<Jet> result;
  for (std::size_t k = 1; k < p.size(); ++k) result.push_back(Jet(static_cast<double>(k)) * p[k]);
  return result;
}

std::vector<Jet> combination(const Jet& a, std::span<const Jet> p, const Jet& b, std::span<const Jet> q) {
  std::vector<Jet> result(std::max(p.size(), q.size()));
  for (std::size_t k = 0; k < p.size(); ++k) result[k] = a * p[k];
  for (std::size_t k = 0; k < q.size(); ++k) result[k] = result[k] + b * q[k];
  return result;
}

}  // namespace sfg
