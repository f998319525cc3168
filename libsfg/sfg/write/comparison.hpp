#pragma once
#include <iosfwd>
#include <optional>
#include <span>
#include <string>

#include "sfg/compare/comparison.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// The verdict; where they differ, values at one frequency and what the difference comes from.
Page page(const Comparison&);
/// {"schema": "sfg/compare/1", …}: docs/schema/compare.schema.json.
void write_json(std::ostream&, const Comparison&);

/// One of several models that are compared with the same one.
struct MarkedModel {
  std::string file;
  std::optional<Comparison> comparison = {};  ///< nothing where there was no answer
  std::string error = {};                     ///< why
  std::string hint = {};
};

/// A line for each, in their order, and how many are the same.
Page page(const std::string& solution, std::span<const MarkedModel>);
void write_json(std::ostream&, const std::string& solution, std::span<const MarkedModel>);

}  // namespace sfg
