# What `cmake --install` puts where, in three components: the program, the library that other programs run
# with, and what they are compiled with; for Debian, the package for Python is a fourth.

install(TARGETS manyply_program RUNTIME COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/manyply-uci DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS manyply EXPORT manyply_targets
        LIBRARY COMPONENT library NAMELINK_COMPONENT development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/manyply DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.h")

# The manual page and the completions are printed by the program, so they cannot disagree with it.
set(made ${PROJECT_BINARY_DIR}/made)
file(MAKE_DIRECTORY ${made})
add_custom_command(OUTPUT ${made}/manyply.1.gz
  COMMAND manyply_program manual > ${made}/manyply.1
  COMMAND gzip -9nf ${made}/manyply.1
  DEPENDS manyply_program VERBATIM)
list(APPEND printed ${made}/manyply.1.gz)
foreach(shell bash zsh fish)
  add_custom_command(OUTPUT ${made}/${shell}
    COMMAND manyply_program completion ${shell} > ${made}/${shell}
    DEPENDS manyply_program VERBATIM)
  list(APPEND printed ${made}/${shell})
endforeach()
add_custom_target(manyply_printed ALL DEPENDS ${printed})
install(FILES ${made}/manyply.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${made}/bash RENAME manyply
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
# Debian's zsh looks for what packages bring in vendor-completions, everyone's in site-functions.
set(zsh_folder site-functions)
if(MANYPLY_DEBIAN)
  set(zsh_folder vendor-completions)
endif()
install(FILES ${made}/zsh RENAME _manyply
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_folder} COMPONENT program)
install(FILES ${made}/fish RENAME manyply.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# For menus and shops of programs.
install(FILES cmake/desktop/manyply.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT program)
install(FILES cmake/desktop/manyply.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT program)

if(TARGET manyply_mpi)
  add_custom_command(OUTPUT ${made}/manyply-mpi.1.gz
    COMMAND manyply_mpi manual > ${made}/manyply-mpi.1
    COMMAND gzip -9nf ${made}/manyply-mpi.1
    DEPENDS manyply_mpi VERBATIM)
  add_custom_target(manyply_mpi_printed ALL DEPENDS ${made}/manyply-mpi.1.gz)
  install(TARGETS manyply_mpi RUNTIME COMPONENT program)
  install(FILES ${made}/manyply-mpi.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
endif()

# For programs that use the library. Both files find it from their own place, so the tree can be moved.
file(RELATIVE_PATH up_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up_to_prefix "${up_to_prefix}")
configure_file(cmake/manyply.pc.in ${made}/manyply.pc @ONLY)
install(FILES ${made}/manyply.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/manyply)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${made}/manyplyConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT manyply_targets FILE manyplyConfig.cmake NAMESPACE manyply::
        DESTINATION ${package_folder} COMPONENT development)
install(FILES ${made}/manyplyConfigVersion.cmake DESTINATION ${package_folder} COMPONENT development)

# Elsewhere it is `pip install ./python`, because where modules go is for Python to say.
if(MANYPLY_DEBIAN)
  install(DIRECTORY python/manyply DESTINATION lib/python3/dist-packages COMPONENT python
          FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()

# What is there to read. (A Debian package carries its licence under another name.)
if(NOT MANYPLY_DEBIAN)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
endif()
foreach(page README.md CHANGELOG.md)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program OPTIONAL)
endforeach()
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program OPTIONAL
        FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development
        PATTERN "*.so" EXCLUDE PATTERN "*.o" EXCLUDE)
