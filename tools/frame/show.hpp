#pragma once
#include <optional>
#include <vector>

#include "sfg/write/page/page.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// Writes a page as --notation or the name of -o says: text, Unicode, LaTeX, Markdown, HTML. A file is a document of its own.
void show(Task&, const Page&);

/// How a page is written as plain text; nothing where another notation is asked for.
std::optional<TextLayout> text_layout(const Arguments&);

/// Of every part of the answer with --verbose.
Detail detail_of(const Arguments&);

/// Whether a name ends as those of pages do: tex, md, html, htm.
bool is_page(const std::string& extension);

/// --notation and --width.
Option notation_option();
Option width_option();

}  // namespace sfg::command
