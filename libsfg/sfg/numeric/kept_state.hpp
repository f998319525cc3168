#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Not installed.
namespace sfg {

/// What makes a computation this one and no other: names and texts.
using Identity = std::vector<std::pair<std::string, std::string>>;

/// A short text that differs wherever the long one does, but for a chance of 2^-64.
std::string fingerprint(std::string_view);

/// How far a computation has come, as bytes that say of which one they are and whether they are whole.
/// @param kind  "Monte Carlo study"
std::string kept_state(std::string_view kind, const Identity&, std::string_view state);
/// The state of such bytes. @throws sfg::Error where they are none, or of another computation: what differs.
std::string state_of(std::string_view kept, std::string_view kind, const Identity&);

}  // namespace sfg
