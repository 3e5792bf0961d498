# Writes text files into a C source, as arrays of characters that end in a zero:
#     cmake -DOUTPUT=FILE.c -DINPUTS="NAME=FILE|NAME=FILE" -P embed.cmake
string(REPLACE "|" ";" inputs "${INPUTS}")
set(source "/* Written by cmake/embed.cmake. */\n")
foreach(input ${inputs})
  string(REGEX REPLACE "=.*" "" name "${input}")
  string(REGEX REPLACE "^[^=]*=" "" path "${input}")
  file(READ "${path}" bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n  " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND source "extern const char ${name}[];\nconst char ${name}[] = {\n  ${bytes}0};\n")
endforeach()
file(WRITE "${OUTPUT}" "${source}")
