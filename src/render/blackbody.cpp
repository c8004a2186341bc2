#include "render/blackbody.h"

namespace whorl {
namespace {

// The colour-matching functions of the CIE 1931 2-degree observer, 380 to 780 nm.
constexpr double first_wavelength = 380e-9, wavelength_step = 10e-9;  // m
constexpr Vec<double, 3> observer[] = {
    {0.001368, 3.9e-05, 0.00645}, {0.004243, 0.00012, 0.02005}, {0.01431, 0.000396, 0.06785},
    {0.04351, 0.00121, 0.2074},   {0.13438, 0.004, 0.6456},     {0.2839, 0.0116, 1.3856},
    {0.34828, 0.023, 1.74706},    {0.3362, 0.038, 1.77211},     {0.2908, 0.06, 1.6692},
    {0.19536, 0.09098, 1.28764},  {0.09564, 0.13902, 0.81295},  {0.03201, 0.20802, 0.46518},
    {0.0049, 0.323, 0.272},       {0.0093, 0.503, 0.1582},      {0.06327, 0.71, 0.07825},
    {0.1655, 0.862, 0.04216},     {0.2904, 0.954, 0.0203},      {0.43345, 0.99495, 0.00875},
    {0.5945, 0.995, 0.0039},      {0.7621, 0.952, 0.0021},      {0.9163, 0.87, 0.00165},
    {1.0263, 0.757, 0.0011},      {1.0622, 0.631, 0.0008},      {1.0026, 0.503, 0.00034},
    {0.85445, 0.381, 0.00019},    {0.6424, 0.265, 5e-05},       {0.4479, 0.175, 2e-05},
    {0.2835, 0.107, 0},           {0.1649, 0.061, 0},           {0.0874, 0.032, 0},
    {0.04677, 0.017, 0},          {0.0227, 0.00821, 0},         {0.011359, 0.004102, 0},
    {0.00579, 0.002091, 0},       {0.002899, 0.001047, 0},      {0.00144, 0.00052, 0},
    {0.00069, 0.000249, 0},       {0.000332, 0.00012, 0},       {0.000166, 6e-05, 0},
    {8.3e-05, 3e-05, 0},          {4.2e-05, 1.5e-05, 0},
};

constexpr double second_radiation_constant = 1.438776877e-2;  // m K: h c / k_B

Rgb to_rgb(const Vec<double, 3>& xyz) {
  const auto [x, y, z] = xyz.v;
  return {float(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
          float(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
          float(0.0556434 * x - 0.2040259 * y + 1.0572252 * z)};
}

}  // namespace

Vec<double, 3> blackbody_xyz(double kelvin) {
  Vec<double, 3> sum{};
  double wavelength = first_wavelength;
  for (const Vec<double, 3>& matching : observer) {
    const double micron = wavelength * 1e6;
    sum =
        sum + matching *
                  (1 / (std::pow(micron, 5) * std::expm1(second_radiation_constant / (wavelength * kelvin))));
    wavelength += wavelength_step;
  }
  return sum;
}

Vec<double, 2> blackbody_chromaticity(double kelvin) {
  const Vec<double, 3> xyz = blackbody_xyz(kelvin);
  const double scale = 1 / (xyz[0] + xyz[1] + xyz[2]);
  return {xyz[0] * scale, xyz[1] * scale};
}

Rgb blackbody_colour(double kelvin) {
  const Vec<double, 3> xyz = blackbody_xyz(kelvin);
  const Rgb colour = to_rgb(xyz * (1 / xyz[1]));
  // Grey of unit luminance is 1, 1, 1: mixing with it leaves the luminance.
  const float least = std::min({colour[0], colour[1], colour[2], 0.f});
  return mix(colour, {1, 1, 1}, -least / (1 - least));
}

double blackbody_brightness(double kelvin) {
  return std::pow(blackbody_xyz(kelvin)[1] / blackbody_xyz(1600)[1], 0.25);
}

GlowColours::GlowColours() {
  for (int k = 0; k < count; ++k) {
    const double kelvin = coolest + (double(hottest) - coolest) * k / (count - 1);
    colours_[std::size_t(k)] = blackbody_colour(kelvin) * float(blackbody_brightness(kelvin));
  }
}

}  // namespace whorl
