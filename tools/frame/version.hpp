#pragma once
#include <iosfwd>

namespace sfg::command {

/// What `sfg --version` says: a first line "sfg 0.1.0", then how it was built, what it runs on and with which libraries.
void write_version(std::ostream&);
/// {"schema": "sfg/version/1", …}: docs/schema/version.schema.json.
void write_version_json(std::ostream&);

}  // namespace sfg::command
