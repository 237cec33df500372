# Writes the commit that is being built to FILE, which is touched only when it changes.
execute_process(COMMAND git describe --always --dirty --abbrev=12
                WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${FILE} CONTENT "#define MANYPLY_COMMIT \"${commit}\"\n")
