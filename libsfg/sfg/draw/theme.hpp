#pragma once

namespace sfg {

/// The colours of a picture.
enum class Theme {
  automatic,   ///< light, and dark where the reader prefers that (SVG in a browser)
  light,       ///< on white
  dark,        ///< on a dark ground
  print,       ///< black on no ground: laws told apart by their dashes
  colorblind,  ///< on white, colours that everyone tells apart (Okabe and Ito 2008)
};

}  // namespace sfg
