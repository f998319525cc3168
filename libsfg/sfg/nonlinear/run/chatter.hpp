#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sfg/nonlinear/run/sliding_modes.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg {

/// Watches jumps that are met ever faster. One that acts on the rate of its function's rate oscillates about it with an amplitude
/// that shrinks, infinitely often (Zeno; Fuller 1960): as soon as that is negligible it slides, which is said.
class Chatter {
 public:
  Chatter(SlidingModes& modes, double until);
  /// @throws NoAnswer where the switches come to an end of the time that no step reaches
  void note(double t, std::span<const Eigen::Index> changed);
  const std::vector<std::string>& notes() const { return notes_; }
  void pack(Packer&) const;
  void unpack(Unpacker&);

 private:
  struct Jump {
    double last = -1;  ///< when it was met
    double reach = 0;  ///< of its function, about
    int at_once = 0;   ///< times that it was met again within nothing
    std::size_t met = 0;
  };
  SlidingModes& modes_;
  double until_;
  std::map<Eigen::Index, Jump> jumps_;
  std::vector<std::string> notes_;
};

}  // namespace sfg
