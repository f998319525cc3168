#pragma once
#include <string>

#include "sfg/remedy.hpp"

namespace sfg::command {

/// A remedy in the words of the command, with the names of options: of those that the verb takes. Where it has not the option,
/// the remedy says where there is one, or is left out.
/// @param verb  its name; "" where it is not known yet
std::string in_options(const Remedy&, const std::string& verb);

}  // namespace sfg::command
