#pragma once
// Systems of the specification of the polar method as graphs, with what is known of their motions.

namespace sfg::test {

/// Two masses between three springs and dampers, a cubic spring between them; force w on the first.
inline constexpr const char* two_masses = R"dot(digraph {
  input="w"; output="x2"; variable="p";
  parameters="m1=2, m2=1, k1=100, c1=4/5, k2=40, c2=3/10, k3=30, c3=1/5, al=5000";
  w -> r1; r1 -> x1 [gain="1/(m1*p^2)"]; r2 -> x2 [gain="1/(m2*p^2)"];
  x1 -> f1 [gain="c1*p+k1"]; f1 -> r1 [gain="-1"];
  x1 -> y; x2 -> y [gain="-1"];
  y -> f2 [gain="c2*p+k2"]; y -> f2 [nonlinear="al*u^3"];
  f2 -> r1 [gain="-1"]; f2 -> r2;
  x2 -> f3 [gain="c3*p+k3"]; f3 -> r2 [gain="-1"];
}
)dot";

/// Three masses, a cubic spring and a quadratic damper.
inline constexpr const char* three_masses = R"dot(digraph {
  input="w"; output="x3"; variable="p";
  parameters="m1=1, m2=3/2, m3=4/5, k1=50, c1=1/2, k2=80, c2=3/10, k3=60, c3=2/5, k4=20, c4=3/10, al=3000, dq=1";
  w -> r1; r1 -> x1 [gain="1/(m1*p^2)"]; r2 -> x2 [gain="1/(m2*p^2)"]; r3 -> x3 [gain="1/(m3*p^2)"];
  x1 -> f1 [gain="c1*p+k1"]; f1 -> r1 [gain="-1"];
  x1 -> y; x2 -> y [gain="-1"];
  y -> f2 [gain="c2*p+k2"]; y -> f2 [nonlinear="al*u^3"];
  f2 -> r1 [gain="-1"]; f2 -> r2;
  x2 -> z; x3 -> z [gain="-1"];
  z -> f3 [gain="c3*p+k3"]; z -> f3 [nonlinear="dq*v*abs(v)"];
  f3 -> r2 [gain="-1"]; f3 -> r3;
  x3 -> f4 [gain="c4*p+k4"]; f4 -> r3 [gain="-1"];
}
)dot";

/// |X| of the output in a periodic motion, and the largest modulus of its multipliers: by shooting (tolerance 1e-12), not by
/// balance.
struct KnownOrbit {
  double frequency, amplitude, multiplier;
};
/// The same by the closed forms of the describing functions.
struct KnownAmplitude {
  double frequency, amplitude;
};
struct KnownSlope {
  const char* parameter;
  double derivative;
};

inline constexpr KnownAmplitude two_masses_describing[] = {
    {4.0, 0.037889435783265236},  {7.0, 0.21499000010484395},   {10.0, 0.06802682257043643},  {12.5, 0.018310144581121252},
    {12.5, 0.03396663540533494},  {12.5, 0.08323713845941735},  {13.0, 0.010690532872794584}, {13.0, 0.05007255665729904},
    {13.0, 0.08740207421443243},  {14.5, 0.004474029072771842}, {14.5, 0.07974489467622353},  {14.5, 0.10026853942553034},
    {16.0, 0.002431810877133073}, {16.0, 0.10398813439893985},  {16.0, 0.11242013028098397},
};
inline constexpr KnownOrbit two_masses_orbits[] = {
    {4.0, 0.037890345686588944, 0.7819593363527513},  {7.0, 0.21500750197992188, 0.8665341348801391},
    {10.0, 0.06780273752884677, 0.9052696486510143},  {12.5, 0.018367631839707934, 0.9234792807938113},
    {12.5, 0.033564039427470535, 1.4877851962852944}, {12.5, 0.08254932734239734, 0.9212296674250339},
    {13.0, 0.010694253690064104, 0.9267423695984521}, {13.0, 0.04955744777228135, 1.7507427976116796},
    {13.0, 0.08660177063601766, 0.9239759555149599},  {14.5, 0.004474124990184709, 0.9343304293012739},
    {14.5, 0.07871458689818209, 1.6544374946613467},  {14.5, 0.09912591829241973, 0.9312375336463182},
    {16.0, 0.002431819468916477, 0.9403613840516595}, {16.0, 0.10235977693643171, 1.3704204249798482},
    {16.0, 0.11100570747376687, 0.937289961974963},
};
/// Of one harmonic at 13.0, where the amplitude is 0.08740207421443243.
inline constexpr KnownSlope two_masses_slopes[] = {
    {"m1", 0.025146079424906348},    {"m2", 0.007517245125408961},   {"k1", -0.00014879336937814413},
    {"c1", -0.0015840780567260358},  {"k2", -0.0005774403102821283}, {"c2", -0.01162778078040417},
    {"k3", -4.4480740387035285e-05}, {"c3", -0.005102603737478008},  {"al", -6.67493261346306e-06},
};

inline constexpr KnownAmplitude three_masses_describing[] = {
    {1.5, 0.05933429017269832},      {6.07895, 0.09299460131318604}, {10.6579, 0.10636904760611875},
    {15.2368, 0.036852569925280985}, {16.0, 0.03391677905642131},
};
inline constexpr KnownOrbit three_masses_orbits[] = {
    {1.5, 0.05933429250401587, 0.6579985558879501},     {6.07895, 0.09304432097387609, 0.8989004695363914},
    {10.6579, 0.10636777334191509, 0.9435979232029502}, {15.2368, 0.03641229223934883, 0.9558767685016715},
    {16.0, 0.03345127683403167, 0.9574818768226984},
};
/// Of one harmonic at 3.0, where the amplitude is 0.11251534317260756.
inline constexpr KnownSlope three_masses_slopes[] = {
    {"m1", 0.026594105377341318},    {"m2", 0.04172943830703432},    {"m3", 0.04219755349459279},
    {"k1", -0.002954900597482368},   {"c1", -0.0005153727558821141}, {"k2", -5.710965983007357e-05},
    {"c2", -4.771895644092652e-05},  {"k3", 0.0001861199354758695},  {"c3", -7.3550416825866255e-06},
    {"k4", -0.004688617054954755},   {"c4", -0.0008554580434308346}, {"al", -1.1353959567263519e-09},
    {"dq", -4.5055846061003694e-07},
};

}  // namespace sfg::test
