#include "sfg/numeric/kept_state.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/numeric/packed.hpp"

namespace sfg {

namespace {

/// Fowler, Noll and Vo's hash, 64 bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xCBF29CE484222325;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return h;
}

std::string head_of(std::string_view kind) { return "sfg state of a " + std::string(kind) + ", 1\n"; }

/// "study" of "Monte Carlo study".
std::string short_name(std::string_view kind) { return std::string(kind.substr(kind.rfind(' ') + 1)); }

void require_same(const Identity& there, const Identity& here, std::string_view kind) {
  for (std::size_t k = 0; k < std::max(there.size(), here.size()); ++k) {
    if (k < there.size() && k < here.size() && there[k] == here[k]) continue;
    const std::string none = "not stated";
    throw Error({},
                "the checkpoint is of another " + short_name(kind) + ": " + (k < here.size() ? here[k].first : there[k].first) +
                    " is " + (k < there.size() ? there[k].second : none) + " there and " +
                    (k < here.size() ? here[k].second : none) + " here",
                "resume with the same model and the same questions");
  }
}

}  // namespace

std::string fingerprint(std::string_view text) {
  constexpr std::size_t digits = 16;
  std::string result(digits, '0');
  std::uint64_t rest = hash(text);
  for (std::size_t i = digits; i > 0; --i, rest /= 16) result[i - 1] = "0123456789abcdef"[rest % 16];
  return result;
}

std::string kept_state(std::string_view kind, const Identity& identity, std::string_view state) {
  Packer packer;
  packer.add(static_cast<std::uint64_t>(identity.size()));
  for (const auto& [name, text] : identity) {
    packer.add(name);
    packer.add(text);
  }
  packer.add(state);
  const std::string bytes = std::move(packer).bytes();
  Packer sum;
  sum.add(hash(bytes));
  return head_of(kind) + std::move(sum).bytes() + bytes;
}

std::string state_of(std::string_view kept, std::string_view kind, const Identity& identity) {
  const Error damaged({}, "the checkpoint is none of a " + std::string(kind) + ", or it is damaged",
                      "begin the " + short_name(kind) + " anew");
  const std::string head = head_of(kind);
  if (!kept.starts_with(head)) throw damaged;
  try {
    const std::string_view rest = kept.substr(head.size());
    Unpacker from(rest);
    const auto sum = from.take<std::uint64_t>();
    if (sum != hash(rest.substr(sizeof sum))) throw damaged;
    Identity there(from.take<std::uint64_t>());
    for (auto& [name, text] : there) {
      name = from.text();
      text = from.text();
    }
    require_same(there, identity, kind);
    return from.text();
  } catch (const std::out_of_range&) {
    throw damaged;
  }
}

}  // namespace sfg
