#pragma once
#include <string>
#include <string_view>

// Not installed: several pictures in one page.
namespace sfg {

/// A name for a picture by what it shows, so that its style rules and references bind no other picture of a page.
std::string scope_of(std::string_view body);

}  // namespace sfg
