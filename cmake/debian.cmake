# Debian packages, one for each component of cmake/install.cmake. Read by `make deb`, which installs to /usr.

set(library_package libmanyply${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(packages_program manyply)
set(packages_library ${library_package})
set(packages_development libmanyply-dev)
set(packages_python python3-manyply)

# Policy asks every package for its licence and for a changelog in the form of dpkg.
string(TIMESTAMP built_on "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(maintainer "The Manyply authors <authors@manyply.invalid>")
configure_file(cmake/debian-changelog.in ${made}/changelog @ONLY)
file(READ LICENSE licence)
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(STRIP "${licence}" licence)
string(REGEX REPLACE "\n" "\n " licence "${licence}")
configure_file(cmake/debian-copyright.in ${made}/copyright @ONLY)
execute_process(COMMAND gzip -9nkf ${made}/changelog COMMAND_ERROR_IS_FATAL ANY)
foreach(component program library development python)
  install(FILES ${made}/copyright ${made}/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${packages_${component}} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL program library development python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SOURCE manyply)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME manyply)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "search game trees on every core you have
 Manyply finds the best move in a position of a board game with any of its
 sequential and parallel search strategies, counts lines of play, and measures
 what each thread is worth. Games can be added as plug-ins.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "parallel game-tree search, shared library
 Programs that search the game trees of built-in games or of their own
 with libmanyply need this package to run.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${made}/triggers)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_STRICT_PERMISSION ON)
file(WRITE ${made}/triggers "activate-noawait ldconfig\n")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libmanyply-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library_package} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "parallel game-tree search, development files
 Headers, pkg-config and CMake files to compile programs that use libmanyply,
 and to write games as plug-ins.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-manyply)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${library_package} (>= ${PROJECT_VERSION}), python3, python3-cffi")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS manyply)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "parallel game-tree search, Python interface
 Games, positions, searches, perft and traces of libmanyply for Python and
 for notebooks, in which boards draw themselves.")
include(CPack)
