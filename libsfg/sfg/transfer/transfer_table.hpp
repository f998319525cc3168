#pragma once
#include <span>
#include <vector>

#include "sfg/transfer/transfer.hpp"

// Not installed.
namespace sfg {

/// Several transfer functions over one denominator: T_i = N_i/Δ.
struct TransferTable {
  ring::Polynomial denominator;              ///< Δ: the least that all denominators divide
  std::vector<ring::Polynomial> numerators;  ///< N_i
  std::vector<ring::Polynomial> common;      ///< what N_i and Δ have in common, so that it cancels in T_i; 1: nothing
};

/// @param transfers  of one call of transfer_functions(), at least one
TransferTable transfer_table(std::span<const TransferFunction> transfers, const Budget& = {});

}  // namespace sfg
