#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>

namespace sfg::command {

/// Writes to standard output, checked to the end. A reader that has gone away (`| head`) ends the process as SIGPIPE does.
/// @throws sfg::Error when it cannot be written (a full disk).
void deliver(std::string_view text);

/// Writes to a file: a temporary one in the same folder, synchronised, then renamed, so that the file is the old one or
/// the new one but never half of it. "-" is standard output; devices and pipes are written directly.
/// @throws sfg::Error when it cannot be written.
void deliver(std::string_view text, const std::string& path);

/// 0, or the error.
int write_all(int descriptor, std::string_view text);
/// @throws sfg::Error: the file cannot be written, and what to do about it.
[[noreturn]] void refuse_output(const std::string& path, int error);

/// Of a new file: what the umask leaves.
mode_t usual_mode();
/// A pattern for mkostemp beside a file: short, since the name of the file may be as long as names can be.
std::string temporary_beside(const std::string& path);
/// After a rename: the folder of the file, too, is brought to the disk, as far as its file system can.
void synchronise_folder_of(const std::string& path);

/// What the name of a file says of its format: "svg" of "a/b.SVG"; "" when nothing.
std::string extension_of(const std::string& path);

}  // namespace sfg::command
