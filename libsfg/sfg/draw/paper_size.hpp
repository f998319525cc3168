#pragma once
#include "sfg/draw/picture.hpp"
#include "sfg/draw/scene.hpp"

// Not installed: how large pictures are on paper.
namespace sfg {

inline constexpr double millimetres_of_point = 25.4 / 72.27;
inline constexpr double usual_points = 10;

/// Millimetres of a pixel where the text has the size that the options say.
double natural_size(double text_size, const PictureOptions&);

/// How large a pixel of the scene is on paper: the text as large as asked, smaller (down to nine tenths, with a note below)
/// where the picture is to be no wider than the options say; 0 where they say nothing.
double millimetres_per_pixel(const Scene&, const PictureOptions&);

/// Shrinking of letters that is hardly seen.
inline constexpr double least_shrinking = 0.9;
/// How large its letters are, by what is wanted, where the scene is as wide as that, in pixels, and three times as high at most:
/// 1 where it fits.
double fitting(const Scene&, double width);

}  // namespace sfg
