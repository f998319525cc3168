#pragma once
#include <string>

#include "sfg/read/diagram/zip_archive.hpp"

namespace sfg {

/// The diagram of an archive of Xcos as the XML that Xcos writes without packing it, a line an element: what older versions keep
/// beside it as Java objects stands in it. @throws sfg::Error where the archive is none of Xcos, or broken.
std::string xcos_text(ZipArchive&, const std::string& file);

}  // namespace sfg
