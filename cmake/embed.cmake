# Writes text files into a C source, as arrays of characters that end in a zero:
#     cmake -P embed.cmake OUTPUT.c NAME FILE [NAME FILE]...
set(source "/* Written by cmake/embed.cmake. */\n")
math(EXPR last "${CMAKE_ARGC} - 2")
foreach(i RANGE 4 ${last} 2)
  math(EXPR next "${i} + 1")
  set(name ${CMAKE_ARGV${i}})
  file(READ "${CMAKE_ARGV${next}}" bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n  " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND source "extern const char ${name}[];\nconst char ${name}[] = {\n  ${bytes}0};\n")
endforeach()
file(WRITE "${CMAKE_ARGV3}" "${source}")
