#include "sfg/graph/hidden_modes.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

bool is_hidden(const Attributes::value_type& attribute) { return attribute.first == "hidden_modes"; }

}  // namespace

GiNaC::ex hidden_modes(const Branch& branch, const SymbolTable& known) {
  const auto stated = std::ranges::find_if(branch.attributes, is_hidden);
  if (stated == branch.attributes.end()) return 1;
  SymbolTable symbols = known;
  return parse(stated->second, symbols, branch.where);
}

void keep_hidden_modes(Branch& branch, const GiNaC::ex& factor) {
  std::erase_if(branch.attributes, is_hidden);
  if (!factor.is_equal(1)) branch.attributes.emplace_back("hidden_modes", print(factor));
}

}  // namespace sfg
