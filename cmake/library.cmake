# libfarsight, static and shared, which needs nothing but the C library and threads.
find_package(Threads REQUIRED)
add_library(farsight_objects OBJECT ${FARSIGHT_SOURCES}) # compiled once for both
target_include_directories(farsight_objects PUBLIC include PRIVATE src)
# Words that a step stores one by one and the next reads as a pair have to wait for each other: no pairs there.
set_source_files_properties(src/run/loop.c src/run/interleave.c PROPERTIES COMPILE_OPTIONS -fno-tree-slp-vectorize)
# Loops for instructions that not every processor has: the library asks before it calls them.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set_source_files_properties(src/run/vectors-avx2.c PROPERTIES COMPILE_OPTIONS "-mavx2;-fno-tree-vectorize")
  set_source_files_properties(src/run/vectors-avx512.c PROPERTIES COMPILE_OPTIONS
                              "-mavx512f;-mavx512dq;-mavx512vl;-fno-tree-vectorize")
  set_source_files_properties(src/statistics/sums-avx2.c PROPERTIES COMPILE_OPTIONS -mavx2)
endif()

foreach(kind STATIC SHARED)
  string(TOLOWER ${kind} name)
  add_library(farsight_${name} ${kind} $<TARGET_OBJECTS:farsight_objects>)
  target_include_directories(farsight_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(farsight_${name} PUBLIC Threads::Threads PRIVATE m ${CMAKE_DL_LIBS})
  set_target_properties(farsight_${name} PROPERTIES OUTPUT_NAME farsight EXPORT_NAME ${name})
  add_library(farsight::${name} ALIAS farsight_${name})
endforeach()
set_target_properties(farsight_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
