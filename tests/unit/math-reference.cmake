# What unit_math includes: values of log and exp, computed by Python.
set(reference ${CMAKE_CURRENT_BINARY_DIR}/math_reference.h)
add_custom_command(OUTPUT ${reference} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/make_math_reference.py ${reference}
                   DEPENDS ${CMAKE_CURRENT_LIST_DIR}/make_math_reference.py VERBATIM)
target_sources(unit_math PRIVATE ${reference})
target_include_directories(unit_math PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
