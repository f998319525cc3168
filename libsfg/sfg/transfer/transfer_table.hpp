#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
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

/// Transfer functions as the entries of a matrix: a row an output, a column an input, in the order in which they are met.
struct TransferGrid {
  std::vector<std::string> inputs, outputs;
  std::vector<std::pair<std::size_t, std::size_t>> places;  ///< row and column of each transfer function
};

/// @param ends  input and output of each
/// @returns nothing unless they are all of all, each once
std::optional<TransferGrid> transfer_grid(std::span<const std::pair<std::string, std::string>> ends);

template <class Transfers>
std::optional<TransferGrid> grid_of(const Transfers& transfers) {
  std::vector<std::pair<std::string, std::string>> ends;
  for (const auto& transfer : transfers) ends.emplace_back(transfer.input, transfer.output);
  return transfer_grid(ends);
}

}  // namespace sfg
