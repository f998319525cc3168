# With CMAKE_UNITY_BUILD (the release preset) the sources of a room are compiled together, a group at a time: half of a build is
# headers that the sources of one room share. Without it (debug, asan, tidy) every source stands by itself, so that it stays
# honest. Sources with options of their own stay apart.
#   sfg_compile_by_rooms(TARGET [BRIEFLY room…] [WITH_SUBROOMS room…])
# WITH_SUBROOMS: rooms that are compiled with their sub-rooms: no name of theirs stands twice in them (tests/structure_test.cpp).
# BRIEFLY: rooms that make text and pictures, wait for the disk, or leave their work to others: optimising them for longer gains nothing.
function(sfg_compile_by_rooms target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "BRIEFLY;WITH_SUBROOMS")
  set(most_sources 12)
  get_target_property(sources ${target} SOURCES)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    get_source_file_property(apart ${source} SKIP_PRECOMPILE_HEADERS)
    if(NOT source MATCHES "[.]cpp$" OR IS_ABSOLUTE ${source} OR apart)
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder PARENT_PATH above)
    if(above IN_LIST arg_WITH_SUBROOMS)
      set(folder ${above})
    endif()
    string(MAKE_C_IDENTIFIER ${folder} room)
    math(EXPR count "0${count_${room}} + 1")
    set(count_${room} ${count})
    math(EXPR group "(${count} - 1) / ${most_sources}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${group})
    if(folder IN_LIST arg_BRIEFLY AND CMAKE_UNITY_BUILD)
      set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${room}_${group}_cxx.cxx
        PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
    endif()
  endforeach()
endfunction()
