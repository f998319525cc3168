#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "sfg/nonlinear/balance/balance_equations.hpp"
#include "sfg/nonlinear/balance/balance_path.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed: where curves of periodic motions begin.
namespace sfg {

/// The equations at one frequency, the level of the inputs being the parameter.
PathProblem in_level(const BalanceEquations&, std::shared_ptr<const BalanceEquations::Linear>);

/// All amplitudes A of |A − T_j Φ(A)| = |T_1 w|, where Φ(A) is the fundamental of what the law makes of A cos ωt: of one odd law
/// of one signal and its rate, for one harmonic, that is every motion. Empty where there is more than that.
std::vector<Eigen::VectorXd> describing_roots(const BalanceEquations& one_harmonic, double frequency,
                                              const BalanceSystem::Point& open);
/// Whether all laws are odd, so that a motion turned about and half a period later is one, too.
bool odd(const BalanceSystem&);
/// That motion: even harmonics of the drive change their sign.
Eigen::VectorXd turned_about(const BalanceEquations&, Eigen::VectorXd x);
bool has_describing_roots(const BalanceEquations& one_harmonic);

/// Solutions at one frequency from the linear response, by growing inputs and from scattered places.
std::vector<Eigen::VectorXd> scattered_solutions(const BalanceEquations&, double frequency, std::uint64_t seed);

/// The harmonics of one set of equations as those of another one, of the same subharmonic order.
Eigen::VectorXd lifted(const Eigen::VectorXd& x, const BalanceEquations& from, const BalanceEquations& to);

/// Whether two vectors of harmonics are of one motion, or of one shifted by whole periods of the inputs.
bool same_motion(const BalanceEquations&, const Eigen::VectorXd&, const Eigen::VectorXd&);

}  // namespace sfg
