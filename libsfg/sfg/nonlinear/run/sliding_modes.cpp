// Idea: between events every s is a constant or the solution of a small linear system. At an event those that stand at g = 0 are
// found by principal pivoting (Murty 1974): slide all, fix what leaves its bounds, free what is pushed back, the first one first;
// that ends where the matrix is a P-matrix, as that of frictions on masses is. What does not end is enumerated.
#include "sfg/nonlinear/run/sliding_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/packed_vectors.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double within = 1e-10;  // of bounds: what is due to rounding
constexpr double solved = 1e-7;   // of what s can do: what is left of the equations of those that slide

std::size_t place(Index k) { return static_cast<std::size_t>(k); }

}  // namespace

SlidingModes::SlidingModes(std::vector<JumpKind> kinds, Evaluate evaluate, double until)
    : modes_(kinds.size(), 0),
      kinds_(std::move(kinds)),
      direct_(modes_.size(), false),
      second_(modes_.size(), false),
      held_(modes_.size(), false),
      slid_(modes_.size(), false),
      rests_(modes_.size(), false),
      evaluate_(std::move(evaluate)),
      until_(until > 0 ? until : 1),
      s_(VectorXd::Zero(size())),
      levels_(VectorXd::Zero(size())),
      near_(VectorXd::Zero(size())) {}

void SlidingModes::reset() {
  std::ranges::fill(modes_, 0);
  held_.assign(held_.size(), false);
  rests_.assign(rests_.size(), false);
  s_.setZero();
  levels_.setZero();
  begun_ = false;
}

void SlidingModes::set(Index k, int mode) {
  modes_[place(k)] = mode;
  rests_[place(k)] = false;
  if (mode != 0) s_[k] = mode;
  if (!is(k, JumpKind::floor)) levels_[k] = is(k, JumpKind::grip) && mode == 0 ? 1 : 0;
}

/// With thresholds apart: at one threshold it is a jump as any other.
bool SlidingModes::is_relay(Index k) const { return is(k, JumpKind::relay) && contact_.own[k] > 0; }

std::vector<Index> SlidingModes::sliding() const {
  std::vector<Index> found;
  for (Index k = 0; k < size(); ++k)
    if (slides(k) && !direct_[place(k)]) found.push_back(k);
  return found;
}

/// What vanishes where a jump slides: its function, where that depends on s at once; else the first rate that depends on s.
std::optional<SlidingModes::Residual> SlidingModes::residual(double t, const VectorXd& x, const VectorXd& s) {
  if (!evaluate_(t, x, s, levels_, contact_)) return {};
  Residual found{contact_.rate, contact_.rate_by_s};
  bool second = false;
  for (Index k = 0; k < size(); ++k) {
    direct_[place(k)] = !contact_.g_by_s.row(k).isZero(0);
    second_[place(k)] = !direct_[place(k)] && contact_.rate_by_s.row(k).isZero(0);
    second = second || second_[place(k)];
    if (!direct_[place(k)]) continue;
    found.r[k] = contact_.g[k];
    found.by_s.row(k) = contact_.g_by_s.row(k);
  }
  if (second) add_second_order(t, x, s, Contact(contact_), found);
  if (!found.r.allFinite() || !found.by_s.allFinite()) return {};
  return found;
}

/// The rate's rate by differences along the motion, with what brings g and its rate back to 0.
void SlidingModes::add_second_order(double t, const VectorXd& x, const VectorXd& s, const Contact& here, Residual& found) {
  const double dt = 1e-6 * until_, back = 100 / until_;
  const auto later = [&](const Contact& from) {
    Contact then;
    return evaluate_(t + dt, x + dt * from.xdot, s, levels_, then) ? VectorXd((then.rate - here.rate) / dt)
                                                                   : VectorXd::Constant(size(), NAN).eval();
  };
  const VectorXd rate = later(here);
  for (Index k = 0; k < size(); ++k)
    if (second_[place(k)]) found.r[k] = rate[k] + 2 * back * here.rate[k] + back * back * here.g[k];
  for (Index j = 0; j < size(); ++j) {
    VectorXd other = s;
    other[j] += 1;
    Contact beside;
    const bool known = evaluate_(t, x, other, levels_, beside);
    const VectorXd change = known ? VectorXd(later(beside) - rate) : VectorXd::Constant(size(), NAN).eval();
    for (Index k = 0; k < size(); ++k)
      if (second_[place(k)]) found.by_s(k, j) = change[k];
  }
}

