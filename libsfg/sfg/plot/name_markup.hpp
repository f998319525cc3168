#pragma once
#include <string>

// Not installed: names in pictures.
namespace sfg {

/// Text of SVG that sets the name of a signal or parameter in type: omega_n as an italic ω with an index. What is no name of the
/// grammar stays as it is, upright.
std::string name_markup(const std::string& name);

}  // namespace sfg
