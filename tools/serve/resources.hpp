#pragma once
#include <span>
#include <string_view>

namespace sfg::command {

// Files compiled in by embed.cmake.
extern const std::string_view workbench_html, workbench_css, workbench_js, picture_js, watch_html, watch_css, watch_js;

/// A model to start from.
struct ServedExample {
  std::string_view file;  ///< "vehicle.toml"
  std::string_view kind;  ///< "Lagrange model"
  std::string_view text;
};
extern const std::span<const ServedExample> served_examples;

}  // namespace sfg::command