/// Newton's method for those that slide; they act linearly nearly always, so that one step does.
bool SlidingModes::solve(double t, const VectorXd& x, std::span<const Index> sliding) {
  if (sliding.empty()) return true;
  constexpr int most = 8;
  const std::vector<Index> list(sliding.begin(), sliding.end());
  for (int i = 0; i < most; ++i) {
    const auto found = residual(t, x, s_);
    if (!found) return false;
    const MatrixXd slope = found->by_s(list, list);
    const VectorXd step = slope.completeOrthogonalDecomposition().solve(VectorXd(-found->r(list)));
    if (!step.allFinite()) return false;
    for (std::size_t k = 0; k < list.size(); ++k) s_[list[k]] += step[static_cast<Index>(k)];
    if (step.cwiseAbs().maxCoeff() <= 1e-12 * (1 + s_.cwiseAbs().maxCoeff())) return true;
  }
  return true;
}

bool SlidingModes::settle(double t, const VectorXd& x) {
  std::vector<Index> list;
  for (Index k = 0; k < size(); ++k)
    if (slides(k)) list.push_back(k);
  return solve(t, x, list);
}

/// A floor counts from the level next to its argument.
void SlidingModes::move_levels(double t, const VectorXd& x) {
  for (Index k = 0; k < size(); ++k) {
    if (!is(k, JumpKind::floor)) continue;
    if (begun_ && std::abs(contact_.g[k]) < 1 - 2 * near_[k]) continue;
    const double by = std::round(contact_.g[k]);
    levels_[k] += by;
    if (begun_ && by != 0) s_[k] = by > 0 ? -1 : 1;
    evaluate_(t, x, s_, levels_, contact_);
  }
}

/// Relays keep what they are until their function has the other sign; one may make another one switch.
void SlidingModes::switch_relays(double t, const VectorXd& x, std::span<const int> changes) {
  const std::size_t most = 10 + 4 * modes_.size();
  for (std::size_t i = 0; i < most; ++i) {
    bool again = false;
    for (Index k = 0; k < size(); ++k) {
      if (!is_relay(k)) continue;
      if (slides(k)) set(k, -1), again = true;  // as it begins
      const bool met = i == 0 && place(2 * k) < changes.size() && changes[place(2 * k)] != 0;
      const bool passed = modes_[place(k)] < 0 ? contact_.g[k] >= 0 : contact_.g[k] <= 0;
      if (again || (!met && !passed)) continue;
      set(k, -modes_[place(k)]);
      again = true;
    }
    if (!again) return;
    if (!evaluate_(t, x, s_, levels_, contact_)) break;
  }
  throw NoAnswer("relays make each other switch without end at t = " + print(t),
                 "put a mass, a capacitor or another lag between them");
}

/// Those that stand at 0, for which modes are to be found; the others get theirs.
std::vector<Index> SlidingModes::met(double t, const VectorXd& x, std::span<const int> changes) {
  std::vector<int> leaving(modes_.size(), 0);
  const VectorXd before = contact_.g.size() == size() ? VectorXd(contact_.g.cwiseAbs()) : VectorXd::Zero(size()).eval();
  for (Index k = 0; k < size(); ++k) slid_[place(k)] = begun_ && slides(k);
  settle(t, x);
  for (Index k = 0; k < size() && !changes.empty(); ++k)
    if (slides(k) && changes[place(2 * k)] != 0 && (second_[place(k)] || std::abs(s_[k]) > 1 - within))
      leaving[place(k)] = s_[k] > 0 ? 1 : -1;
  const auto found = residual(t, x, s_);
  if (!found) throw NoAnswer("the motion has no rate at t = " + print(t), "look at the laws there");
  move_levels(t, x);
  switch_relays(t, x, changes);
  std::vector<Index> open;
  for (Index k = 0; k < size(); ++k) {
    // Of a rate's rate: what it makes of the rate within a second, or the whole of a shorter motion.
    const double time = second_[place(k)] ? std::min(1.0, until_) : 1;
    const double change = time * (std::abs(found->r[k]) + found->by_s.row(k).cwiseAbs().sum());
    near_[k] = direct_[place(k)] ? moment_ * change : moment_ * until_ * (std::abs(contact_.rate[k]) + change);
    // What slid and is away from 0 now has been taken away by an input that jumped.
    const bool away = changes.empty() && std::abs(contact_.g[k]) > 2 * before[k] + 1e3 * near_[k];
    const bool touched = !changes.empty() && (changes[place(2 * k)] != 0 || changes[place(2 * k + 1)] != 0);
    // Where a jump without delay pushes away from itself both ways are possible: the one it is on.
    const bool stays = begun_ && found->by_s(k, k) > 0 && modes_[place(k)] * contact_.g[k] > 0;
    if (is_relay(k)) continue;
    near_[k] = std::max({near_[k], contact_.rounding[k], std::numeric_limits<double>::min()});  // the sign of 0 never changes
    if (leaving[place(k)] != 0) {
      set(k, leaving[place(k)]);
    } else if ((direct_[place(k)] && !stays) || touched || held_[place(k)] || (slid_[place(k)] && !away) ||
               std::abs(contact_.g[k]) <= 4 * near_[k]) {
      open.push_back(k);
    } else {
      set(k, contact_.g[k] > 0 ? 1 : -1);
    }
  }
  begun_ = true;
  return open;
}

