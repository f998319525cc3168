#include "sfg/remedy.hpp"

#include <utility>

namespace sfg {

namespace {

std::string words_of(const Remedy::Step& step) {
  switch (step.advice) {
    case Advice::own_words: return step.subject;
    case Advice::substitute: return "substitute " + (step.subject.empty() ? "a number" : "a number for " + step.subject);
    case Advice::substitute_others: return "substitute others";
    case Advice::substitute_in_roots: return "give values to parameters under the roots";
    case Advice::state_interval: return "give it a name and an interval";
    case Advice::raise_time_limit: return "raise the limit of time";
    case Advice::raise_memory_limit: return "raise the limit of memory";
    case Advice::raise_term_limit: return "raise the limit of terms";
    case Advice::list_some: return "list only some";
    case Advice::ask_unlisted: return "ask for the transfer function, expanded or as a sequence of expressions";
    case Advice::ask_unexpanded: return "ask for a sequence of expressions, which does not expand, or for Mason's listing";
    case Advice::ask_unfactored: return "ask for the expanded transfer function or a sequence of expressions";
    case Advice::ask_other_form: return "ask for a form that is not expanded";
    case Advice::ask_sequence: return "ask for a sequence of expressions";
    case Advice::ask_factored_numbers: return "ask for its poles and zeros";
    case Advice::ask_numeric: return "ask for samples in place of a closed form";
    case Advice::reduce_graph: return "reduce the graph first";
    case Advice::list_loops: return "look at the loops of the graph";
    case Advice::derive: return "check the equations";
    case Advice::pade: return "replace the dead time by a Padé approximant";
    case Advice::pade_or_divisor: return "choose a sample time that divides it, or replace the dead time by a Padé approximant";
    case Advice::tustin: return "choose a shorter sample time or the method of Tustin";
    case Advice::change_frequencies: return "choose other frequencies";
    case Advice::change_reference: return "name another source as the reference of the ratio";
    case Advice::ratio_or_injection: return "analyses from it need a ratio, or an injected signal";
    case Advice::loosen_tolerances: return "loosen the tolerances";
    case Advice::shorten_time: return "end the response earlier";
    case Advice::name_format: return "name the format";
  }
  return step.subject;
}

}  // namespace

Remedy::Remedy(std::string words) {
  if (!words.empty()) steps_.push_back({Advice::own_words, std::move(words)});
}
Remedy::Remedy(const char* words) : Remedy(std::string(words)) {}
Remedy::Remedy(Advice advice, std::string subject) : steps_{{advice, std::move(subject)}} {}

std::string Remedy::text() const { return text(words_of); }

std::string Remedy::text(const std::function<std::string(const Step&)>& words) const {
  std::string text;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const bool last = i + 1 == steps_.size();
    text += (i == 0 ? "" : last ? ", or " : ", ") + words(steps_[i]);
  }
  return text;
}

Remedy operator|(Remedy first, const Remedy& other) {
  first.steps_.insert(first.steps_.end(), other.steps_.begin(), other.steps_.end());
  return first;
}

Remedy operator|(Advice first, const Remedy& other) { return Remedy(first) | other; }

}  // namespace sfg
