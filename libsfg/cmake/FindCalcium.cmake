# Calcium 0.4 ships no CMake package in Debian 12: the target Calcium::Calcium. Its headers include those of Antic.
find_path(CALCIUM_INCLUDE_DIR calcium/ca.h)
find_path(ANTIC_INCLUDE_DIR antic/nf_elem.h)
find_library(CALCIUM_LIBRARY calcium)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Calcium REQUIRED_VARS CALCIUM_LIBRARY CALCIUM_INCLUDE_DIR ANTIC_INCLUDE_DIR)
if(Calcium_FOUND AND NOT TARGET Calcium::Calcium)
  add_library(Calcium::Calcium UNKNOWN IMPORTED)
  set_target_properties(Calcium::Calcium PROPERTIES IMPORTED_LOCATION ${CALCIUM_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES "${CALCIUM_INCLUDE_DIR}/calcium;${CALCIUM_INCLUDE_DIR};${ANTIC_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "FLINT::Arb;FLINT::FLINT")
endif()
mark_as_advanced(CALCIUM_INCLUDE_DIR ANTIC_INCLUDE_DIR CALCIUM_LIBRARY)
