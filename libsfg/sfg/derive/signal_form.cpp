#include "sfg/derive/signal_form.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>
#include <string>

#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using GiNaC::is_exactly_a;

/// Which signal, and which derivative of it, a symbol is.
class SymbolsOfSignals {
 public:
  struct Place {
    std::size_t signal, order;
  };
  explicit SymbolsOfSignals(std::span<const SignalSymbols> signals) {
    for (std::size_t i = 0; i < signals.size(); ++i)
      for (std::size_t order = 0; order < signals[i].size(); ++order) places_[signals[i][order]] = {i, order};
  }
  std::optional<Place> place(const ex& e) const {
    const auto found = places_.find(e);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }
  bool within(const ex& e) const {
    for (auto part = e.preorder_begin(); part != e.preorder_end(); ++part)
      if (is_exactly_a<GiNaC::symbol>(*part) && places_.contains(*part)) return true;
    return false;
  }

 private:
  std::map<ex, Place, GiNaC::ex_is_less> places_;
};

class FormFinder {
 public:
  explicit FormFinder(std::span<const SignalSymbols> signals) : signals_(signals), known_(signals) {}

  std::optional<SignalForm> operator()(const ex& e) {
    if (linear(e) || !depends_on_one(e) || form_.empty()) return {};
    return form_;
  }

 private:
  struct Linear {
    SignalForm values, rates;
  };

  /// Where an expression is linear in signals and their rates, but for a constant.
  std::optional<Linear> linear(const ex& e) const {
    if (const auto place = known_.place(e)) {
      if (place->order > 1) return {};
      Linear one;
      (place->order == 0 ? one.values : one.rates)[place->signal] = 1;
      return one;
    }
    if (!known_.within(e)) return Linear{};
    const bool sum = is_exactly_a<GiNaC::add>(e);
    if (!sum && !is_exactly_a<GiNaC::mul>(e)) return {};
    Linear all;
    ex factor = 1;
    for (std::size_t i = 0; i < e.nops(); ++i) {
      const ex part = e.op(i);
      if (!known_.within(part)) {
        factor *= part;
        continue;
      }
      const auto inner = linear(part);
      if (!inner || (!sum && !(all.values.empty() && all.rates.empty()))) return {};
      add(all.values, inner->values, 1);
      add(all.rates, inner->rates, 1);
    }
    if (sum) return all;
    Linear scaled;
    add(scaled.values, all.values, factor);
    add(scaled.rates, all.rates, factor);
    return scaled;
  }

  static void add(SignalForm& to, const SignalForm& form, const ex& factor) {
    for (const auto& [signal, coefficient] : form) {
      ex& sum = to[signal];
      sum = sum + factor * coefficient;
      if (vanishes(sum)) to.erase(signal);
    }
  }

  bool depends_on_one(const ex& e) {
    if (!known_.within(e)) return true;
    if (known_.place(e) || is_exactly_a<GiNaC::add>(e) || is_exactly_a<GiNaC::mul>(e))
      if (const auto found = linear(e)) return join(found->values) && join(found->rates);
    if (e.nops() == 0) return false;
    const SignalForm before = form_;
    bool one = true;
    for (std::size_t i = 0; i < e.nops() && one; ++i) one = depends_on_one(e.op(i));
    if (one || !is_exactly_a<GiNaC::add>(e)) return one;
    form_ = before;
    return multiplied_out(e);
  }

  /// Of the multiples of one form that whose text is the shortest stands for all.
  bool join(SignalForm form) {
    if (form.empty()) return true;
    if (form_.empty()) {
      form_ = settled(std::move(form));
      return true;
    }
    if (!ratio(form, form_)) return false;
    form = settled(std::move(form));
    if (const std::string now = text(form), before = text(form_);
        now.size() < before.size() || (now.size() == before.size() && now < before))
      form_ = std::move(form);
    return true;
  }

  /// Without a common number, and with a first coefficient that is not written with a minus.
  static SignalForm settled(SignalForm form) {
    GiNaC::numeric content = 0;
    for (const auto& [signal, coefficient] : form) {
      const GiNaC::numeric number = coefficient.integer_content();
      content = content.is_zero() ? number
                                  : GiNaC::gcd(content.numer() * number.denom(), number.numer() * content.denom()) /
                                        (content.denom() * number.denom());
    }
    if (math(form.begin()->second).is_negative()) content = -content;
    for (auto& [signal, coefficient] : form) coefficient = coefficient / content;
    return form;
  }

  static std::string text(const SignalForm& form) {
    std::string text;
    for (const auto& [signal, coefficient] : form) text += print(coefficient) + ";";
    return text;
  }

