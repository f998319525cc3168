#include "sfg/read/house_style.hpp"

#include <charconv>
#include <utility>

#include "sfg/read/document/document.hpp"

namespace sfg {

namespace {

class StyleReader {
 public:
  StyleReader(const Document& document, Problems& problems) : reader_(document, problems) {}

  HouseStyle operator()() {
    const Value& root = reader_.document().root();
    reader_.check_keys(root, "a house style", {"colours", "fonts", "lines", "arrow", "node"});
    colours(reader_.find(&root, "colours"));
    if (const Value* fonts = table(root, "fonts", {"words", "latex"})) {
      style_.words = family(reader_.find(fonts, "words"), "a family of fonts", " -.");
      style_.latex = family(reader_.find(fonts, "latex"), "a command of TeX without its backslash: \"sffamily\"", "");
    }
    if (const Value* lines = table(root, "lines", {"branch", "curve", "frame"})) {
      constexpr double widest = 10;
      for (const auto& [key, width] :
           {std::pair("branch", &style_.branch), std::pair("curve", &style_.curve), std::pair("frame", &style_.frame)})
        length(reader_.find(lines, key), *width, 0.1, widest);
    }
    if (const Value* arrow = table(root, "arrow", {"length", "width"})) {
      constexpr double least = 3, most = 20;
      length(reader_.find(arrow, "length"), style_.arrow_length, least, most);
      length(reader_.find(arrow, "width"), style_.arrow_width, least, most);
    }
    if (const Value* node = table(root, "node", {"radius", "fill"})) {
      constexpr double least = 2, most = 8;  // branches end at nodes of the usual size
      length(reader_.find(node, "radius"), style_.node_radius, least, most);
      fill(reader_.find(node, "fill"));
    }
    return std::move(style_);
  }

 private:
  const Value* table(const Value& root, const std::string& name, const std::vector<std::string>& keys) {
    const Value* found = reader_.find(&root, name);
    if (found == nullptr || !reader_.is_table(*found, name)) return nullptr;
    reader_.check_keys(*found, "[" + name + "]", keys);
    return found;
  }

  void colours(const Value* all) {
    if (all == nullptr || !reader_.is_table(*all, "colours")) return;
    std::vector<std::string> known = HouseStyle::colour_names();
    known.emplace_back("curves");
    reader_.check_keys(*all, "[colours]", known);
    for (const std::string& name : HouseStyle::colour_names())
      if (const Value* value = reader_.find(all, name))
        if (const auto text = colour(*value)) style_.colours[name] = *text;
    const Value* curves = reader_.find(all, "curves");
    if (curves == nullptr || !reader_.is_array(*curves, "curves")) return;
    for (const Value& value : curves->items)
      if (const auto text = colour(value)) style_.curves.push_back(*text);
  }

  std::optional<std::string> colour(const Value& value) {
    const auto passage = reader_.string(value, "a colour");
    if (!passage) return {};
    const std::string text(passage->text);
    const bool right =
        text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
    if (!right) reader_.error(value, "'" + text + "' is no colour", "write red, green and blue: \"#1a1a1a\"");
    return right ? std::optional(text) : std::nullopt;
  }

  std::string family(const Value* value, const std::string& what, std::string_view signs) {
    if (value == nullptr) return {};
    const auto passage = reader_.string(*value, what);
    if (!passage) return {};
    for (const char c : passage->text)
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (!signs.empty() && c >= '0' && c <= '9') ||
            signs.find(c) != std::string_view::npos)) {
        reader_.error(*value, "'" + std::string(passage->text) + "' is not " + what, "letters only");
        return {};
      }
    return std::string(passage->text);
  }

  void length(const Value* value, double& target, double least, double most) {
    if (value == nullptr) return;
    const std::string text(reader_.document().text(*value).text);
    double number = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (value->kind != Value::Kind::number || wrong != std::errc() || end != text.data() + text.size() || number < least ||
        number > most) {
      reader_.error(*value, "'" + text + "' is no length from " + decimal(least) + " to " + decimal(most),
                    "lengths are pixels of 1/96 inch");
      return;
    }
    target = number;
  }
  static std::string decimal(double value) { return value < 1 ? "0.1" : std::to_string(static_cast<int>(value)); }

  void fill(const Value* value) {
    if (value == nullptr) return;
    const auto passage = reader_.string(*value, "fill");
    if (!passage) return;
    if (passage->text == "paper" || passage->text == "ink")
      style_.node_fill = passage->text;
    else if (const auto text = colour(*value))
      style_.node_fill = *text;
  }

  DocumentReader reader_;
  HouseStyle style_;
};

}  // namespace

HouseStyle read_house_style(std::string_view text, std::string file) {
  const Document document(text, std::move(file), Document::Syntax::toml);
  Problems problems;
  HouseStyle style = StyleReader(document, problems)();
  problems.finish(nullptr);
  return style;
}

}  // namespace sfg
