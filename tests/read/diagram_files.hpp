// Block diagrams as Simulink and Xcos save them, written from one list of blocks and lines: own text by the documented forms.
#pragma once
#include <zlib.h>

#include <string>
#include <utility>
#include <vector>

namespace sfg::test {

struct WrittenBlock;
struct WrittenLine {
  std::string from;
  std::size_t from_port;
  std::string to;
  std::size_t to_port;
};
struct WrittenDiagram {
  std::vector<WrittenBlock> blocks;
  std::vector<WrittenLine> lines = {};
  std::string statements = {};  ///< of the workspace
};

/// A block under the words of both programs; what Xcos asks for stands in the order of its dialogue.
struct WrittenBlock {
  std::string name, simulink, xcos;
  std::vector<std::pair<std::string, std::string>> parameters = {};
  std::vector<std::string> values = {};
  std::size_t inputs = 1, outputs = 1;
  std::vector<WrittenDiagram> inside = {};  ///< none, or one
  std::string mask_names = {}, mask_values = {};
};

inline std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) made += c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string(1, c);
  return made + "\"";
}
inline std::string in_xml(const std::string& text) {
  std::string made;
  for (const char c : text)
    made += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : c == '\n' ? "&#10;" : std::string(1, c);
  return made;
}

// --- .mdl

inline std::string mdl_system(const WrittenDiagram& diagram, const std::string& name) {
  std::string text = "System {\nName " + quoted(name) + "\n";
  for (const WrittenBlock& block : diagram.blocks) {
    text += "Block {\nBlockType\t" + block.simulink + "\nName\t" + quoted(block.name) + "\nPorts\t[" +
            std::to_string(block.inputs) + ", " + std::to_string(block.outputs) + "]\nPosition [10, 20, 30, 40]\n";
    for (const auto& [key, value] : block.parameters) text += key + "\t" + quoted(value) + "\n";
    if (!block.mask_names.empty())
      text += "MaskVariables " + quoted(block.mask_names) + "\nMaskValueString " + quoted(block.mask_values) + "\n";
    if (!block.inside.empty()) text += mdl_system(block.inside[0], block.name);
    text += "}\n";
  }
  // Lines of one source are one line with branches.
  std::vector<bool> written(diagram.lines.size());
  for (std::size_t i = 0; i < diagram.lines.size(); ++i) {
    if (written[i]) continue;
    const WrittenLine& line = diagram.lines[i];
    text += "Line {\nSrcBlock " + quoted(line.from) + "\nSrcPort " + std::to_string(line.from_port) + "\n";
    std::vector<const WrittenLine*> ends;
    for (std::size_t k = i; k < diagram.lines.size(); ++k)
      if (diagram.lines[k].from == line.from && diagram.lines[k].from_port == line.from_port) {
        written[k] = true;
        ends.push_back(&diagram.lines[k]);
      }
    for (const WrittenLine* end : ends) {
      if (ends.size() > 1) text += "Branch {\nPoints [0, 10;\n 5, 0]\n";
      text += "DstBlock " + quoted(end->to) + "\nDstPort " + std::to_string(end->to_port) + "\n";
      if (ends.size() > 1) text += "}\n";
    }
    text += "}\n";
  }
  return text + "}\n";
}
inline std::string mdl_text(const WrittenDiagram& diagram) {
  return "Model {\nName \"written\"\nVersion 6.2\nSavedCharacterEncoding \"UTF-8\"\nPreLoadFcn " + quoted(diagram.statements) +
         "\nArray {\nType \"Handle\"\nDimension 1\nSimulink.ConfigSet {\n$ObjectID 1\n}\n}\nBlockParameterDefaults {\n"
         "Block {\nBlockType Gain\nGain \"1\"\nMultiplication \"Element-wise(K.*u)\"\n}\n}\n" +
         mdl_system(diagram, "written") + "}\n";
}

// --- .slx

inline std::string slx_system(const WrittenDiagram& diagram, std::size_t& sid, bool apart,
                              std::vector<std::pair<std::string, std::string>>& parts) {
  std::vector<std::string> ids;
  std::string text;
  const auto id_of = [&](const std::string& name) {
    for (std::size_t i = 0; i < diagram.blocks.size(); ++i)
      if (diagram.blocks[i].name == name) return ids[i];
    return std::string("?");
  };
  for (const WrittenBlock& block : diagram.blocks) {
    ids.push_back(std::to_string(++sid));
    text += "<Block BlockType=\"" + block.simulink + "\" Name=\"" + in_xml(block.name) + "\" SID=\"" + ids.back() +
            "\">\n<P Name=\"Ports\">[" + std::to_string(block.inputs) + ", " + std::to_string(block.outputs) + "]</P>\n";
    for (const auto& [key, value] : block.parameters) text += "<P Name=\"" + key + "\">" + in_xml(value) + "</P>\n";
    if (!block.mask_names.empty()) {
      const std::string name = block.mask_names.substr(0, block.mask_names.find('='));
      text += "<Mask><MaskParameter Name=\"" + name + "\" Type=\"edit\"><Prompt>it</Prompt><Value>" + in_xml(block.mask_values) +
              "</Value></MaskParameter></Mask>\n";
    }
    if (!block.inside.empty()) {
      const std::string inner = slx_system(block.inside[0], sid, apart, parts);
      if (apart) {
        const std::string name = "system_" + ids.back();
        parts.emplace_back("simulink/systems/" + name + ".xml",
                           "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<System>\n" + inner + "</System>\n");
        text += "<System Ref=\"" + name + "\"/>\n";
      } else {
        text += "<System>\n" + inner + "</System>\n";
      }
    }
    text += "</Block>\n";
  }
  for (const WrittenLine& line : diagram.lines)
    text += "<Line>\n<P Name=\"Src\">" + id_of(line.from) + "#out:" + std::to_string(line.from_port) + "</P>\n<P Name=\"Dst\">" +
            id_of(line.to) + "#in:" + std::to_string(line.to_port) + "</P>\n</Line>\n";
  return text;
}
inline std::vector<std::pair<std::string, std::string>> slx_parts(const WrittenDiagram& diagram, bool apart) {
  std::vector<std::pair<std::string, std::string>> parts;
  std::size_t sid = 0;
  const std::string root = slx_system(diagram, sid, apart, parts);
  parts.emplace_back("simulink/systems/system_root.xml", "<?xml version=\"1.0\"?>\n<System>\n" + root + "</System>\n");
  parts.emplace_back("simulink/blockdiagram.xml",
                     "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<ModelInformation Version=\"1.0\">\n<Model "
                     "Name=\"written\">\n<P Name=\"PreLoadFcn\">" +
                         in_xml(diagram.statements) + "</P>\n" +
                         (apart ? "<System Ref=\"system_root\"/>\n" : "<System>\n" + root + "</System>\n") +
                         "</Model>\n</ModelInformation>\n");
  parts.emplace_back("[Content_Types].xml", "<Types/>");
  if (!apart) parts.erase(parts.end() - 3);
  return parts;
}

