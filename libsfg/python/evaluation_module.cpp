// sfg._core.Evaluation: values of a compiled transfer function, without a thread between.
#include <pybind11/complex.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "python/calls.hpp"
#include "python/evaluation.hpp"

namespace sfg::python {

namespace {

namespace py = pybind11;
using Complex = std::complex<double>;
using Doubles = py::array_t<double, py::array::c_style>;
using ComplexDoubles = py::array_t<Complex, py::array::c_style>;

constexpr std::size_t most_scalars = 16;

/// A plain number that a double holds.
bool read_plain(PyObject* object, double& number) {
  if (PyFloat_Check(object)) {
    number = PyFloat_AS_DOUBLE(object);
    return std::isfinite(number);
  }
  if (!PyLong_CheckExact(object)) return false;
  int overflow = 0;
  const long long whole = PyLong_AsLongLongAndOverflow(object, &overflow);
  number = static_cast<double>(whole);
  return overflow == 0 && std::abs(whole) <= 1LL << 53;
}

/// The value for plain numbers; None where one is none, or too many are given.
PyObject* one(const Evaluation& evaluation, PyObject* s, PyObject* parameters) {
  std::array<double, most_scalars> numbers;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  const std::size_t count = evaluation.parameters();
  double real = 0;
  Complex point;
  if (PyComplex_Check(s)) {
    point = {PyComplex_RealAsDouble(s), PyComplex_ImagAsDouble(s)};
  } else if (read_plain(s, real)) {
    point = real;
  } else {
    Py_RETURN_NONE;
  }
  if (count > most_scalars || static_cast<std::size_t>(PyTuple_GET_SIZE(parameters)) != count) Py_RETURN_NONE;
  for (std::size_t i = 0; i < count; ++i)
    if (!read_plain(PyTuple_GET_ITEM(parameters, static_cast<Py_ssize_t>(i)), numbers[i])) Py_RETURN_NONE;
  const Complex value = evaluation.at(point, std::span(numbers).first(count));
  return PyComplex_FromDoubles(value.real(), value.imag());
}

/// Values of arrays that have a value for each point, or a single one; the interpreter's lock is free meanwhile, and Ctrl-C is
/// looked for every so many points.
ComplexDoubles many(const Evaluation& evaluation, const ComplexDoubles& s, const std::vector<Doubles>& parameters,
                    const std::vector<py::ssize_t>& shape, const CallLimits& limits) {
  ComplexDoubles found(shape);
  const std::size_t points = static_cast<std::size_t>(found.size());
  const auto part = []<class T>(const T* data, py::ssize_t size, std::size_t begin, std::size_t count) {
    return size == 1 ? std::span<const T>(data, 1) : std::span<const T>(data + begin, count);
  };
  const std::span<Complex> values(found.mutable_data(), points);
  constexpr std::size_t between_looks = 1 << 20;
  try {
    const Budget budget(limits.of_budget());
    for (std::size_t begin = 0; begin < points; begin += between_looks) {
      const std::size_t count = std::min(between_looks, points - begin);
      std::vector<std::span<const double>> lists;
      for (const Doubles& list : parameters) lists.push_back(part(list.data(), list.size(), begin, count));
      {
        const py::gil_scoped_release others;
        evaluation.at(part(s.data(), s.size(), begin, count), lists, values.subspan(begin, count), budget);
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
  } catch (py::error_already_set&) {
    throw;
  } catch (...) {
    raise_failure(limits);
  }
  return found;
}

}  // namespace

void define_evaluation(py::module_& m) {
  py::class_<Evaluation, std::shared_ptr<Evaluation>>(m, "Evaluation")
      .def("one",
           [](const Evaluation& e, py::handle s, const py::tuple& parameters) {
             return py::reinterpret_steal<py::object>(one(e, s.ptr(), parameters.ptr()));
           })
      .def("many", many);
}

}  // namespace sfg::python
