# The language, warnings and sanitizers of everything that is compiled.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON) # the folder of a build leaves no trace in what is installed
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wconversion -Wno-sign-conversion)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 18)
  add_compile_options(-Wno-enum-float-conversion) # constants of an enum are numbers, which C computes with as ints
endif()
option(FARSIGHT_WERROR "Treat warnings as errors" OFF)
if(FARSIGHT_WERROR)
  add_compile_options(-Werror)
endif()

add_compile_options(-ffp-contract=off) # every number comes out the same everywhere
add_compile_definitions(_XOPEN_SOURCE=700 _FILE_OFFSET_BITS=64 _TIME_BITS=64) # large files and dates where a word has 32 bits

set(FARSIGHT_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")
if(FARSIGHT_SANITIZE)
  add_compile_options(-fsanitize=${FARSIGHT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FARSIGHT_SANITIZE})
endif()
