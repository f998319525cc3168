#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/read/dot/dot_scan.hpp"

// Not installed: what is stated of nodes and branches of a DOT file, by default or of themselves, and what is stated twice.
namespace sfg {

/// The graph, or a subgraph, and its defaults.
struct DotScope {
  DotScope* parent = nullptr;
  std::vector<DotAttribute> node_defaults = {}, edge_defaults = {};
  std::vector<std::uint32_t> members = {};  ///< nodes mentioned here; not kept for the whole graph
  std::vector<std::unique_ptr<DotScope>> children = {};
  std::optional<std::uint32_t> cluster = {};      ///< where its name stands
  std::map<std::string, DotScope*> by_name = {};  ///< cgraph opens a subgraph of a known name again

  DotScope& opened();
  DotScope& named(const std::string& name);
  /// Its own defaults over those of what it stands in.
  std::vector<DotAttribute> effective(std::vector<DotAttribute> DotScope::*kind) const;
};

/// Sets it in a list, in which each name stands once.
void state(std::vector<DotAttribute>& list, const DotAttribute& attribute);

class DotAttributes {
 public:
  DotAttributes(const SourceText& source, const DotFile& file) : source_(source), file_(file) {}

  bool same_value(const DotAttribute&, const DotAttribute&) const;
  bool is_key(const DotAttribute&) const;

  void begin_list() { ++list_; }
  /// Refuses what stands in the list twice, otherwise, where that says something.
  void in_list(const DotAttribute&, const DotAtom& name);

  /// Over a default the node's or branch's own counts, which a later statement of it does not change in silence.
  void state_own(std::vector<DotAttribute>& list, DotAttribute, bool of_branch) const;
  /// The label is the gain of a branch that states no other.
  void refuse_two_labels(std::span<const DotAttribute> defaults, std::span<const DotAttribute> list) const;

 private:
  bool is_law(const DotAttribute&) const;
  bool has_law(std::span<const DotAttribute>) const;

  const SourceText& source_;
  const DotFile& file_;
  std::uint64_t list_ = 0;                                        ///< number of the statement's list of attributes
  std::vector<std::pair<std::uint64_t, DotAttribute>> stand_in_;  ///< by name: the list it stood in last, and how
};

}  // namespace sfg
