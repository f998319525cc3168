#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "sfg/error.hpp"

// Not installed: what is worth knowing beside an answer, in JSON.
namespace sfg::json {

/// "message; hint" of the warnings, or of the notes.
inline nlohmann::ordered_json texts(const std::vector<Diagnostic>& notes, bool warnings) {
  auto result = nlohmann::ordered_json::array();
  for (const Diagnostic& note : notes)
    if ((note.severity != Severity::note) == warnings)
      result.push_back(note.hint.empty() ? note.message : note.message + "; " + note.hint.text());
  return result;
}

}  // namespace sfg::json
