#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/name_look.hpp"

namespace sfg {

/// The names of one input and how each is set: by the rule, as its author says, a rate with dots; names that would look alike
/// stand as they are written. Found out when the first of them is asked for.
class NameTable {
 public:
  void add(std::string_view name);
  void set(std::string_view name, NameLook);  ///< what an author says
  /// `rate` is the derivative of `of`: D with one dot, DD with two.
  void add_rate(std::string_view rate, std::string_view of, int dots);
  void add(const NameTable&);

  /// Of a name that is not in the table: by the rule, unless it would look like one of the table.
  NameLook look(std::string_view name) const;
  /// What authors say of names: "Kp=K_p^{*}, y=\\dot{y}", as files keep it.
  std::string stated() const;

 private:
  struct Entry {
    NameLook set = {};    ///< empty: by the rule
    std::string of = {};  ///< of a rate
    int dots = 0;
    bool written = false;  ///< it stands as it is written
    NameLook found = {};
    std::string key = {};
  };
  NameLook wanted(const std::string& name, const Entry&) const;
  void find_out() const;

  mutable std::vector<std::string>
      added_;  ///< not among the entries yet: nobody may ask for the names of a graph of a million nodes
  mutable std::map<std::string, Entry, std::less<>> entries_;
  mutable std::map<std::string, std::string, std::less<>> by_key_;  ///< the name that looks so
  mutable bool known_ = true;
};

/// "Kp=K_p^{*}, y=\\dot{y}" into the table; the names that it is about.
/// @throws NameLatexError where it is no such list, with its place in the text
std::vector<std::string> add_stated(NameTable&, std::string_view list);

/// The names that this thread writes and draws are those of this table, as long as it lives, and those of the tables around it.
/// Without any a name is set by the rule alone.
class NamesInUse {
 public:
  explicit NamesInUse(NameTable = {});
  ~NamesInUse();
  NamesInUse(const NamesInUse&) = delete;
  NamesInUse& operator=(const NamesInUse&) = delete;

  /// More names, for the rest of the innermost one; without any nothing is kept.
  static void add(const NameTable&);
  static NameLook look(std::string_view name);
  static NameTable all();

 private:
  std::unique_ptr<NameTable> table_;
  NameTable* outer_;
};

}  // namespace sfg
