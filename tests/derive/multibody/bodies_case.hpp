#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "sfg/model/multibody.hpp"
#include "sfg/read/input.hpp"

namespace sfg::test {

inline Multibody bodies(const std::string& text) {
  return std::get<Multibody>(std::get<Model>(read(text, InputFormat::toml, "model.toml").content));
}
inline Multibody bodies_of_file(const std::string& name) {
  return std::get<Multibody>(std::get<Model>(read_file(std::string(SFG_TEST_DATA "/multibody/") + name).content));
}
inline nlohmann::json published(const std::string& name) {
  std::ifstream in(std::string(SFG_TEST_DATA "/multibody/") + name + ".json");
  return nlohmann::json::parse(in);
}

}  // namespace sfg::test
