#include <algorithm>
#include <charconv>
#include <functional>

#include "sfg/read/diagram/model_section.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

std::string block_name(std::string_view stated) {
  std::string name;
  for (const char c : stated) {
    const bool blank = is_blank_character(c);
    if (!blank) name += c;
    if (blank && !name.empty() && name.back() != ' ') name += ' ';
  }
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

std::string block_path(std::string_view above, std::string_view name) {
  return above.empty() ? std::string(name) : std::string(above) + "/" + std::string(name);
}

namespace {

/// A port: of a .mdl file the block's name and a number, of .slx "5#out:1".
struct PortEnd {
  std::string block;
  std::string port;
};

class SimulinkReading {
 public:
  SimulinkReading(const ModelSection& file, Problems& problems) : problems_(problems) {
    for (const ModelSection& part : file.parts) {
      defaults_of(part);
      for (const ModelSection& inner : part.parts) defaults_of(inner);
      if (part.kind == "Model" || part.kind == "Library") model_ = &part;
    }
    if (model_ == nullptr)
      throw Error(file.where, "the file holds no model of Simulink: there is no section Model",
                  "name a file that Simulink saved");
  }

  BlockDiagram diagram() {
    const ModelSection* const system = model_->part("System");
    if (!system) throw Error(model_->where, "the model has no System", "name a file that Simulink saved");
    BlockDiagram made = system_of(*system, "", 0);
    for (const ModelSection* section : {model_, system})
      if (const Passage* name = section->find("Name"); name && made.title.empty()) made.title = block_name(name->text);
    for (const char* callback : {"PreLoadFcn", "PostLoadFcn", "InitFcn"})
      if (const Passage* text = model_->find(callback)) made.statements.push_back(*text);
    return made;
  }

 private:
  void defaults_of(const ModelSection& part) {
    if (part.kind != "BlockParameterDefaults" && part.kind != "BlockDefaultParameters") return;
    for (const ModelSection& block : part.parts)
      if (const Passage* type = block.find("BlockType"); type && block.kind == "Block")
        for (const auto& [key, value] : block.values) defaults_[type->text].emplace(key, value);
  }

  BlockDiagram system_of(const ModelSection& system, const std::string& path, std::size_t depth) {
    if (depth > deepest_subsystem)
      throw Error(system.where, "subsystems are nested more than " + std::to_string(deepest_subsystem) + " deep",
                  "take them apart");
    BlockDiagram made;
    std::map<std::string, std::size_t> index;
    for (const ModelSection& part : system.parts) {
      if (part.kind != "Block") continue;
      const std::size_t at = made.blocks.size();
      made.blocks.push_back(block_of(part, path, depth));
      for (const char* key : {"Name", "SID"})
        if (const Passage* name = part.find(key)) index.emplace(std::string(key) + ":" + name->text, at);
      if (problems_.full()) problems_.finish(nullptr);
    }
    for (const ModelSection& part : system.parts)
      if (part.kind == "Line") line(part, index, made);
    return made;
  }

  DiagramBlock block_of(const ModelSection& section, const std::string& path, std::size_t depth) {
    DiagramBlock block;
    block.where = section.where;
    if (const Passage* type = section.find("BlockType")) block.type = type->text;
    if (const Passage* name = section.find("Name")) block.name = block_name(name->text);
    block.path = block_path(path, block.name);
    if (block.type.empty() || block.name.empty())
      problems_.error(block.where, "a block without a type or a name", "save the model again");
    for (const auto& [key, value] : section.values) block.parameters.insert_or_assign(key, value);
    if (const ModelSection* instance = section.part("InstanceData"))
      for (const auto& [key, value] : instance->values) block.parameters.insert_or_assign(key, value);
    if (const auto defaults = defaults_.find(block.type); defaults != defaults_.end())
      for (const auto& [key, value] : defaults->second) block.parameters.emplace(key, value);
    const std::string commented = block.text("Commented", "off");
    block.passed_over = commented == "on";
    block.through = commented == "through";
    for (const ModelSection& part : section.parts) {
      if (part.kind == "System") {
        block.inside = std::make_unique<BlockDiagram>(system_of(part, block.path, depth + 1));
        mask(section, *block.inside);
      } else if (part.kind == "Port") {
        port_name(part, block);
      } else if (part.kind == "PortProperties") {
        for (const ModelSection& port : part.parts) port_name(port, block);
      }
    }
    return block;
  }

  /// A signal has its name at the port that it leaves, too.
  static void port_name(const ModelSection& port, DiagramBlock& block) {
    const Passage *number = port.find("PortNumber"), *name = port.find("Name");
    if (!number) number = port.find("Index");
    if (const auto index = number ? whole(number->trimmed().text) : std::nullopt;
        index && *index > 0 && name && !name->text.empty())
      block.signals[*index - 1] = block_name(name->text);
  }

  static std::optional<std::size_t> whole(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value > 100'000) return {};
    return value;
  }

  // Masks: MaskVariables "K=@1;T=@2;" with MaskValueString "5|0.1", or a list of MaskParameter.

  static void mask(const ModelSection& block, BlockDiagram& inside) {
    const Passage *names = block.find("MaskVariables"), *values = block.find("MaskValueString");
    if (names && values) {
      const std::vector<Passage> stated = split(*values, '|');
      for (const Passage& entry : split(*names, ';')) {
        const std::size_t equals = entry.text.find('=');
        if (equals == std::string::npos) continue;
        const std::string kind = entry.part(equals + 1, std::string::npos).trimmed().text;
        const auto number = kind.size() > 1 ? whole(std::string_view(kind).substr(1)) : std::nullopt;
        if (kind.starts_with('@') && number && *number > 0 && *number <= stated.size())
          inside.names.emplace_back(entry.part(0, equals).trimmed(), stated[*number - 1].trimmed());
      }
    }
    const std::function<void(const ModelSection&)> listed = [&](const ModelSection& section) {
      for (const ModelSection& part : section.parts) {
        const Passage *name = part.find("Name"), *value = part.find("Value");
        const Passage* const type = part.find("Type");
        const bool expression = !type || type->text == "edit";
        const bool parameter = part.kind == "MaskParameter" || part.kind == "Object";
        if (parameter && name && value && expression) inside.names.emplace_back(name->trimmed(), value->trimmed());
        if (part.kind == "Mask" || part.kind == "Array" || part.kind == "Object") listed(part);
      }
    };
    if (inside.names.empty()) listed(block);
  }

  // Lines and their branches.

  void line(const ModelSection& section, const std::map<std::string, std::size_t>& index, BlockDiagram& made) {
    const auto from = end(section, "Src");
    if (!from) return;  // a line that comes from nowhere: whom it leads to is not connected
    const auto block = block_at(*from, index, section);
    const auto port = whole(from->port);
    if (!block || !port || *port == 0) return;
    if (const Passage* name = section.find("Name"); name && !block_name(name->text).empty())
      made.blocks[*block].signals[*port - 1] = block_name(name->text);
    made.blocks[*block].outputs = std::max(made.blocks[*block].outputs, *port);
    const std::function<void(const ModelSection&, std::size_t)> ends = [&](const ModelSection& part, std::size_t depth) {
      if (depth > 1000) throw Error(part.where, "branches of lines are nested more than 1000 deep", "save the model again");
      if (const auto to = end(part, "Dst"))
        if (const auto reached = block_at(*to, index, part)) {
          const auto entered = whole(to->port);
          if (!entered || *entered == 0) {
            problems_.error(part.where,
                            "the line enters " + in_quotes(made.blocks[*reached].path) + " at its port " + in_quotes(to->port) +
                                ", which switches it",
                            "subsystems that are enabled, triggered or chosen are not linear: let it run always");
          } else {
            made.lines.push_back({*block, *port - 1, *reached, *entered - 1});
            made.blocks[*reached].inputs = std::max(made.blocks[*reached].inputs, *entered);
          }
        }
      for (const ModelSection& branch : part.parts)
        if (branch.kind == "Branch") ends(branch, depth + 1);
    };
    ends(section, 0);
  }

  static std::optional<PortEnd> end(const ModelSection& section, const std::string& which) {
    if (const Passage* joined = section.find(which)) {  // 5#out:1
      const std::string text = joined->trimmed().text;
      const std::size_t hash = text.find('#'), colon = text.find(':', std::min(hash, text.size()));
      if (hash == std::string::npos) return {};
      return PortEnd{"SID:" + text.substr(0, hash), colon == std::string::npos ? text.substr(hash + 1) : text.substr(colon + 1)};
    }
    const Passage *block = section.find(which + "Block"), *port = section.find(which + "Port");
    if (!block || !port) return {};
    return PortEnd{"Name:" + block->text, port->trimmed().text};
  }

  std::optional<std::size_t> block_at(const PortEnd& end, const std::map<std::string, std::size_t>& index,
                                      const ModelSection& section) {
    if (const auto found = index.find(end.block); found != index.end()) return found->second;
    problems_.error(section.where,
                    "a line leads to " + in_quotes(end.block.substr(end.block.find(':') + 1)) + ", which is no block",
                    "save the model again");
    return {};
  }

  Problems& problems_;
  const ModelSection* model_ = nullptr;
  std::map<std::string, std::map<std::string, Passage, std::less<>>> defaults_;
};

}  // namespace

BlockDiagram simulink_diagram(const ModelSection& file, Problems& problems) { return SimulinkReading(file, problems).diagram(); }

}  // namespace sfg
