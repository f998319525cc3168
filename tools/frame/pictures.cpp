#include "tools/frame/pictures.hpp"

#include <unistd.h>

#include <map>

#include "sfg/read/house_style.hpp"
#include "sfg/read/input.hpp"
#include "tools/frame/decimals.hpp"
#include "tools/frame/output.hpp"

namespace sfg::command {

namespace {

const std::map<std::string, PictureFormat>& formats() {
  static const std::map<std::string, PictureFormat> table{{"dot", PictureFormat::dot}, {"eps", PictureFormat::eps},
                                                          {"pdf", PictureFormat::pdf}, {"png", PictureFormat::png},
                                                          {"svg", PictureFormat::svg}, {"tex", PictureFormat::tex}};
  return table;
}

}  // namespace

Theme theme_of(const Arguments& arguments) {
  static const std::map<std::string, Theme> themes{
      {"print", Theme::print}, {"light", Theme::light}, {"dark", Theme::dark}, {"colorblind", Theme::colorblind}};
  if (!arguments.has("theme")) return arguments.has("dark") ? Theme::dark : Theme::automatic;
  const std::string name = arguments.text("theme");
  if (arguments.has("dark") && name != "dark")
    throw UsageError("--dark is --theme dark, and --theme " + name + " is asked for", "leave out one of them");
  return themes.at(name);
}

Option theme_option() {
  return {"--theme",
          "THEME",
          "print: black, without a ground; light; dark; colorblind: colours that everyone tells apart (default: light, in SVG "
          "dark where the reader prefers that)",
          Option::Kind::choice,
          {"print", "light", "dark", "colorblind"}};
}

std::shared_ptr<const HouseStyle> style_of(const Arguments& arguments) {
  if (!arguments.has("style")) return {};
  const std::string file = arguments.text("style");
  return std::make_shared<const HouseStyle>(read_house_style(text_of_file(file), file));
}

Option style_option() { return {"--style", "FILE", "a house style in TOML: colours, fonts, lines, arrow, node of pictures"}; }

bool outline_of(const Arguments& arguments, PictureFormat format) {
  if (!arguments.has("outline") || format == PictureFormat::svg) return arguments.has("outline");
  if (format == PictureFormat::tex || format == PictureFormat::dot)
    throw UsageError("--outline is of SVG: other programs set the letters of TeX and DOT", "leave it out");
  throw UsageError("--outline is of SVG: the letters of PNG, PDF and EPS are outlines anyway", "leave it out");
}

Option outline_option() { return {"--outline", "", "of SVG: all letters are paths, as they are in PNG, PDF and EPS"}; }

std::vector<Option> picture_option_table() {
  using Kind = Option::Kind;
  return {{"--type",
           "TYPE",
           "file type (default: by the extension of -o, else svg)",
           Kind::choice,
           {"svg", "png", "pdf", "eps", "tex", "dot"}},
          theme_option(),
          {"--dark", "", "short for --theme dark"},
          {"--width", "MM", "the picture is no wider; its text stays as large as --font-size says", Kind::number},
          {"--font-size", "PT", "of the text, in points (with --width: 10)", Kind::number},
          {"--scale", "X", "of PNG: pixels by those of the screen (default: 2)", Kind::number},
          {"--fragment", "", "of .tex: without a preamble, for a document with tikz (arrows.meta, calc) and amsmath"},
          style_option(),
          outline_option()};
}

PictureFormat picture_format(const Arguments& arguments) {
  if (arguments.has("type")) return formats().at(arguments.text("type"));
  if (!arguments.has("output") && ::isatty(STDOUT_FILENO) == 1)
    throw UsageError("a picture is no text for a terminal", "add -o picture.svg (or .png, .pdf, .eps, .tex, .dot)");
  const std::string extension = extension_of(arguments.text("output"));
  if (extension.empty()) return PictureFormat::svg;
  const auto found = formats().find(extension);
  if (found == formats().end())
    throw UsageError("no picture is written as '" + arguments.text("output") + "'",
                     "end the name in .svg, .png, .pdf, .eps, .tex or .dot, or add --type");
  return found->second;
}

std::optional<PictureFormat> picture_named(const std::string& extension) {
  const auto found = formats().find(extension);
  const bool text = extension == "tex" || extension == "dot";
  return found == formats().end() || text ? std::nullopt : std::optional(found->second);
}

PictureOptions picture_options(Task& task, PictureFormat format) {
  const Arguments& arguments = task.arguments;
  if (arguments.has("fragment") && format != PictureFormat::tex)
    throw UsageError("--fragment is about TeX", "add -o picture.tex, or leave it out");
  if (arguments.has("scale") && format != PictureFormat::png)
    throw UsageError("--scale is about PNG", "add -o picture.png, or say the size by --width");
  for (const char* size : {"width", "font-size"})
    if (arguments.has(size) && format == PictureFormat::dot)
      throw UsageError(std::string("--") + size + " has no meaning for DOT, whose reader places the nodes", "leave it out");
  if (arguments.has("style") && format == PictureFormat::dot)
    throw UsageError("--style is of pictures that are drawn here, not of DOT", "leave it out");
  constexpr double largest_scale = 20;
  const double scale = arguments.number("scale").value_or(2);
  if (scale > largest_scale) throw UsageError("--scale is at most 20", "write SVG or PDF, which have no pixels");
  return {.theme = theme_of(arguments),
          .decimals = typed_decimals(task),
          .width = arguments.number("width").value_or(0),
          .font_size = arguments.number("font-size").value_or(0),
          .scale = scale,
          .fragment = arguments.has("fragment"),
          .style = style_of(arguments),
          .outline = outline_of(arguments, format),
          .budget = task.budget,
          .notes = &task.notes};
}

}  // namespace sfg::command