void SlidingModes::decide(double t, const VectorXd& x, std::span<const int> changes) {
  resting_.clear();
  if (size() == 0) return;
  const std::vector<Index> open = met(t, x, changes);
  // A function without s in its first rate that is moving is passed; at rest the second one decides.
  std::vector<Index> undecided;
  for (const Index k : open) {
    const bool moves = second_[place(k)] && !held_[place(k)] && std::abs(contact_.rate[k]) > near_[k] / until_ * 1e3;
    if (!moves || (slid_[place(k)] && changes.empty())) {
      undecided.push_back(k);
      continue;
    }
    set(k, contact_.rate[k] > 0 ? 1 : -1);
  }
  const auto [first, acting, last] = in_order(t, x, undecided);
  for (const Index k : first) leave_or_rest(t, x, k);
  if (pivot(t, x, acting) || enumerate(t, x, acting)) {
    resting_ = last;
    decide_resting(t, x);
    evaluate_(t, x, s_, levels_, contact_);
    held_.assign(held_.size(), false);
    return;
  }
  throw NoAnswer("the laws that jump at t = " + print(t) + " have no values that agree with each other",
                 "look at what they do there: a jump that pushes away from itself leaves open which way the motion goes");
}

void SlidingModes::decide_resting(double t, const VectorXd& x) {
  for (const Index k : resting_) leave_or_rest(t, x, k);
  if (!resting_.empty()) evaluate_(t, x, s_, levels_, contact_);
}

/// Those that nothing at its edge moves, or that push away from it, each behind what it depends on; those that act on
/// themselves, by way of others, too; those that act on none of these.
std::array<std::vector<Index>, 3> SlidingModes::in_order(double t, const VectorXd& x, std::vector<Index> open) {
  std::array<std::vector<Index>, 3> found;
  for (const Index k : open) set(k, 0);
  const auto at_edge = open.empty() ? std::nullopt : residual(t, x, s_);
  if (!at_edge) return {{{}, std::move(open), {}}};
  const auto take = [&](bool moved) {
    const auto next = std::ranges::find_if(open, [&](Index k) {
      return std::ranges::none_of(open, [&](Index j) {
        const double by = moved ? at_edge->by_s(k, j) : at_edge->by_s(j, k);
        return j == k ? by < 0 : by != 0;
      });
    });
    if (next == open.end()) return false;
    found[moved ? 0 : 2].push_back(*next);
    open.erase(next);
    return true;
  };
  while (take(false)) continue;  // first, so that what touches none of the others is decided when those are known
  while (take(true)) continue;
  std::ranges::reverse(found[2]);
  found[1] = std::move(open);
  return found;
}

/// A function that is 0 goes one way by itself, or stays: there the law's own value holds.
void SlidingModes::leave_or_rest(double t, const VectorXd& x, Index k) {
  if (is(k, JumpKind::floor)) {
    set(k, 1);
  } else {
    set(k, 0);
    rests_[place(k)] = true;
    s_[k] = 0;
    levels_[k] = 2;
  }
  for (const double part : {1e-6, 1e-4})  // what leaves later is met as an event
    if (const int way = leaves(t, x, k, part * until_); way != 0) return set(k, way);
}

/// By steps of Euler, as many as the states through which it may be moved; those that slide are held on the way.
int SlidingModes::leaves(double t, VectorXd x, Index k, double dt) {
  constexpr Index most = 8;
  const VectorXd signs = s_;
  int way = 0;
  try {
    for (Index i = 0; way == 0 && i <= std::min(x.size() + 1, most); ++i) {
      if (!settle(t, x) || !evaluate_(t, x, s_, levels_, contact_)) break;
      if (std::abs(contact_.g[k]) > contact_.rounding[k]) way = contact_.g[k] > 0 ? 1 : -1;
      x += dt * contact_.xdot;
      t += dt;
    }
  } catch (const NoAnswer&) {  // away from the motion
  }
  s_ = signs;
  return way;
}

/// Whether no s keeps a jump that should slide there: it moves off by itself.
bool SlidingModes::is_free(Index k, const Residual& found) {
  return std::abs(found.r[k]) > solved * found.by_s.row(k).cwiseAbs().sum();
}

