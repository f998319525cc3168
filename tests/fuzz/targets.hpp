#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sfg/error.hpp"

namespace sfg::fuzz {

// Ways into the library for bytes from anywhere. Whatever the bytes are, a target returns 0: refusals are part of it. What it
// throws is a find: Broken where a promise does not hold, anything else where the library lets more out than its Failures.

int try_dot(std::string_view);
int try_toml(std::string_view);
int try_json(std::string_view);
int try_graphml(std::string_view);
int try_yaml(std::string_view);
int try_simulink(std::string_view);       ///< .mdl, and the archive .slx
int try_xcos(std::string_view);           ///< .xcos, and the archive .zcos with its Java objects
int try_typed(std::string_view);          ///< block diagrams as they are typed
int try_csv(std::string_view);            ///< blocks and their branches
int try_signal(std::string_view);         ///< time and value; points of a table
int try_table(std::string_view);          ///< measured: the first byte says what its columns may be about
int try_touchstone(std::string_view);     ///< the first byte says of how many ports
int try_point(std::string_view);          ///< operating points as simulators print them
int try_spice(std::string_view);          ///< with a file beside it
int try_script(std::string_view);         ///< of Augustaitis
int try_system(std::string_view);         ///< as Octave, MATLAB and python-control print it
int try_substitutions(std::string_view);  ///< lists of Mráz
int try_expression(std::string_view);     ///< and back from what is printed of it
int try_value(std::string_view);          ///< numbers with suffixes, tolerances, distributions
int try_law(std::string_view);            ///< nonlinear branches and their arguments
int try_unit(std::string_view);
int try_options(std::string_view);     ///< verb, options and their values, a word a line, on a small model
int try_fit(std::string_view);         ///< options of a fit, a word a line, with records of a model
int try_checkpoint(std::string_view);  ///< of a Monte Carlo study: bytes of its own, or edits of a right one
int try_request(std::string_view);     ///< the head of HTTP
int try_question(std::string_view);    ///< of the workbench
int try_batch(std::string_view);       ///< a line of a batch
int try_page(std::string_view);        ///< fences of a page in Markdown, reStructuredText, LaTeX: the first byte says in which
int try_structure(std::string_view);   ///< a small graph: engines against each other
int try_verbs(std::string_view);       ///< a small graph: every verb, in JSON
int try_exchange(std::string_view);    ///< a small graph: written in every format, and read again

struct Target {
  const char* name;
  int (*run)(std::string_view);
  std::size_t longest;  ///< input, in bytes
  unsigned tries;       ///< changes of its corpus in the ordinary tests
};
inline constexpr std::array<Target, 31> targets{{{"dot", try_dot, 4096, 300},
                                                 {"toml", try_toml, 4096, 300},
                                                 {"json", try_json, 4096, 300},
                                                 {"graphml", try_graphml, 4096, 300},
                                                 {"yaml", try_yaml, 2048, 300},
                                                 {"simulink", try_simulink, 4096, 300},
                                                 {"xcos", try_xcos, 4096, 300},
                                                 {"typed", try_typed, 2048, 300},
                                                 {"csv", try_csv, 2048, 300},
                                                 {"signal", try_signal, 2048, 300},
                                                 {"table", try_table, 2048, 300},
                                                 {"touchstone", try_touchstone, 2048, 300},
                                                 {"point", try_point, 4096, 300},
                                                 {"spice", try_spice, 4096, 300},
                                                 {"script", try_script, 4096, 300},
                                                 {"system", try_system, 2048, 300},
                                                 {"substitutions", try_substitutions, 2048, 300},
                                                 {"expression", try_expression, 512, 300},
                                                 {"value", try_value, 128, 300},
                                                 {"law", try_law, 512, 300},
                                                 {"unit", try_unit, 128, 300},
                                                 {"options", try_options, 256, 20},
                                                 {"fit", try_fit, 256, 20},
                                                 {"checkpoint", try_checkpoint, 4096, 100},
                                                 {"request", try_request, 2048, 300},
                                                 {"question", try_question, 1024, 300},
                                                 {"batch", try_batch, 1024, 300},
                                                 {"page", try_page, 2048, 300},
                                                 {"structure", try_structure, 64, 20},
                                                 {"verbs", try_verbs, 64, 10},
                                                 {"exchange", try_exchange, 64, 100}}};

/// A promise that does not hold.
class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& promise) {
  if (!holds) throw Broken(promise);
}

/// Runs what may refuse its input, with words.
/// @returns whether it did what it was asked
template <class Function>
bool attempt(Function function) {
  try {
    function();
    return true;
  } catch (const Failure& failure) {
    require(failure.what()[0] != '\0', "a refusal says what is wrong");
    return false;
  }
}

/// Whether a run of digits is longer than one that is read: a number that is made of others may be.
inline bool has_long_number(std::string_view text) {
  constexpr std::size_t longest = 1000;
  std::size_t digits = 0;
  return std::any_of(text.begin(), text.end(),
                     [&](char c) { return (digits = c >= '0' && c <= '9' ? digits + 1 : 0) > longest; });
}

}  // namespace sfg::fuzz
