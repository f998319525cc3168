# Ceres Solver (least squares). Its own package file asks for the packages of all that it is made of; what links the library needs
# the library alone, and its headers those of glog.
find_path(CERES_INCLUDE_DIR ceres/ceres.h)
find_path(GLOG_INCLUDE_DIR glog/logging.h)
find_library(CERES_LIBRARY ceres)
find_library(GLOG_LIBRARY glog)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Ceres REQUIRED_VARS CERES_LIBRARY GLOG_LIBRARY CERES_INCLUDE_DIR GLOG_INCLUDE_DIR)
if(Ceres_FOUND AND NOT TARGET Ceres::Solver)
  add_library(Ceres::Solver INTERFACE IMPORTED)
  target_include_directories(Ceres::Solver SYSTEM INTERFACE ${CERES_INCLUDE_DIR} ${GLOG_INCLUDE_DIR})
  target_link_libraries(Ceres::Solver INTERFACE ${CERES_LIBRARY} ${GLOG_LIBRARY})
endif()
