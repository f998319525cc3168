// A statement is one assignment. What is indexed, sub(12), kon(3), X(4), u(1), becomes a name first, so that both forms are read
// by one parser of expressions, which keeps its places.
#include "sfg/read/substitutions.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "sfg/expr/parse.hpp"
#include "sfg/model/elastic_constants.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using List = SubstitutionList;

constexpr std::size_t largest_index = 100'000, most_entries = 4'000'000;  // text of a file is data from anywhere
constexpr std::array<std::string_view, 3> arguments_of_a_model{"kon", "X", "u"};

bool is_blank_of_list(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank_of_list(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank_of_list(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<std::size_t> index_of(std::string_view digits) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || value == 0 || value > largest_index) return std::nullopt;
  return value;
}

/// "sub(12)" at the front of a text: its name and number, and how long it is.
struct Indexed {
  std::string name;
  std::vector<std::size_t> at;
  std::size_t length = 0;
};

std::optional<Indexed> indexed(std::string_view text) {
  Indexed found;
  std::size_t i = 0;
  const auto blanks = [&] {
    while (i < text.size() && is_blank_of_list(text[i])) ++i;
  };
  while (i < text.size() && is_word(text[i])) ++i;
  found.name = text.substr(0, i);
  blanks();
  if (found.name.empty() || is_digit(found.name.front()) || i == text.size() || text[i] != '(') return std::nullopt;
  do {
    ++i;
    blanks();
    const std::size_t begin = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    const auto index = index_of(text.substr(begin, i - begin));
    if (!index) return std::nullopt;
    found.at.push_back(*index);
    blanks();
  } while (i < text.size() && text[i] == ',');
  if (i == text.size() || text[i] != ')') return std::nullopt;
  found.length = i + 1;
  return found;
}

/// The number of "sub12".
std::optional<std::size_t> substitution_number(std::string_view name) {
  return name.starts_with("sub") ? index_of(name.substr(3)) : std::nullopt;
}

class Reading {
 public:
  Reading(const SourceText& source, Problems& problems) : source_(source), problems_(problems) {}

  List list() {
    const std::string_view text = source_.text();
    for (int pass = 0; pass < 2; ++pass)  // what the comments say of kon and X holds for the whole file
      for (std::size_t begin = 0; begin < text.size() && !problems_.full();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        const std::size_t mark = std::min(line.find_first_of("#%"), line.size());
        if (pass == 0 && mark < line.size())
          comment(line.substr(mark + 1));
        else if (pass == 1)
          statements(line.substr(0, mark), begin);
        begin = end + 1;
      }
    if (list_.results.empty() && list_.substitutions.empty() && !problems_.any_errors())
      problems_.error(source_.at(0), "the file has no assignment", "write lines as sub1=cos(s1); and M(1,1)=sub1;");
    state_sizes();
    sort_names();
    state_values();
    return std::move(list_);
  }

 private:
  // --- what sfg writes at the head -----------------------------------------------------------------------------------------

  void comment(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with("title: ")) {
      list_.title = text.substr(7);
      return;
    }
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> lists{
        {{"constants:", "kon"}, {"states:", "X"}, {"inputs:", "u"}}};
    for (const auto& [word, array] : lists)
      if (text.starts_with(word)) names(std::string(array), text.substr(word.size()));
    if (text.starts_with("value ")) {
      const std::size_t equals = text.find('=');
      if (equals != std::string_view::npos)
        values_.emplace_back(trimmed(text.substr(6, equals - 6)), trimmed(text.substr(equals + 1)));
      return;
    }
    const auto entry = indexed(text);
    if (entry && trimmed(text.substr(entry->length)).starts_with(':')) {
      if (entry->at.size() <= 2)
        sizes_.push_back({entry->name, entry->at, {}, std::string(trimmed(trimmed(text.substr(entry->length)).substr(1)))});
      return;
    }
    if (!entry || entry->at.size() != 1 || std::ranges::find(arguments_of_a_model, entry->name) == arguments_of_a_model.end())
      return;
    const std::string_view name = trimmed(text.substr(entry->length));
    if (name.starts_with('=') && is_name(trimmed(name.substr(1))))
      named_[entry->name][entry->at.front()] = trimmed(name.substr(1));
  }

  void names(const std::string& array, std::string_view text) {
    listed_ = true;
    for (std::size_t i = 0, number = named_[array].size(); i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && !is_blank_of_list(text[end])) ++end;
      if (end > i && is_name(text.substr(i, end - i))) named_[array][++number] = text.substr(i, end - i);
      i = end + 1;
    }
  }

  // --- statements ----------------------------------------------------------------------------------------------------------

  void statements(std::string_view line, std::size_t begin) {
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t end = line.find(';', i);
      const std::string_view text = line.substr(i, std::min(end, line.size()) - i);
      if (!trimmed(text).empty()) {
        if (end == std::string_view::npos)
          problems_.error(source_.at(begin + i, text.size()), "the assignment does not end with ';'", "write a ';' behind it");
        else
          problems_.attempt([&] { statement(text, begin + i); });
      }
      if (end == std::string_view::npos) break;
      i = end + 1;
    }
  }

  void statement(std::string_view text, std::size_t begin) {
    const std::size_t equals = text.find('=');
    std::string_view left = trimmed(text.substr(0, equals));
    const SourceSpan where = source_.at(begin + static_cast<std::size_t>(left.data() - text.data()), left.size());
    if (equals == std::string_view::npos) throw Error(where, "that is no assignment", "write NAME=EXPRESSION;");
    const ex value = expression(text.substr(equals + 1), begin + equals + 1);
    const auto entry = indexed(left);
    if (entry && entry->length == left.size() && entry->name != "sub") return result(*entry, value, where);
    const auto number = entry && entry->length == left.size() && entry->at.size() == 1 ? entry->at.front()
                                                                                       : substitution_number(left).value_or(0);
    if (number == 0)
      throw Error(where, "'" + std::string(left) + "' is neither a substitution nor an entry of a result",
                  "write sub12=…; or sub(12)=…;, or M(1,2)=…;");
    define(number, value, where);
  }

  void define(std::size_t number, const ex& value, const SourceSpan& where) {
    const std::string name = "sub" + std::to_string(number);
    if (!made_.insert(number).second) throw Error(where, name + " is made twice", "give one of them another number");
    list_.substitutions.push_back({number, list_.symbols.symbol(name, where), value, where});
  }

  void result(const Indexed& left, const ex& value, const SourceSpan& where) {
    if (std::ranges::find(arguments_of_a_model, left.name) != arguments_of_a_model.end())
      throw Error(where, "'" + left.name + "' is given to the equations, not made by them", "assign to sub(…), M(…) or F(…)");
    auto array = std::ranges::find(list_.results, left.name, &List::Array::name);
    if (array == list_.results.end())
      array = list_.results.insert(array, {.name = left.name, .size = std::vector<std::size_t>(left.at.size(), 0)});
    if (array->size.size() != left.at.size() || left.at.size() > 2)
      throw Error(where, "an entry of '" + left.name + "' has " + std::to_string(left.at.size()) + " indices",
                  "a matrix has two in every line, a column one");
    if (std::ranges::find(array->entries, left.at, &List::Entry::at) != array->entries.end())
      throw Error(where, "this entry of '" + left.name + "' is made twice", "leave one of them out");
    for (std::size_t i = 0; i < left.at.size(); ++i) array->size[i] = std::max(array->size[i], left.at[i]);
    array->entries.push_back({left.at, value, where});
  }

  /// With names in place of indices; every substitution in it must be there.
  ex expression(std::string_view text, std::size_t begin) {
    Passage passage;
    for (std::size_t i = 0; i < text.size();) {
      if (!is_word(text[i])) {
        passage.append(text.substr(i, 1), begin + i);
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string_view word = text.substr(i, end - i);
      const auto entry = word == "sub" || std::ranges::find(arguments_of_a_model, word) != arguments_of_a_model.end()
                             ? indexed(text.substr(i))
                             : std::nullopt;
      const bool replaced = entry && entry->at.size() == 1;
      std::string name = replaced ? name_of(*entry) : std::string(word);
      const auto number = substitution_number(name);
      if (number) name = "sub" + std::to_string(*number);  // sub03 is sub3
      if (number && !made_.contains(*number))
        throw Error(source_.at(begin + i, replaced ? entry->length : word.size()), name + " is used before it is made",
                    "put its line above this one");
      passage.append(name, begin + i);
      i = replaced ? i + entry->length : end;
    }
    return parse(passage, source_, list_.symbols);
  }

  std::string name_of(const Indexed& entry) {
    const std::size_t number = entry.at.front();
    if (entry.name == "sub") return "sub" + std::to_string(number);
    std::map<std::size_t, std::string>& names = named_[entry.name];
    return names.try_emplace(number, entry.name + std::to_string(number)).first->second;
  }

  // --- what is a constant, a state, an input -------------------------------------------------------------------------------

  void sort_names() {
    std::set<std::string> placed;
    for (const auto& [array, symbols] : {std::pair{"kon", &list_.constants}, {"X", &list_.states}, {"u", &list_.inputs}}) {
      const auto& names = named_[array];
      for (std::size_t i = 1; !names.empty() && i <= names.rbegin()->first; ++i) {
        const auto name = names.find(i);
        const std::string text = name == names.end() ? array + std::to_string(i) : name->second;
        if (!placed.insert(text).second)
          problems_.error(source_.at(0), in_quotes(text) + " is in two places of kon, X and u", "give each name one place");
        symbols->push_back(list_.symbols.symbol(text));
      }
    }
    std::vector<std::string> free;
    for (const std::string& name : list_.symbols.names())
      if (!placed.contains(name) && !(substitution_number(name) && made_.contains(*substitution_number(name))))
        free.push_back(name);
    if (std::erase(free, "t") != 0) list_.time = list_.symbols.symbol("t");
    by_scheme(free, placed);
  }

  /// Names that no comment speaks of, by Mráz's scheme.
  void by_scheme(const std::vector<std::string>& free, const std::set<std::string>& placed) {
    std::map<NamedState, std::string> states;
    std::map<std::size_t, std::pair<std::size_t, std::size_t>> elastic;  // body → points, modes
    std::vector<std::string> scalars;
    for (const std::string& name : free) {
      const auto constant = elastic_constant(name);
      if (const auto state = named_state(name); state && !listed_) {
        states[*state] = name;
        if (state->body != 0) elastic[state->body].second = std::max(elastic[state->body].second, state->number);
      } else if (constant && !listed_) {
        auto& [points, modes] = elastic[constant->body];
        const bool stiffness = constant->kind == ElasticConstant::Kind::stiffness;
        if (!stiffness) points = std::max(points, constant->point);
        modes = std::max({modes, constant->mode, stiffness ? constant->point : 1});
      } else {
        scalars.push_back(name);
      }
    }
    complete(states, elastic);
    for (const auto& [state, name] : states)
      if (!placed.contains(name)) list_.states.push_back(list_.symbols.symbol(name));
    for (const auto& [body, size] : elastic)
      for (const ElasticConstant& constant : elastic_constants(body, size.first, size.second))
        if (size.first > 0 && !placed.contains(constant.name())) list_.constants.push_back(list_.symbols.symbol(constant.name()));
    for (const std::string& name : scalars) list_.constants.push_back(list_.symbols.symbol(name));
  }

  /// Every coordinate up to the last and its rate: X has its places for those that the equations do not have, too.
  static void complete(std::map<NamedState, std::string>& states,
                       const std::map<std::size_t, std::pair<std::size_t, std::size_t>>& elastic) {
    std::map<std::size_t, std::size_t> last;  // by body
    for (const auto& [state, name] : states) last[state.body] = std::max(last[state.body], state.number);
    for (const auto& [body, size] : elastic) last[body] = std::max(last[body], size.second);
    for (const auto& [body, count] : last)
      for (std::size_t number = 1; number <= count; ++number) {
        const std::string name =
            body == 0 ? "s" + std::to_string(number) : "e" + std::to_string(number) + "b" + std::to_string(body);
        states.try_emplace({false, body, number}, name);
        states.try_emplace({true, body, number}, name + "d");
      }
  }

  /// The results in the order and of the sizes that the comments state, those without entries too.
  void state_sizes() {
    std::vector<List::Array> results;
    for (List::Array& stated : sizes_) {
      const auto made = std::ranges::find(list_.results, stated.name, &List::Array::name);
      if (made != list_.results.end()) {
        if (made->size.size() != stated.size.size()) continue;
        for (std::size_t i = 0; i < stated.size.size(); ++i) stated.size[i] = std::max(stated.size[i], made->size[i]);
        stated.entries = std::move(made->entries);
        list_.results.erase(made);
      }
      results.push_back(std::move(stated));
    }
    results.insert(results.end(), list_.results.begin(), list_.results.end());
    list_.results = std::move(results);
    for (const List::Array& array : list_.results)
      if (array.size.size() > 1 && array.size[0] * array.size[1] > most_entries)
        problems_.error(array.entries.empty() ? source_.at(0) : array.entries.front().where,
                        "'" + array.name + "' would have " + std::to_string(array.size[0] * array.size[1]) + " entries",
                        "write at most " + std::to_string(most_entries));
  }

  void state_values() {
    for (const auto& [name, text] : values_)
      if (Symbol* symbol = list_.symbols.find(name); symbol != nullptr)
        problems_.attempt([&, &text = text] { symbol->value = parse_number(text); });
  }

  const SourceText& source_;
  Problems& problems_;
  List list_;
  std::set<std::size_t> made_;
  std::map<std::string, std::map<std::size_t, std::string>> named_;  // array → index → name
  std::vector<List::Array> sizes_;                                   // of results, as comments state them
  bool listed_ = false;
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace

SubstitutionList read_substitutions(std::string_view text, std::string file) {
  const SourceText source(text, std::move(file));
  source.check_characters();
  Problems problems;
  SubstitutionList list = Reading(source, problems).list();
  problems.finish(&list.notes);
  return list;
}

}  // namespace sfg
