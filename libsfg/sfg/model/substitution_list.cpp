#include "sfg/model/substitution_list.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

using GiNaC::ex;

const SubstitutionList::Array* SubstitutionList::result(std::string_view name) const {
  const auto found = std::ranges::find(results, name, &Array::name);
  return found == results.end() ? nullptr : &*found;
}

std::vector<std::optional<double>> SubstitutionList::values() const {
  const GiNaC::exmap known = symbols.values();
  std::vector<std::optional<double>> result;
  for (const ex& constant : constants) {
    const auto value = known.find(constant);
    result.push_back(value == known.end() ? std::nullopt : double_value(value->second));
  }
  return result;
}

SubstitutionList of_independent_constants(SubstitutionList list) {
  const GiNaC::exmap derived = definitions(list.symbols);
  if (derived.empty()) return list;
  std::erase_if(list.constants, [&](const ex& constant) { return derived.contains(constant); });
  for (auto& substitution : list.substitutions) substitution.value = substitution.value.subs(derived);
  for (auto& array : list.results)
    for (auto& entry : array.entries) entry.value = entry.value.subs(derived);
  return list;
}

std::vector<ex> argument_symbols(const SubstitutionList& list) {
  std::vector<ex> result = list.constants;
  result.insert(result.end(), list.states.begin(), list.states.end());
  result.insert(result.end(), list.inputs.begin(), list.inputs.end());
  if (list.time) result.push_back(*list.time);
  return result;
}

std::vector<ex> result_entries(const SubstitutionList& list) {
  std::vector<ex> result;
  for (const auto& array : list.results) {
    const std::size_t columns = array.size.size() > 1 ? array.size[1] : 1, begin = result.size();
    result.resize(begin + (array.size.empty() ? 0 : array.size[0]) * columns, 0);
    for (const auto& entry : array.entries)
      result[begin + (entry.at[0] - 1) * columns + (entry.at.size() > 1 ? entry.at[1] - 1 : 0)] = entry.value;
  }
  return result;
}

numeric::Tape compile(const SubstitutionList& list) {
  std::vector<std::pair<ex, ex>> definitions;
  for (const auto& substitution : list.substitutions) definitions.emplace_back(substitution.symbol, substitution.value);
  return compile(result_entries(list), argument_symbols(list), {}, definitions);
}

std::vector<double> values_at(const SubstitutionList& list, const SubstitutionPoint& point) {
  std::vector<double> inputs = point.constants;
  inputs.insert(inputs.end(), point.states.begin(), point.states.end());
  inputs.insert(inputs.end(), point.inputs.begin(), point.inputs.end());
  if (list.time) inputs.push_back(point.time);
  return compile(list).values<double>(inputs);
}

SubstitutionPoint sample_point(const SubstitutionList& list) {
  SubstitutionPoint point;
  std::size_t count = 0;
  const auto next = [&] {
    constexpr double golden = 0.61803398874989485;
    const double turned = golden * static_cast<double>(++count);
    return std::round((0.25 + turned - std::floor(turned)) * 4096) / 4096;
  };
  for (const auto& value : list.values()) point.constants.push_back(value ? *value : next());
  std::generate_n(std::back_inserter(point.states), list.states.size(), next);
  std::generate_n(std::back_inserter(point.inputs), list.inputs.size(), next);
  point.time = next();
  return point;
}

std::vector<SubstitutionList::Substitution> needed(std::span<const SubstitutionList::Substitution> all,
                                                   std::span<const ex> expressions) {
  std::set<std::string> names;
  const auto use = [&](const ex& value) {
    for (std::string& name : symbol_names(value)) names.insert(std::move(name));
  };
  std::ranges::for_each(expressions, use);
  std::vector<SubstitutionList::Substitution> result;
  for (auto i = all.rbegin(); i != all.rend(); ++i) {
    if (!names.contains(GiNaC::ex_to<GiNaC::symbol>(i->symbol).get_name())) continue;
    use(i->value);
    result.push_back(*i);
  }
  std::ranges::reverse(result);
  return result;
}

}  // namespace sfg