// --- .xcos

inline std::string xcos_level(const WrittenDiagram& diagram, std::size_t& number) {
  std::vector<std::string> ids;
  std::string text = "<mxGraphModel as=\"model\"><root>\n";
  const auto id_of = [&](const std::string& name) {
    for (std::size_t i = 0; i < diagram.blocks.size(); ++i)
      if (diagram.blocks[i].name == name) return ids[i];
    return std::string("?");
  };
  for (const WrittenBlock& block : diagram.blocks) {
    ids.push_back("b" + std::to_string(++number) + ":0");
    text += "<BasicBlock id=\"" + ids.back() + "\" parent=\"0:2:0\" interfaceFunctionName=\"" + block.xcos + "\" value=\"" +
            in_xml(block.name) + "\" style=\"" + block.xcos + "\">\n<ScilabString as=\"exprs\" height=\"" +
            std::to_string(block.values.size()) + "\" width=\"1\">\n";
    for (std::size_t i = 0; i < block.values.size(); ++i)
      text += "<data line=\"" + std::to_string(i) + "\" column=\"0\" value=\"" + in_xml(block.values[i]) + "\"/>\n";
    text += "</ScilabString>\n";
    if (!block.inside.empty())
      text += "<SuperBlockDiagram as=\"child\">\n" + xcos_level(block.inside[0], number) + "</SuperBlockDiagram>\n";
    text += "</BasicBlock>\n";
    for (const bool output : {false, true})
      for (std::size_t port = 1; port <= (output ? block.outputs : block.inputs); ++port)
        text += std::string("<Explicit") + (output ? "Output" : "Input") + "Port id=\"" + ids.back() + (output ? "o" : "i") +
                std::to_string(port) + "\" parent=\"" + ids.back() + "\" ordering=\"" + std::to_string(port) + "\"/>\n";
  }
  for (const WrittenLine& line : diagram.lines)
    text += "<ExplicitLink id=\"l" + std::to_string(++number) + "\" source=\"" + id_of(line.from) + "o" +
            std::to_string(line.from_port) + "\" target=\"" + id_of(line.to) + "i" + std::to_string(line.to_port) + "\"/>\n";
  return text + "</root></mxGraphModel>\n";
}
inline std::string xcos_text(const WrittenDiagram& diagram) {
  std::size_t number = 0;
  return "<?xml version=\"1.0\" ?>\n<XcosDiagram title=\"written\">\n<Array as=\"context\" scilabClass=\"String[]\"><add "
         "value=\"" +
         in_xml(diagram.statements) + "\"/></Array>\n" + xcos_level(diagram, number) + "</XcosDiagram>\n";
}

// --- zip

/// @param deflate  packed, else stored
inline std::string zip(const std::vector<std::pair<std::string, std::string>>& files, bool deflate = true) {
  const auto number = [](std::size_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
    return text;
  };
  std::string made, list;
  for (const auto& [name, text] : files) {
    std::string packed = text;
    if (deflate) {
      z_stream stream{};
      deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
      packed.resize(deflateBound(&stream, static_cast<uLong>(text.size())));
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
      stream.avail_in = static_cast<uInt>(text.size());
      stream.next_out = reinterpret_cast<Bytef*>(packed.data());
      stream.avail_out = static_cast<uInt>(packed.size());
      ::deflate(&stream, Z_FINISH);
      packed.resize(stream.total_out);
      deflateEnd(&stream);
    }
    const std::string about = number(20, 2) + number(0, 2) + number(deflate ? 8 : 0, 2) + number(0, 4) +
                              number(crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())), 4) +
                              number(packed.size(), 4) + number(text.size(), 4) + number(name.size(), 2) + number(0, 2);
    list += "PK\x01\x02" + number(20, 2) + about + number(0, 10) + number(made.size(), 4) + name;
    made += "PK\x03\x04" + about + name + packed;
  }
  return made + list + "PK\x05\x06" + number(0, 4) + number(files.size(), 2) + number(files.size(), 2) + number(list.size(), 4) +
         number(made.size(), 4) + number(0, 2);
}

}  // namespace sfg::test
