# libfarsight-gpu.so by nvcc. CMake's own CUDA support wants a whole toolkit, also that of a wheel from PyPI is enough here.
# No contraction, as everywhere: -fmad=false for the device, -ffp-contract=off for the host.
execute_process(COMMAND ${FARSIGHT_NVCC} --version OUTPUT_VARIABLE FARSIGHT_CUDA ERROR_QUIET)
string(REGEX REPLACE ".*release ([0-9.]+).*" "\\1" FARSIGHT_CUDA "${FARSIGHT_CUDA}")
set(FARSIGHT_GPU_LIBRARY ${CMAKE_CURRENT_BINARY_DIR}/libfarsight-gpu.so)
set(FARSIGHT_GPU_OPTIONS -O3 -std=c++20 -fmad=false -Xcompiler=-fPIC,-fvisibility=hidden,-ffp-contract=off)
set(FARSIGHT_GPU_BLOCKS "" CACHE STRING "Blocks of 128 lanes on a multiprocessor, to be tried; empty: the default of src/run/gpu/cuda.cu")
if(FARSIGHT_GPU_BLOCKS)
  list(APPEND FARSIGHT_GPU_OPTIONS -DLANE_BLOCKS=${FARSIGHT_GPU_BLOCKS})
endif()
set(FARSIGHT_GPU_BATCH "" CACHE STRING "Outcomes that a thread of a sweep asks for at once, to be tried; empty: the default of src/run/gpu/sweep.h")
if(FARSIGHT_GPU_BATCH)
  list(APPEND FARSIGHT_GPU_OPTIONS -DSWEEP_BATCH=${FARSIGHT_GPU_BATCH})
endif()
if(FARSIGHT_WERROR)
  list(APPEND FARSIGHT_GPU_OPTIONS -Werror=all-warnings)
endif()
foreach(architecture ${FARSIGHT_GPU_ARCHITECTURES}) # NUMBER-virtual: for that and later ones; NUMBER-real: for that one
  string(REGEX MATCH "^([0-9]+[a-z]?)-(virtual|real)$" _ "${architecture}")
  if(NOT CMAKE_MATCH_1)
    message(FATAL_ERROR "FARSIGHT_GPU_ARCHITECTURES has ${architecture}: must be as 75-virtual or 90-real")
  endif()
  set(code sm_${CMAKE_MATCH_1})
  if(CMAKE_MATCH_2 STREQUAL "virtual")
    set(code compute_${CMAKE_MATCH_1})
  endif()
  list(APPEND FARSIGHT_GPU_OPTIONS -gencode=arch=compute_${CMAKE_MATCH_1},code=${code})
endforeach()
set(objects)
foreach(source cuda sweep tallied)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/gpu-${source}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${FARSIGHT_NVCC} ${FARSIGHT_GPU_OPTIONS} -I${CMAKE_CURRENT_SOURCE_DIR}/src
            -I${CMAKE_CURRENT_SOURCE_DIR}/include -MD -MF ${object}.d -c ${CMAKE_CURRENT_SOURCE_DIR}/src/run/gpu/${source}.cu -o ${object}
    DEPENDS src/run/gpu/${source}.cu DEPFILE ${object}.d VERBATIM)
  list(APPEND objects ${object})
endforeach()
add_library(farsight_gpu_host OBJECT src/run/gpu/backend.c src/run/gpu/sweep.c src/base/clock.c)
target_include_directories(farsight_gpu_host PRIVATE src include)
add_custom_command(OUTPUT ${FARSIGHT_GPU_LIBRARY}
  COMMAND ${FARSIGHT_NVCC} -shared -cudart=static -o ${FARSIGHT_GPU_LIBRARY} ${objects} $<TARGET_OBJECTS:farsight_gpu_host>
          -Xlinker=--exclude-libs,ALL
  DEPENDS ${objects} farsight_gpu_host $<TARGET_OBJECTS:farsight_gpu_host> COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(farsight_gpu ALL DEPENDS ${FARSIGHT_GPU_LIBRARY})
install(FILES ${FARSIGHT_GPU_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT gpu)
message(STATUS "CUDA compiler: ${FARSIGHT_NVCC}")
