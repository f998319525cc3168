#include "sfg/version.hpp"

namespace sfg {

Version version() noexcept { return header_version; }

}  // namespace sfg
