// Loci are sampled by the angle that they turn through, not by a grid of frequencies: a circle has as many points whether it is
// that of a slow pole or of a sharp resonance.
#include "sfg/response/smooth_loci.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace sfg {

namespace {

using Value = std::complex<double>;

bool finite(Value z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

/// The modulus that nine tenths of the decades are below of.
double usual_modulus(const FrequencyResponse& r) {
  std::vector<std::pair<double, double>> parts;  // modulus, decades
  double whole = 0;
  for (std::size_t i = 1; i < r.value.size(); ++i) {
    if (!finite(r.value[i]) || !(r.frequency[i - 1] > 0)) continue;
    parts.emplace_back(std::abs(r.value[i]), std::log(r.frequency[i] / r.frequency[i - 1]));
    whole += parts.back().second;
  }
  std::sort(parts.begin(), parts.end());
  double sum = 0;
  for (const auto& [modulus, decades] : parts)
    if ((sum += decades) >= 0.9 * whole) return modulus;
  return parts.empty() ? 0 : parts.back().first;
}

bool grows_towards_zero(const FrequencyResponse& r) {
  const std::size_t n = r.value.size();
  if (!r.axis_poles.empty() && r.axis_poles.front().frequency == 0) return true;
  if (n < 2 || !(r.frequency[0] > 0)) return false;
  std::size_t later = 1;
  while (later + 1 < n && r.frequency[later] < 2 * r.frequency[0]) ++later;
  return std::abs(r.value[0]) >= 1.5 * std::abs(r.value[later]);
}

}  // namespace

double locus_reach(const FrequencyResponse& r) {
  constexpr double least = 3, most = 6, near = 25, sharp = 15;
  double furthest = 0, across = 0;
  for (const Value z : r.value) {
    if (!finite(z)) continue;
    furthest = std::max(furthest, std::abs(z));
    if (std::abs(z) < near) across = std::max(across, std::abs(z.real()));
  }
  const bool unbounded = !r.axis_poles.empty() || grows_towards_zero(r);
  const double usual = std::max(1.0, usual_modulus(r));
  if (!unbounded && furthest <= sharp * usual) return furthest > 0 ? furthest : 1.0;
  return std::max(std::clamp(1.6 * across, least, most), unbounded ? 0.0 : usual);
}

namespace {

/// What one response still wants.
class Wanted {
 public:
  Wanted(const FrequencyResponse& r, const SmoothLocusOptions& options)
      : r_(r), options_(options), reach_(locus_reach(r)), fine_(0.002 * reach_) {}

  std::vector<double> frequencies() {
    for (std::size_t i = 0; i + 1 < r_.value.size(); ++i) look_at_turn(i);
    for (std::size_t i = 1; i + 1 < r_.value.size(); ++i) look_at_corner(i);
    for (const double pole : r_.breaks) approach(pole);
    if (options_.ends) look_at_ends();
    return std::move(wanted_);
  }

 private:
  bool connected(std::size_t i) const {  // the points i and i + 1
    if (!finite(r_.value[i]) || !finite(r_.value[i + 1])) return false;
    const auto next = std::lower_bound(r_.breaks.begin(), r_.breaks.end(), r_.frequency[i]);
    return next == r_.breaks.end() || *next > r_.frequency[i + 1];
  }
  void add(double frequency) {
    if (std::isfinite(frequency) && frequency > 0) wanted_.push_back(frequency);
  }
  void halve(std::size_t i) {
    const double low = r_.frequency[i], high = r_.frequency[i + 1];
    constexpr double apart = 1e-12;
    if (high - low > apart * high) add(low > 0 ? std::sqrt(low) * std::sqrt(high) : high / 2);
  }

  /// Whole turns between two samples show no corner, but in the phase.
  void look_at_turn(std::size_t i) {
    constexpr double wide = 60;  // degrees
    const double seen = std::min(std::abs(r_.value[i]), std::abs(r_.value[i + 1]));
    if (connected(i) && std::abs(r_.phase_deg[i + 1] - r_.phase_deg[i]) > wide && seen > fine_ && seen < 2 * reach_) halve(i);
  }

  void look_at_corner(std::size_t i) {
    if (!connected(i - 1) || !connected(i)) return;
    const Value a = r_.value[i - 1], z = r_.value[i], b = r_.value[i + 1];
    const double out = 2 * reach_;
    if (std::abs(a) > out && std::abs(z) > out && std::abs(b) > out) return;
    const Value along = b - a;
    const double length = std::abs(along), first = std::abs(z - a), second = std::abs(b - z);
    const double part = length > 0 ? std::clamp(((z - a) * std::conj(along)).real() / (length * length), 0.0, 1.0) : 0;
    const double away = std::abs(z - (a + part * along));
    const double turn = std::abs(std::arg((b - z) / (z - a)));
    constexpr double sharp = 0.3;
    const bool corner = away > fine_ || (turn > sharp && std::max(first, second) > fine_ / 2);
    if (!corner) return;
    if (first > second / 3) halve(i - 1);
    if (second > first / 3) halve(i);
  }