  /// A polynomial whose gradients have one direction.
  bool multiplied_out(const ex& e) {
    constexpr std::size_t most_terms = 200;
    const ex f = e.expand();
    if (f.nops() > most_terms) return false;
    std::set<std::size_t> present;
    GiNaC::lst symbols;
    for (auto part = f.preorder_begin(); part != f.preorder_end(); ++part)
      if (const auto place = known_.place(*part)) {
        if (place->order > 1) return false;
        if (present.insert(place->signal).second)
          for (std::size_t order = 0; order < orders(place->signal); ++order) symbols.append(signals_[place->signal][order]);
      }
    if (present.size() < 2 || !f.is_polynomial(symbols)) return false;
    const std::size_t first = *present.begin();
    const auto by = [&](std::size_t signal, std::size_t order) {
      return order < orders(signal) ? f.diff(ex_to<GiNaC::symbol>(signals_[signal][order])).expand() : ex(0);
    };
    for (std::size_t order = 0; order < 2; ++order)
      for (const int at : {1, 2, 3}) {
        GiNaC::exmap point;
        for (const ex& symbol : symbols) point[symbol] = 0;
        for (std::size_t k = 0; k < orders(first); ++k) point[signals_[first][k]] = at + static_cast<int>(k);
        const ex steep = by(first, order).subs(point, GiNaC::subs_options::no_pattern);
        if (vanishes(steep)) continue;
        SignalForm form{{first, 1}};
        for (const std::size_t signal : present) {
          if (signal == first) continue;
          form[signal] = (by(signal, order).subs(point, GiNaC::subs_options::no_pattern) / steep).normal();
          for (std::size_t k = 0; k < 2; ++k)
            if (!vanishes(by(signal, k) - form[signal] * by(first, k))) return false;
        }
        return join(std::move(form));
      }
    return false;
  }

  /// Of values and rates.
  std::size_t orders(std::size_t signal) const { return std::min<std::size_t>(signals_[signal].size(), 2); }

  std::span<const SignalSymbols> signals_;
  SymbolsOfSignals known_;
  SignalForm form_;
};

void add_terms(const ex& e, const ex& factor, const SymbolsOfSignals& known, GiNaC::exvector& terms) {
  if (is_exactly_a<GiNaC::add>(e)) {
    for (std::size_t i = 0; i < e.nops(); ++i) add_terms(e.op(i), factor, known, terms);
    return;
  }
  if (is_exactly_a<GiNaC::mul>(e)) {
    ex others = factor, sum;
    std::size_t with_signals = 0;
    for (std::size_t i = 0; i < e.nops(); ++i)
      if (known.within(e.op(i)))
        sum = e.op(i), ++with_signals;
      else
        others *= e.op(i);
    if (with_signals == 1 && is_exactly_a<GiNaC::add>(sum)) return add_terms(sum, others, known, terms);
  }
  terms.push_back(factor * e);
}

}  // namespace

std::optional<SignalForm> single_form(const ex& e, std::span<const SignalSymbols> signals) { return FormFinder(signals)(e); }

ex in_form(const ex& e, const SignalForm& form, std::span<const SignalSymbols> signals, const ex& value, const ex& rate) {
  GiNaC::exmap meaning;
  for (const auto& [signal, coefficient] : form)
    for (const ex& symbol : signals[signal]) meaning[symbol] = 0;
  const auto& [first, coefficient] = *form.begin();
  meaning[signals[first][0]] = value / coefficient;
  if (signals[first].size() > 1) meaning[signals[first][1]] = rate / coefficient;
  return e.subs(meaning, GiNaC::subs_options::no_pattern);
}

std::optional<ex> ratio(const SignalForm& a, const SignalForm& b) {
  if (a.empty() || a.size() != b.size() || a.begin()->first != b.begin()->first) return {};
  const ex ratio = (a.begin()->second / b.begin()->second).normal();
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j)
    if (i->first != j->first || !vanishes(i->second - ratio * j->second)) return {};
  return ratio;
}

std::vector<ex> signal_terms(const ex& e, std::span<const SignalSymbols> signals) {
  GiNaC::exvector terms;
  add_terms(e, 1, SymbolsOfSignals(signals), terms);
  std::vector<std::pair<std::string, ex>> ordered;
  for (const ex& term : terms) ordered.emplace_back(print(term), term);
  std::ranges::stable_sort(ordered, {}, &std::pair<std::string, ex>::first);
  std::vector<ex> result;
  for (auto& [text, term] : ordered) result.push_back(std::move(term));
  return result;
}

}  // namespace sfg
