#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "tools/frame/verb.hpp"

namespace sfg::command {

/// The man page sfg(1).
void write_manual(std::ostream&, std::span<const Verb>);
/// The man page sfg-VERB(1).
void write_manual(std::ostream&, const Verb&);
/// "sfg.1" and "sfg-VERB.1" of all of them in a folder that is there.
/// @throws sfg::Error when one cannot be written.
void write_manuals(const std::string& folder, std::span<const Verb>);

/// Text for a man page: no sign of it is taken for a request or an escape, none is set as another one (a minus stays the one that
/// can be typed).
std::string roff(std::string_view text);

}  // namespace sfg::command
