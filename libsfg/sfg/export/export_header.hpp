#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/targets.hpp"

namespace sfg {

/// Text that may stand in a comment that goes to the end of its line, in any of the languages: it begins no other line.
std::string comment_text(std::string_view);
/// The same for a comment between /* and */, which it does not end.
std::string block_comment_text(std::string_view);

struct ExportHeader {
  std::string what;      ///< what the file is, and how it is run
  std::string verified;  ///< "verified: …"
  /// Names of the model and of the file, where they differ.
  std::vector<std::pair<std::string, std::string>> renamed = {};
};

/// The lines of the comment at the top of a file: title, what it is, parameters with units, renamed names (OLD -> NEW), how it
/// was verified, the command. Each is a comment_text(); none is empty.
std::vector<std::string> header_lines(const ExportSubject&, const std::vector<ExportedParameter>&, const ExportHeader&);

}  // namespace sfg
