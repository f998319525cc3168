#include "sfg/text/legal_names.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 40> greek{
    {{"α", "alpha"},   {"β", "beta"},  {"γ", "gamma"},  {"δ", "delta"},  {"ε", "epsilon"}, {"ζ", "zeta"},  {"η", "eta"},
     {"θ", "theta"},   {"ι", "iota"},  {"κ", "kappa"},  {"λ", "lambda"}, {"μ", "mu"},      {"µ", "mu"},    {"ν", "nu"},
     {"ξ", "xi"},      {"ο", "o"},     {"π", "pi"},     {"ρ", "rho"},    {"ς", "sigma"},   {"σ", "sigma"}, {"τ", "tau"},
     {"υ", "ypsilon"}, {"φ", "phi"},   {"ϕ", "phi"},    {"χ", "chi"},    {"ψ", "psi"},     {"ω", "omega"}, {"Γ", "Gamma"},
     {"Δ", "Delta"},   {"Θ", "Theta"}, {"Λ", "Lambda"}, {"Ξ", "Xi"},     {"Π", "Pi"},      {"Σ", "Sigma"}, {"Φ", "Phi"},
     {"Ψ", "Psi"},     {"Ω", "Omega"}, {"ϑ", "theta"},  {"ϱ", "rho"},    {"ϵ", "epsilon"}}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string in_ascii(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size();) {
    const std::string_view character = name.substr(i, character_bytes(name, i));
    i += character.size();
    const auto letter = std::ranges::find(greek, character, &std::pair<std::string_view, std::string_view>::first);
    const char c = character.front();
    if (letter != greek.end())
      result += letter->second;
    else
      result += character.size() == 1 && (is_letter(c) || (c >= '0' && c <= '9')) ? c : '_';
  }
  return result.empty() || !is_letter(result.front()) ? "n" + result : result;
}

}  // namespace

std::string LegalNames::operator()(std::string_view name) {
  const std::string wanted = in_ascii(name);
  std::string legal = wanted;
  for (int n = 2; !taken_.insert(legal).second; ++n) legal = wanted + "_" + std::to_string(n);
  if (legal != name) renamed_.emplace_back(name, legal);
  return legal;
}

std::set<std::string> words_in(std::string_view text) {
  std::set<std::string> words;
  std::istringstream list{std::string(text)};
  for (std::string word; list >> word;) words.insert(word);
  return words;
}

}  // namespace sfg
