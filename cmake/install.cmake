# Components: command, library (the shared ones), development, gpu, doc; cmake --install --component NAME installs one.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/farsight)
list(JOIN FARSIGHT_LAB_MODULES " " FARSIGHT_LAB_MODULES)

install(TARGETS farsight farsight-bench RUNTIME COMPONENT command)
install(FILES ${FARSIGHT_PLAYGROUND} DESTINATION ${CMAKE_INSTALL_DATADIR}/farsight RENAME playground.html
        COMPONENT command OPTIONAL)
if(NOT CMAKE_CROSSCOMPILING)
  set(made ${CMAKE_CURRENT_BINARY_DIR})
  install(FILES ${made}/farsight.1 ${made}/farsight-bench.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
  install(FILES ${made}/farsight.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME farsight
          COMPONENT command)
  install(FILES ${made}/_farsight DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT command)
  install(FILES ${made}/farsight.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)
endif()

install(TARGETS farsight_static farsight_shared farsight_lab_static farsight_lab_shared EXPORT farsight-targets
        LIBRARY COMPONENT library NAMELINK_COMPONENT development ARCHIVE COMPONENT development)
install(EXPORT farsight-targets NAMESPACE farsight:: DESTINATION ${package} COMPONENT development)
install(DIRECTORY include/farsight DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
configure_package_config_file(cmake/farsight-config.cmake.in farsight-config.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(farsight-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/farsight-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/farsight-config-version.cmake
        DESTINATION ${package} COMPONENT development)
file(RELATIVE_PATH FARSIGHT_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name farsight farsight-lab)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

# what help, messages and the manual page name as docs/..., and the files that these pages name
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc PATTERN __pycache__ EXCLUDE)
install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT doc)
