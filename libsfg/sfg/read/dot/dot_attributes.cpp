#include "sfg/read/dot/dot_attributes.hpp"

#include <algorithm>

namespace sfg {

namespace {

/// What nodes and branches have here; of the rest, Graphviz's, the last one counts, but for a label that is a gain.
bool is_ours(std::string_view name) {
  constexpr std::string_view names[] = {"gain", "nonlinear", "arguments", "dc", "at_rest", "units"};
  return std::ranges::find(names, name) != std::end(names);
}

}  // namespace

DotScope& DotScope::opened() {
  children.push_back(std::make_unique<DotScope>());
  children.back()->parent = this;
  return *children.back();
}

DotScope& DotScope::named(const std::string& name) {
  DotScope*& known = by_name[name];
  if (!known) known = &opened();
  return *known;
}

std::vector<DotAttribute> DotScope::effective(std::vector<DotAttribute> DotScope::*kind) const {
  if (!parent) return this->*kind;
  std::vector<DotAttribute> list = parent->effective(kind);
  for (const DotAttribute& attribute : this->*kind) state(list, attribute);
  return list;
}

void state(std::vector<DotAttribute>& list, const DotAttribute& attribute) {
  const auto known = std::ranges::find(list, attribute.name, &DotAttribute::name);
  if (known == list.end())
    list.push_back(attribute);
  else
    *known = attribute;
}

bool DotAttributes::same_value(const DotAttribute& a, const DotAttribute& b) const {
  return dot_value(source_, a.begin).text == dot_value(source_, b.begin).text;
}

bool DotAttributes::is_key(const DotAttribute& attribute) const { return file_.names[attribute.name] == "key"; }

void DotAttributes::in_list(const DotAttribute& attribute, const DotAtom& name) {
  stand_in_.resize(file_.names.size());
  auto& [list, known] = stand_in_[attribute.name];
  if (list == list_ && is_ours(file_.names[attribute.name]) && !same_value(known, attribute))
    throw Error(source_.at(name.begin, name.end - name.begin),
                "the attribute " + in_quotes(dot_value(source_, name.begin).text) + " stands twice in one statement",
                "leave one of them");
  list = list_, known = attribute;
}

bool DotAttributes::is_law(const DotAttribute& attribute) const {
  return file_.names[attribute.name] == "gain" || file_.names[attribute.name] == "nonlinear";
}

bool DotAttributes::has_law(std::span<const DotAttribute> list) const {
  return std::ranges::any_of(list, [this](const DotAttribute& attribute) { return is_law(attribute); });
}

void DotAttributes::state_own(std::vector<DotAttribute>& list, DotAttribute attribute, bool of_branch) const {
  const std::string& name = file_.names[attribute.name];
  const auto known = std::ranges::find(list, attribute.name, &DotAttribute::name);
  if (of_branch && file_.strict) return state(list, attribute);  // which has a warning of its own
  const bool counts = is_ours(name) || (of_branch && name == "label" && !has_law(list));
  if (counts && known != list.end() && known->own && !same_value(*known, attribute))
    throw Error(source_.at(attribute.begin, 1),
                "the attribute '" + name + "' is stated of this " + (of_branch ? "branch" : "node") + " already, otherwise",
                "leave one of them");
  attribute.own = true;
  state(list, attribute);
}

void DotAttributes::refuse_two_labels(std::span<const DotAttribute> defaults, std::span<const DotAttribute> list) const {
  const DotAttribute *first = nullptr, *other = nullptr;
  for (const DotAttribute& attribute : list) {
    if (is_law(attribute)) return;
    if (file_.names[attribute.name] != "label") continue;
    if (!first) first = &attribute;
    if (!same_value(*first, attribute)) other = &attribute;
  }
  if (other && !has_law(defaults))
    throw Error(source_.at(other->begin, 1), "the branch has two labels and no gain", "leave one of them, or write gain=\"…\"");
}

}  // namespace sfg
