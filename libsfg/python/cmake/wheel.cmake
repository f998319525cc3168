# What a wheel holds, installed in one folder: the module, the library, and all that it stands on but the libraries of C and C++.
# The libraries beside it: an RPATH, which unlike a RUNPATH holds for what these need in turn.
set_target_properties(sfg_python PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/libraries")
target_link_options(sfg_python PRIVATE LINKER:--disable-new-dtags)
install(TARGETS sfg_python LIBRARY DESTINATION sfg)
install(FILES ${sfg_python_files} ${sfg_python_made} DESTINATION sfg)

get_target_property(sfg_kind sfg TYPE)
set(libraries "")
set(sonames "")
if(sfg_kind STREQUAL SHARED_LIBRARY)  # and beside it what it loads when it is asked for
  set(libraries $<TARGET_FILE:sfg> $<TARGET_FILE:sfg_fit>)
  set(sonames $<TARGET_SONAME_FILE_NAME:sfg> $<TARGET_SONAME_FILE_NAME:sfg_fit>)
endif()
install(CODE "set(libraries \"${libraries}\")\nset(sonames \"${sonames}\")\nset(module \"$<TARGET_FILE:sfg_python>\")")
install(CODE [[
  set(folder $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/sfg/libraries)
  file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${libraries} MODULES ${module} RESOLVED_DEPENDENCIES_VAR needed
    PRE_EXCLUDE_REGEXES "^libsfg[.]so" "^lib(c|m|dl|rt|pthread|gcc_s|stdc[+][+])[.]so" "^ld-linux")
  file(MAKE_DIRECTORY ${folder})
  foreach(file IN LISTS needed)
    cmake_path(GET file FILENAME name)
    file(COPY_FILE ${file} ${folder}/${name})
  endforeach()
  foreach(library soname IN ZIP_LISTS libraries sonames)
    file(COPY_FILE ${library} ${folder}/${soname})
    file(RPATH_REMOVE FILE ${folder}/${soname})
  endforeach()
]])
