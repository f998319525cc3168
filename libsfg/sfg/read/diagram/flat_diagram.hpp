#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/read/diagram/block_meaning.hpp"

namespace sfg {

/// Every block of a diagram and of its subsystems in one list, with what it does and who drives it: subsystems, goto and from,
/// take-offs are seen through.
class FlatDiagram {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  struct Member {
    const DiagramBlock* block = nullptr;
    BlockMeaning meaning = {};
    std::size_t level = 0;
    std::vector<std::size_t> inputs = {};  ///< ports of others; none: not connected
    std::size_t first_port = 0, ports = 0;
    std::size_t inner_level = none;
    bool top = false;
  };
  struct Port {
    std::size_t member = 0, number = 0;
  };
  /// A number that a mask states: a parameter whose name is settled when all others are known.
  struct MaskParameter {
    GiNaC::ex symbol;
    std::string name, path;
    GiNaC::ex value;
    SourceSpan where;
  };

  FlatDiagram(const BlockDiagram&, MatrixReading&, BlockVocabulary, const DiagramOperators&, Problems&);

  const std::vector<Member>& members() const noexcept { return members_; }
  const std::vector<Port>& ports() const noexcept { return ports_; }
  const std::vector<MaskParameter>& mask_parameters() const noexcept { return mask_parameters_; }
  /// The port of the block whose signal arrives where this one leads; none where nobody drives it.
  std::size_t driver(std::size_t port) const { return port == none ? none : drivers_[port]; }
  /// The name that the diagram states for what leaves a port; "" where there is none.
  std::string signal(std::size_t port) const;

 private:
  struct Level {
    const BlockDiagram* diagram = nullptr;
    std::size_t above = none, owner = none;  ///< the level that it stands in, and its block
    std::size_t first_member = 0;
    std::map<std::string, std::size_t> tags = {};
    std::map<std::size_t, std::size_t> outlets = {};  ///< by number
  };
  using Names = MatrixReading::Names;

  void read_level(const BlockDiagram&, std::size_t above, std::size_t owner);
  BlockMeaning meaning_of(const DiagramBlock&);
  void connect(const BlockDiagram&, std::size_t first);
  void state_names(const BlockDiagram&, Names&);
  void mask(const BlockDiagram&, const std::string& path, Names&);
  void statement(const Passage&, Names&);
  std::optional<Passage> clock_of(std::size_t level, std::size_t block, std::size_t depth) const;
  std::size_t sender(const Member&) const;
  std::size_t passed_on(const Member&, std::size_t number) const;
  std::size_t found_driver(std::size_t port) const;

  MatrixReading& reading_;
  BlockVocabulary vocabulary_;
  const DiagramOperators& operators_;
  Problems& problems_;
  std::vector<Level> levels_;
  std::vector<Member> members_;
  std::vector<Port> ports_;
  std::vector<std::size_t> drivers_;
  std::map<std::string, std::size_t> tags_everywhere_;
  std::map<std::size_t, std::string> signals_;
  std::vector<MaskParameter> mask_parameters_;
};

}  // namespace sfg
