#include "sfg/expr/names_in_use.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sfg/expr/print.hpp"
#include "sfg/text/legal_names.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

thread_local NameTable* names_in_use = nullptr;

std::string_view unblanked(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\n"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\n");
  return end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

/// The end of an entry: the next comma outside of braces, and of parentheses of the name, but for the space "\,".
std::size_t end_of_entry(std::string_view list, std::size_t begin) {
  int depth = 0;
  bool of_name = true;
  for (std::size_t i = begin; i < list.size(); ++i) {
    const char c = list[i];
    if (c == ',' && depth <= 0) return i;
    if (c == '\\') ++i;
    if (c == '{' || (of_name && c == '(')) ++depth;
    if (c == '}' || (of_name && c == ')')) --depth;
    if (c == '=') of_name = false;
  }
  return list.size();
}

}  // namespace

void NameTable::add(std::string_view name) {
  added_.emplace_back(name);
  known_ = false;
}

void NameTable::set(std::string_view name, NameLook look) {
  entries_[std::string(name)].set = std::move(look);
  known_ = false;
}

void NameTable::add_rate(std::string_view rate, std::string_view of, int dots) {
  Entry& entry = entries_[std::string(rate)];
  entry.of = of;
  entry.dots = dots;
  known_ = false;
  add(of);
}

void NameTable::add(const NameTable& other) {
  places_.insert(other.places_.begin(), other.places_.end());
  added_.insert(added_.end(), other.added_.begin(), other.added_.end());
  for (const auto& [name, entry] : other.entries_) {
    Entry& own = entries_[name];
    if (!entry.set.line.empty()) own.set = entry.set;
    if (entry.dots > 0) own.of = entry.of, own.dots = entry.dots;
  }
  known_ = false;
}

NameLook NameTable::by_rule(std::string_view name) const {
  return {places_.contains(place_in_name(name)) ? name_at_place(name) : name_line(name)};
}

NameLook NameTable::wanted(const std::string& name, const Entry& entry) const {
  if (entry.written) return {name_as_written(name)};
  if (!entry.set.line.empty()) return entry.set;
  if (entry.dots == 0) return by_rule(name);
  const auto of = entries_.find(entry.of);
  const bool known = of != entries_.end() && of->second.dots == 0;
  return {with_dots(wanted(entry.of, known ? of->second : Entry{}).line, entry.dots)};
}

/// Of names that look alike those that are set by the rule stand as they are written, then those of their authors.
void NameTable::find_out() const {
  for (std::string& name : added_) entries_.try_emplace(std::move(name));
  added_.clear();
  for (auto& [name, entry] : entries_) entry.written = false;
  for (bool again = true; again;) {
    again = false;
    std::map<std::string, std::vector<Entry*>> alike;
    by_key_.clear();
    for (auto& [name, entry] : entries_) {
      entry.found = wanted(name, entry);
      entry.key = look_key(entry.found.line);
      alike[entry.key].push_back(&entry);
      by_key_.emplace(entry.key, name);
    }
    for (const auto& [key, all] : alike) {
      if (all.size() == 1) continue;
      const auto by_rule = [](const Entry* e) { return !e->written && e->set.line.empty(); };
      const bool any = std::ranges::any_of(all, by_rule);
      for (Entry* entry : all)
        if (any ? by_rule(entry) : !entry->written) entry->written = again = true;
    }
  }
  known_ = true;
}

NameLook NameTable::look(std::string_view name) const {
  if (!known_) find_out();
  if (const auto found = entries_.find(name); found != entries_.end()) return found->second.found;
  NameLook look = by_rule(name);
  return entries_.empty() || !by_key_.contains(look_key(look.line)) ? look : NameLook{name_as_written(name)};
}

std::string NameTable::stated() const {
  std::string list;
  for (const auto& [name, entry] : entries_)
    if (!entry.set.line.empty()) list += (list.empty() ? "" : ", ") + name + "=" + latex(entry.set);
  return list;
}