/// By how far a jump that slides is kept, positive; several that hold one another may come to where no s holds all.
double SlidingModes::kept(Index k, const Contact& found) const {
  const double bounds = 1 - s_[k] * s_[k] + 1e-12;
  if (second_[place(k)]) return bounds;
  const bool direct = direct_[place(k)];
  const double off = std::abs(direct ? found.g[k] : found.rate[k]),
               scale = (direct ? found.g_by_s : found.rate_by_s).row(k).cwiseAbs().sum();
  return std::min(bounds, 2 - off / (solved * scale));
}

/// The first that contradicts its mode.
std::optional<std::size_t> SlidingModes::first_violated(const std::vector<Index>& open, const Residual& found) const {
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Index k = open[i];
    const double scale = found.by_s.row(k).cwiseAbs().sum();
    if (!slides(k) ? modes_[place(k)] * found.r[k] < -within * scale : std::abs(s_[k]) > 1 + within || is_free(k, found))
      return i;
  }
  return {};
}

bool SlidingModes::pivot(double t, const VectorXd& x, const std::vector<Index>& open) {
  for (const Index k : open) set(k, 0);
  const std::size_t most = 20 + 10 * open.size();
  for (std::size_t i = 0; i < most; ++i) {
    std::vector<Index> free;
    for (const Index k : open)
      if (slides(k)) free.push_back(k);
    if (!solve(t, x, free)) return false;
    const auto found = residual(t, x, s_);
    if (!found) return false;
    const auto violated = first_violated(open, *found);
    if (!violated) return true;
    const Index k = open[*violated];
    const double off = is_free(k, *found) ? found->r[k] : s_[k];
    set(k, slides(k) ? (off > 0 ? 1 : -1) : 0);
  }
  return false;
}

bool SlidingModes::enumerate(double t, const VectorXd& x, const std::vector<Index>& open) {
  constexpr std::size_t largest = 7;
  if (open.size() > largest) return false;
  std::size_t count = 1;
  for (std::size_t i = 0; i < open.size(); ++i) count *= 3;
  for (std::size_t number = 0; number < count; ++number) {
    std::vector<Index> free;
    std::size_t rest = number;
    for (const Index k : open) {
      set(k, static_cast<int>(rest % 3) - 1);
      if (slides(k)) free.push_back(k);
      rest /= 3;
    }
    if (!solve(t, x, free)) continue;
    const auto found = residual(t, x, s_);
    if (found && !first_violated(open, *found)) return true;
  }
  return false;
}

void SlidingModes::roots(double t, const VectorXd& x, double* values) {
  if (size() == 0) return;
  Contact found;
  if (!settle(t, x) || !evaluate_(t, x, s_, levels_, found)) {
    std::fill_n(values, 2 * size(), NAN);
    return;
  }
  for (Index k = 0; k < size(); ++k) {
    // A function that moves is passed a moment late, whatever the unit of time.
    const double late = moment_ * until_ * std::abs(found.rate[k]) + 1e-6 * near_[k];
    const double near = second_[place(k)] ? std::min(near_[k], late) : near_[k];
    values[2 * k] = rests_[place(k)] ? (std::abs(found.g[k]) > found.rounding[k] ? -1 : 1)
                    : slides(k)      ? kept(k, found)
                                     : modes_[place(k)] * found.g[k] + near;
    values[2 * k + 1] = is(k, JumpKind::floor) && !slides(k) ? 1 - std::abs(found.g[k]) + near : 1;
  }
}

void SlidingModes::pack(Packer& packer) const {
  packer.add(modes_);
  for (const std::vector<bool>* list : {&direct_, &second_, &held_, &slid_, &rests_}) sfg::pack(packer, *list);
  for (const VectorXd* numbers : {&s_, &levels_, &near_}) sfg::pack(packer, *numbers);
  packer.add(begun_);
}

void SlidingModes::unpack(Unpacker& from) {
  modes_ = from.list<int>();
  for (std::vector<bool>* list : {&direct_, &second_, &held_, &slid_, &rests_}) *list = unpacked_flags(from);
  for (VectorXd* numbers : {&s_, &levels_, &near_}) *numbers = unpacked_vector(from);
  begun_ = from.take<bool>();
}

std::vector<Index> SlidingModes::changed(std::span<const int> changes) const {
  std::vector<Index> found;
  for (Index k = 0; k < size() && place(2 * k + 1) < changes.size(); ++k)
    if (changes[place(2 * k)] != 0 || changes[place(2 * k + 1)] != 0) found.push_back(k);
  return found;
}

}  // namespace sfg