  /// The intervals on both sides of a pole or zero on the axis are quartered towards it until the locus is out of reach, or at 0.
  void approach(double w) {
    const auto next =
        static_cast<std::size_t>(std::upper_bound(r_.frequency.begin(), r_.frequency.end(), w) - r_.frequency.begin());
    const bool pole = std::ranges::any_of(r_.axis_poles, [&](const PoleOnAxis& p) { return p.frequency == w; });
    const auto there = [&](std::size_t i) {
      const double modulus = std::abs(r_.value[i]);
      return !finite(r_.value[i]) || (pole ? modulus > 1.5 * reach_ : modulus < fine_);
    };
    std::size_t before = next;
    while (before > 0 && r_.frequency[before - 1] >= w * (1 - 1e-14)) --before;
    constexpr double closest = 1e-11;
    if (before > 0 && !there(before - 1) && w - r_.frequency[before - 1] > closest * w)
      add(w - (w - r_.frequency[before - 1]) / 4);
    if (next < r_.frequency.size() && !there(next) && r_.frequency[next] - w > closest * w) add(w + (r_.frequency[next] - w) / 4);
  }

  void look_at_ends() {
    const std::size_t n = r_.value.size();
    const double low = r_.frequency.front(), high = r_.frequency.back();
    constexpr double lowest_part = 1e-18;
    if (finite(r_.value.front()) && low > lowest_part * high) {
      const bool infinite = grows_towards_zero(r_);
      if (infinite ? std::abs(r_.value.front()) < 1.5 * reach_ : std::abs(r_.value.front().imag()) > 2 * fine_) add(low / 2);
    }
    const double modulus = std::abs(r_.value[n - 1]);
    std::size_t earlier = n - 1;
    while (earlier > 0 && r_.frequency[earlier] > high / 2) --earlier;
    const bool falls = modulus < 0.75 * std::abs(r_.value[earlier]);
    constexpr std::size_t many = 3000;
    if (n < many && 1.5 * high < options_.highest && modulus > 2 * fine_ && falls) add(1.5 * high);
  }

  const FrequencyResponse& r_;
  SmoothLocusOptions options_;
  double reach_, fine_;
  std::vector<double> wanted_;
};

void merge(FrequencyResponse& r, const FrequencyResponse& more) {
  FrequencyResponse all = r;
  for (auto* list : {&all.frequency, &all.magnitude_db, &all.phase_deg, &all.group_delay}) list->clear();
  all.value.clear();
  const auto take = [&all](const FrequencyResponse& from, std::size_t i) {
    all.frequency.push_back(from.frequency[i]);
    all.value.push_back(from.value[i]);
    all.magnitude_db.push_back(from.magnitude_db[i]);
    all.phase_deg.push_back(from.phase_deg[i]);
    if (i < from.group_delay.size()) all.group_delay.push_back(from.group_delay[i]);
  };
  std::size_t k = 0;
  for (std::size_t i = 0; i < r.frequency.size(); ++i) {
    for (; k < more.frequency.size() && more.frequency[k] < r.frequency[i]; ++k) take(more, k);
    take(r, i);
  }
  for (; k < more.frequency.size(); ++k) take(more, k);
  all.error_bound = std::max(r.error_bound, more.error_bound);
  r = std::move(all);
}

/// Where the frequencies did not suffice the locus ends.
void cut(FrequencyResponse& r, double at) {
  const auto count = static_cast<std::size_t>(std::upper_bound(r.frequency.begin(), r.frequency.end(), at) - r.frequency.begin());
  if (count == r.frequency.size()) return;
  for (auto* list : {&r.frequency, &r.magnitude_db, &r.phase_deg, &r.group_delay}) list->resize(std::min(list->size(), count));
  r.value.resize(count);
  std::ostringstream note;
  note.precision(4);
  note << "The locus turns too often to be shown beyond " << r.frequency.back() << " rad/s.";
  r.notes.push_back(note.str());
}

}  // namespace

void smooth_loci(std::vector<FrequencyResponse>& responses, const ResponsesAt& at, const SmoothLocusOptions& options) {
  constexpr int most_rounds = 60;
  if (responses.empty() || responses.front().frequency.size() < 3 || !std::ranges::is_sorted(responses.front().frequency)) return;
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<double>& present = responses.front().frequency;
    std::set<double> wanted;
    for (const FrequencyResponse& r : responses)
      for (const double frequency : Wanted(r, options).frequencies())
        if (!std::ranges::binary_search(present, frequency)) wanted.insert(frequency);
    if (wanted.empty()) return;
    const std::size_t left = options.most > present.size() ? options.most - present.size() : 0;
    std::vector<double> next(wanted.begin(), wanted.end());
    if (next.size() > left) next.resize((left + 1) / 2);  // the lowest first, so that these are complete
    if (next.empty() || round + 1 == most_rounds) {
      for (FrequencyResponse& r : responses) cut(r, *wanted.begin());
      return;
    }
    const std::vector<FrequencyResponse> more = at(next);
    for (std::size_t q = 0; q < responses.size(); ++q) merge(responses[q], more[q]);
  }
}

}  // namespace sfg
