#include "sfg/draw/graph/shared_parts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "sfg/draw/formula.hpp"

namespace sfg {
namespace {

using Kind = Math::Kind;

constexpr std::size_t least_uses = 4;
constexpr std::size_t most_names = 12;
constexpr double least_width = 2.2;   // in text sizes
constexpr double least_saving = 7.0;  // in text sizes, the legend's line deducted

/// The sum with all its signs turned.
Math turned_sum(const Math& sum) {
  Math made = sum;
  for (Math& term : made.parts) term = Math::negative(std::move(term));
  return made;
}

/// A formula up to its sign: what is compared, and whether the formula is the negative of it.
struct UpToSign {
  Math body;
  bool negative = false;
};

UpToSign up_to_sign(const Math& m) {
  if (m.is_negative()) return {m.parts[0], true};
  if (m.kind == Kind::sum && m.parts.front().is_negative()) return {turned_sum(m), true};
  return {m, false};
}

bool may_be_named(const Math& m, bool whole) {
  return m.kind == Kind::sum || (whole && (m.kind == Kind::product || m.kind == Kind::quotient));
}

struct SharedPart {
  Math body;
  std::size_t uses = 0;
  double width = 0;
};

void count(const Math& m, bool whole, std::map<std::string, SharedPart>& parts) {
  const UpToSign own = up_to_sign(m);
  if (may_be_named(own.body, whole)) {
    SharedPart& part = parts.try_emplace(write(own.body, Notation::text), SharedPart{own.body}).first->second;
    ++part.uses;
  }
  for (const Math& inner : own.body.parts) count(inner, false, parts);
}

Math replaced(const Math& m, bool whole, const Math& body, const Math& name) {
  const UpToSign own = up_to_sign(m);
  if (may_be_named(own.body, whole) && own.body == body) return own.negative ? Math::negative(name) : name;
  Math made = m;
  for (Math& inner : made.parts) inner = replaced(inner, m.is_negative() && whole, body, name);
  return made;
}

/// The part whose name would save the most.
std::optional<SharedPart> best_part(const std::vector<Math>& gains, double size) {
  std::map<std::string, SharedPart> parts;
  for (const Math& gain : gains) count(gain, true, parts);
  std::optional<SharedPart> best;
  double most = least_saving * size;
  for (auto& [text, part] : parts) {
    if (part.uses < least_uses) continue;
    part.width = typeset(part.body, size).width;
    const double saving = static_cast<double>(part.uses) * (part.width - size) - part.width - 3 * size;
    if (part.width < least_width * size || saving <= most) continue;
    most = saving;
    best = part;
  }
  return best;
}

}  // namespace

std::vector<std::pair<Math, Math>> name_shared_parts(std::vector<Math>& gains, double size,
                                                     const std::function<Math()>& next_name) {
  std::vector<std::pair<Math, Math>> named;
  while (named.size() < most_names) {
    const std::optional<SharedPart> part = best_part(gains, size);
    if (!part) break;
    const Math name = next_name();
    for (Math& gain : gains) gain = replaced(gain, true, part->body, name);
    for (auto& [earlier, body] : named) body = replaced(body, true, part->body, name);
    named.emplace_back(name, part->body);
  }
  return named;
}

}  // namespace sfg
