# The library and the parts of the command as a build has them: built there where something is missing or changed.
include(GNUInstallDirs)
cmake_path(SET sfg_root NORMALIZE ${CMAKE_CURRENT_SOURCE_DIR}/../..)
set(SFG_BUILD "" CACHE STRING "a folder where the library is built, as seen from the sources; without it the release, else one of its own")
set(sfg_build_named ${SFG_BUILD})
if(NOT SFG_BUILD AND EXISTS ${sfg_root}/build/release/CMakeCache.txt)
  set(sfg_build_named build/release)
elseif(NOT SFG_BUILD)  # what is left out here would be missing in the release of who builds the command later
  set(sfg_build_named build/wheel/library)
endif()
cmake_path(ABSOLUTE_PATH sfg_build_named BASE_DIRECTORY ${sfg_root} NORMALIZE OUTPUT_VARIABLE sfg_build)
# Nothing of the environment of a wheel's build may get into that of the library.
set(library_cmake ${CMAKE_COMMAND} -E env --unset=PYTHONPATH --unset=CXXFLAGS --unset=LDFLAGS ${CMAKE_COMMAND})
if(NOT EXISTS ${sfg_build}/CMakeCache.txt)
  execute_process(COMMAND ${library_cmake} --preset release -B ${sfg_build} -DSFG_GRAPHVIZ=OFF -DSFG_PYTHON=OFF -DBUILD_TESTING=OFF
    WORKING_DIRECTORY ${sfg_root} COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND ${library_cmake} --build ${sfg_build} --target sfg sfg_command_parts
  WORKING_DIRECTORY ${sfg_root} COMMAND_ERROR_IS_FATAL ANY)
load_cache(${sfg_build} READ_WITH_PREFIX built_ CMAKE_CXX_COMPILER_LAUNCHER)
set(CMAKE_CXX_COMPILER_LAUNCHER ${built_CMAKE_CXX_COMPILER_LAUNCHER})

find_package(PkgConfig REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(GINAC REQUIRED IMPORTED_TARGET ginac)
pkg_check_modules(CLN REQUIRED IMPORTED_TARGET cln)
include(${sfg_build}/sfg_parts.cmake)
