#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/noise.hpp"

namespace sfg {

struct NoiseContribution {
  std::string element;
  /// Of the output, one-sided, over w, k_B, T_K, q_e and the parameters; nothing where there are numbers alone.
  std::optional<GiNaC::ex> density;
  std::optional<GiNaC::ex> input_density = {};  ///< the same at the input, where there is one
  std::vector<double> values = {};              ///< at the frequencies
  std::optional<double> mean_square = {};       ///< over the band
  /// The same of the density at the input, where that is asked for; nothing where it is unbounded.
  std::optional<double> input_mean_square = {};
};

/// The noise of one signal of a linear graph: what independent sources bring, added as squares.
struct NoiseAnalysis {
  std::string output;
  std::string input = {};  ///< what the noise is referred to; "" for none
  double temperature = 0;  ///< K
  std::vector<NoiseContribution> contributions = {};
  std::vector<double> frequency = {};                      ///< rad/s
  std::vector<double> output_density = {};                 ///< of the output per Hz, at the frequencies
  std::vector<double> input_density = {};                  ///< of the input: divided by |T|²; NaN where T is 0
  std::optional<GiNaC::ex> input_density_expression = {};  ///< of all together, as one fraction
  std::optional<double> low = {}, high = {};               ///< the band, rad/s; 0…∞ where not given
  std::optional<double> rms = {};                          ///< over the band
  std::optional<GiNaC::ex> variance = {};                  ///< over 0…∞ in closed form; only where no band is given
  std::vector<std::string> notes = {};                     ///< why something is not there
};

struct NoiseOptions {
  std::vector<double> frequency = {};  ///< rad/s; empty: chosen from the poles and zeros
  struct Band {
    double low, high;  ///< rad/s
  };
  std::optional<Band> band = {};                 ///< of the mean square; 0…∞ when not given
  double temperature = usual_noise_temperature;  ///< K
  bool referred_mean_squares = false;            ///< mean squares at the input, too, over a band that is given
  Budget budget = {};
  std::uint64_t seed = 1;
};

/// Densities in closed form from the transfer functions, S = Σ S_k |T_k(jω)|²; their numbers at the stated values; the mean
/// square over the band, certified (exact/integral); without a band the variance in closed form, by the linear equations that
/// the Lyapunov equation becomes for one transfer function (Newton, Gould, Kaiser 1957, app. E).
/// @throws sfg::Error when frequencies or a band are given and a parameter has no value; for densities that are no rational
/// function of w.
/// With dead time, or another gain that is no rational function, there are the numbers at the frequencies alone.
/// @throws LimitReached as transfer_function().
NoiseAnalysis noise(const SignalFlowGraph&, std::span<const NoiseSource>, NodeId output, std::optional<NodeId> input = {},
                    const NoiseOptions& = {});

}  // namespace sfg
