#pragma once
#include <ginac/power.h>

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "sfg/derive/multibody/joint_forest.hpp"
#include "sfg/derive/multibody/substitution.hpp"
#include "sfg/derive/multibody/unknowns.hpp"

// Not installed.
namespace sfg {

/// M v̇ = F of rigid bodies that move in the plane, each turned about a point of the one that carries it: the same equations as
/// Composite makes, in other words. What bodies carry is lumped into them at their joints (augmented bodies: Wittenburg 1977), so
/// that bodies i and k on one way from the frame meet in two products only, a · R(θ_k − θ_i) h and a × R(θ_k − θ_i) h, of
/// constant vectors and the angle between the bodies. There is one such pair for every two bodies on a way, and it costs fewer
/// operations than vectors in the axes of the frame as long as ways are short.
class ParallelAxes {
 public:
  /// Joints are revolute or welds, those to the frame any of the plane; and ways are not so long that another list is shorter.
  static bool apply_to(const Multibody&, const JointForest&);
  ParallelAxes(const Multibody&, const JointForest&, const Unknowns&, Substitutions&);

  void masses(EquationsOfMotion::Matrix& M);
  /// Adds to F what inertia and gravity do; what else acts on the bodies is another's matter.
  void forces(std::vector<GiNaC::ex>& F);

 private:
  using Vector = std::array<GiNaC::ex, 2>;
  struct Slide {
    std::size_t speed;
    Vector along;
  };
  struct Link {
    std::size_t parent = Multibody::frame;
    std::vector<std::size_t> children, carried;  ///< at the body itself; all beyond, parents first
    int turn = 0;                                ///< sign of the turn of its joint about z; 0: none
    std::size_t q = 0, v = 0;                    ///< its numbers
    std::vector<Slide> slides;                   ///< of its joint, with the frame
    Vector arm{0, 0};                            ///< from the joint of the parent to that of the body, in axes of the parent
    Vector origin{0, 0};                         ///< the joint, in axes of the body
    Vector first{0, 0};                          ///< h: the first moment about the joint, of the body and what it carries
    GiNaC::ex mass = 0, J = 0;                   ///< of all that it carries; about the joint
    GiNaC::ex angle = 0, rate = 0;
  };
  /// What two bodies have in common: a · R h and a × R h.
  struct Pair {
    GiNaC::ex dot, cross;
  };
  void attach(const JointForest::Edge&);
  void lump(std::size_t body);
  GiNaC::ex angle_between(std::size_t above, std::size_t below);
  Pair turned(const Vector& a, const Vector& h, const GiNaC::ex& angle);
  const Pair& pair(std::size_t above, std::size_t below);
  /// Σ of the inertia that couples the turn of a body with those of a subtree.
  const GiNaC::ex& coupling(std::size_t above, std::size_t subtree);
  GiNaC::ex reduced(std::size_t body, std::size_t subtree);
  std::size_t toward(std::size_t above, std::size_t below) const;
  /// What a slide has in common with the bodies of a subtree: of their turns, or of their centripetal forces.
  GiNaC::ex along(const Slide&, std::size_t subtree, bool centripetal);
  /// What inertia and gravity do to the turns of a subtree.
  GiNaC::ex moment(std::size_t subtree, std::vector<GiNaC::ex>& F);
  GiNaC::ex square_of_rate(std::size_t body) { return names_(GiNaC::pow(links_[body].rate, 2)); }

  const Multibody& model_;
  const Unknowns& unknowns_;
  Substitutions& names_;
  std::vector<std::size_t> order_;  ///< bodies, parents first
  std::vector<Link> links_;
  std::map<std::pair<std::size_t, std::size_t>, Pair> pairs_;  ///< by the body above and that below
  std::map<std::pair<std::size_t, std::size_t>, GiNaC::ex> couplings_;
};

}  // namespace sfg