std::vector<std::string> add_stated(NameTable& names, std::string_view list) {
  std::vector<std::string> known;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = end_of_entry(list, begin);
    const std::string_view entry = list.substr(begin, end - begin);
    const std::size_t equals = entry.find('=');
    const std::string_view name = unblanked(entry.substr(0, std::min(equals, entry.size())));
    if (equals == std::string_view::npos || name.empty())
      throw NameLatexError{begin + std::min(entry.find_first_not_of(' '), entry.size()), "an entry that is not NAME=LATEX"};
    const std::string_view text = unblanked(entry.substr(equals + 1));
    try {
      names.set(name, name_from_latex(text));
      known.emplace_back(name);
    } catch (NameLatexError& error) {
      error.at += text.empty() ? begin + equals + 1 : static_cast<std::size_t>(text.data() - list.data());
      throw;
    }
    begin = end + 1;
  }
  return known;
}

NamesInUse::NamesInUse(NameTable table) : table_(std::make_unique<NameTable>(std::move(table))), outer_(names_in_use) {
  if (outer_ != nullptr) {
    NameTable both = *outer_;
    both.add(*table_);
    *table_ = std::move(both);
  }
  names_in_use = table_.get();
}

NamesInUse::~NamesInUse() { names_in_use = outer_; }

void NamesInUse::add(const NameTable& more) {
  if (names_in_use != nullptr) names_in_use->add(more);
}

NameLook NamesInUse::look(std::string_view name) {
  return names_in_use != nullptr ? names_in_use->look(name) : NameLook{name_line(name)};
}

NameTable NamesInUse::all() { return names_in_use != nullptr ? *names_in_use : NameTable(); }

}  // namespace sfg

namespace sfg {

namespace {

const std::set<std::string> c_words = words_in(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict "
    "return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false class new "
    "delete this template namespace operator private public main I NAN NULL");
const std::set<std::string> python_words = words_in(
    "False None True and as assert async await break class continue def del elif else except finally for from global if import "
    "in is lambda nonlocal not or pass raise return try while with yield match print");
const std::set<std::string> octave_words = words_in(
    "break case catch continue do else elseif end end_try_catch end_unwind_protect endfor endfunction endif endswitch endwhile "
    "for function global if otherwise persistent return switch try until unwind_protect unwind_protect_cleanup while parfor "
    "endparfor classdef methods");
/// What an expression in code calls: a symbol of that name needs another.
constexpr std::array<std::string_view, 27> called{"sqrt",  "exp",  "log",  "sin",  "cos",  "tan",  "asin", "acos", "atan",
                                                  "atan2", "sinh", "cosh", "tanh", "abs",  "sign", "min",  "max",  "step",
                                                  "floor", "pow",  "fabs", "fmin", "fmax", "pi",   "e",    "i",    "j"};

bool is_taken(std::string_view name, Notation notation) {
  const auto in = [&](const auto& list) { return std::ranges::find(list, name) != list.end(); };
  const bool is_imaginary = name == "i" || name == "j" || name == "e";
  if (in(called) && (notation == Notation::octave || !is_imaginary)) return true;
  switch (notation) {
    case Notation::c: return in(c_words);
    case Notation::python: return in(python_words);
    case Notation::octave: return in(octave_words) || name == "I" || name == "J";
    default: return false;
  }
}

std::string identifier(std::string_view name, Notation notation) {
  std::string text;
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t bytes = character_bytes(name, i);
    const std::string_view character = name.substr(i, bytes);
    if (bytes == 1) {
      text += character;
    } else if (const std::string_view letter = greek_word(character); !letter.empty()) {
      text += letter;
    } else {
      constexpr std::string_view hexadecimal = "0123456789abcdef";
      text += 'u';
      for (const char byte : character) {
        text += hexadecimal[static_cast<unsigned char>(byte) >> 4];
        text += hexadecimal[static_cast<unsigned char>(byte) & 15];
      }
    }
    i += bytes;
  }
  return is_taken(text, notation) ? text + "_" : text;
}

}  // namespace

std::string print_name(std::string_view name, Notation notation) {
  switch (notation) {
    case Notation::text: return std::string(name);
    case Notation::latex: return latex(NamesInUse::look(name));
    case Notation::unicode:
    case Notation::markup: return write(NamesInUse::look(name).line, notation);
    case Notation::c:
    case Notation::python:
    case Notation::octave: return identifier(name, notation);
  }
  return std::string(name);
}

}  // namespace sfg
