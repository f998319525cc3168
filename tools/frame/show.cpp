#include "tools/frame/show.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

#include "sfg/write/page/page.hpp"
#include "tools/frame/output.hpp"

namespace sfg::command {

namespace {

/// Characters of a line: what COLUMNS says, else of the terminal, else a hundred.
std::size_t columns(const Arguments& arguments) {
  constexpr std::size_t usual = 100, least = 20;
  if (const char* stated = std::getenv("COLUMNS")) {
    std::size_t count = 0;
    const std::string text = stated;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error == std::errc() && end == text.data() + text.size() && count > 0) return std::max(count, least);
  }
  winsize size{};
  if (!arguments.has("output") && ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
      size.ws_col > 0)
    return std::max<std::size_t>(size.ws_col, least);
  return usual;
}

}  // namespace

bool is_page(const std::string& extension) {
  constexpr std::array<std::string_view, 4> pages{"tex", "md", "html", "htm"};
  return std::ranges::find(pages, extension) != pages.end();
}

std::optional<TextLayout> text_layout(const Arguments& arguments) {
  const std::string notation = notation_of(arguments);
  for (const char* other : {"latex", "markdown", "rst", "html"})
    if (notation == other) return {};
  return TextLayout{.notation = notation == "unicode" ? Notation::unicode : Notation::text, .width = columns(arguments)};
}

Detail detail_of(const Arguments& arguments) { return arguments.has("verbose") ? Detail::full : Detail::brief; }

void show(Task& task, const Page& page) {
  const Arguments& arguments = task.arguments;
  const std::string notation = notation_of(arguments);
  const bool document = is_page(extension_of(arguments.text("output")));
  if (notation == "latex") {
    const LatexLayout usual;
    write_latex(task.out, page, {.width = arguments.number("width").value_or(usual.width), .document = document});
  } else if (notation == "markdown") {
    write_markdown(task.out, page);
  } else if (notation == "rst") {
    write_rst(task.out, page);
  } else if (notation == "html") {
    document ? write_html_document(task.out, page) : write_html(task.out, page);
  } else {
    write_text(task.out, page, *text_layout(arguments));
  }
}

Option notation_option() {
  return {"--notation",
          "NOTATION",
          "how the answer is written (default text, which reads back; -o x.tex, .md, .html and .rst say it, too)",
          Option::Kind::choice,
          {"text", "unicode", "latex", "markdown", "html", "rst"}};
}

Option width_option() {
  return {"--width", "MM", "width of a picture; of LaTeX: of a line, where wider formulas are broken (default 120)",
          Option::Kind::number};
}

}  // namespace sfg::command
