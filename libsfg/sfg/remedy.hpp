#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sfg {

/// What a caller can do about a failure by another argument or another function. A closed list, so that whoever offers the
/// library under other names (the options of the command, the keywords of another language) can put it in words of its own.
enum class Advice : std::uint8_t {
  own_words,             ///< what the remedy says in its subject
  substitute,            ///< a value for the symbol that the subject names
  substitute_others,     ///< other values than the file states
  substitute_in_roots,   ///< values of the symbols under roots
  state_interval,        ///< a name and an interval for a number
  raise_time_limit,      ///< Budget::Limits::seconds
  raise_memory_limit,    ///< Budget::Limits::memory_bytes
  raise_term_limit,      ///< Budget::Limits::terms
  list_some,             ///< MasonOptions::limit
  ask_unlisted,          ///< transfer_function() or transfer_sequence() in place of a listing
  ask_unexpanded,        ///< transfer_sequence() or mason() in place of transfer_function()
  ask_unfactored,        ///< transfer_function() or transfer_sequence() in place of factored()
  ask_other_form,        ///< any form that is not expanded
  ask_sequence,          ///< transfer_sequence()
  ask_factored_numbers,  ///< poles_zeros(), whose numbers are exact
  ask_numeric,           ///< samples in place of a closed form with symbols
  reduce_graph,          ///< reduce()
  list_loops,            ///< loops() or mason()
  derive,                ///< equations before the answer
  pade,                  ///< pade()
  pade_or_divisor,       ///< pade(), or a sample time that divides the dead time
  tustin,                ///< a shorter sample time, or Discretization::tustin
  change_frequencies,    ///< another frequency or range
  change_reference,      ///< Question::reference
  ratio_or_injection,    ///< Question::mode
  loosen_tolerances,     ///< ForcedOptions
  shorten_time,          ///< of a response
  name_format,           ///< InputFormat
};

/// What to do about a failure: alternatives, each a piece of advice or a sentence.
class Remedy {
 public:
  struct Step {
    Advice advice = Advice::own_words;
    std::string subject = {};
    bool operator==(const Step&) const = default;
  };

  Remedy() = default;
  Remedy(std::string words);
  Remedy(const char* words);
  Remedy(Advice, std::string subject = {});

  bool empty() const noexcept { return steps_.empty(); }
  const std::vector<Step>& steps() const noexcept { return steps_; }
  /// "one, another, or a third" in the words of the library, or in those of the caller.
  std::string text() const;
  std::string text(const std::function<std::string(const Step&)>& words) const;

  /// One or the other.
  friend Remedy operator|(Remedy first, const Remedy& other);
  bool operator==(const Remedy&) const = default;

 private:
  std::vector<Step> steps_;
};

Remedy operator|(Remedy first, const Remedy& other);
Remedy operator|(Advice first, const Remedy& other);

}  // namespace sfg
