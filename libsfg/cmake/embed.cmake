# Files as string literals of one source: cmake -DOUT=x.cpp -DSTYLE=a.css "-DSCRIPTS=a.js;b.js" -P embed.cmake
include(${CMAKE_CURRENT_LIST_DIR}/literal.cmake)
literal(style ${STYLE})
literal(script ${SCRIPTS})
file(WRITE ${OUT} "#include \"sfg/report/resources.hpp\"\nnamespace sfg {\nconst std::string_view page_style =\n${style};\nconst std::string_view page_script =\n${script};\n}\n")
