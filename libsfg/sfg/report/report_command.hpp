#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <optional>
#include "sfg/report/report.hpp"

// Not installed: how the figures of a report are made again from a shell.
namespace sfg {

/// What gives a figure of the report, without what all commands have in common: the input and how it is read.
struct ReportCommand {
  enum class Values {
    symbols,  ///< in the names of the parameters, as the report has it
    numbers,  ///< at the values that the report starts from
  };
  /// Which inputs and outputs it names.
  enum class Ends {
    none,
    asked,  ///< those of the command that made the report; none where it named none
    all,    ///< every input and every output of the questions
    one,    ///< those of `question`
  };
  std::string verb;  ///< "bode"
  std::vector<std::string> options = {};
  Values values = Values::symbols;
  Ends ends = Ends::none;
  std::optional<Question> question = {};
  std::string picture = {};  ///< what it draws: "poles"; the name of the file ends in it. "" for text
};

/// The line for a POSIX shell that does it, in the folder where the report was made.
std::string command_line(const ReportSubject&, const ReportCommand&);
/// One word of such a line, whatever characters it has; the line stays one line.
std::string shell_word(std::string_view);
/// The file that a report on standard input asks its reader to save: "input.toml".
std::string saved_name(const ReportSubject&);

}  // namespace sfg
