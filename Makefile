# The front door. Everything is built by CMake (CMakePresets.json); this installs what is missing and calls it.
#   make            build/manyply          make demo       a tour of a minute
#   make test       all tests              make exactness  1,000 positions a game against plain minimax
#   make test-all   all of it, hours: test, faults, exactness, perft-all, asan, tsan, fuzz, and what has a longer form
#   make perft-all  known counts of chess positions to 200 million nodes; SUITES='FILE...': of these files too
#   make asan tsan  tests with sanitizers  make fuzz       a minute of fuzzing for each parser (KINDS)
#   make faults     fails each allocation, each file and each write of each command; hours
#   make coverage   which lines run        make bench      the measurements the documents quote
#   make mutants    plants faults one by one and expects a test to fail; MUTANTS=REGEX chooses
#   make reproduction   docs/reproduction.md again
#   make install    to PREFIX              make deb        Debian packages in build/packages
#   make pictures   the pictures of README.md, from the page itself
#   make web        web/dist, the page in the browser, from its source
#   make release    packages, source archive and checksums in build/release
#   make site       the documentation as a site with search, build/site

BUILD_NEEDS := cmake gcc libc6-dev libedit-dev libjansson-dev libmicrohttpd-dev librandom123-dev libsqlite3-dev \
    libzstd-dev make ninja-build pkg-config
# npm comes with some packages of nodejs and not with others: where there is one it will do.
WEB_NEEDS := $(if $(shell command -v npm),,nodejs npm)
TEST_NEEDS := chromium clang fish g++ gnubg groff-base libclang-rt-dev libcmocka-dev libopenmpi-dev man-db openmpi-bin pgn-extract \
    pocl-opencl-icd python3 python3-cffi python3-pytest zsh $(WEB_NEEDS)
SECONDS_EACH ?= 60
KINDS ?= $(sort $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
# make test WERROR=ON: a warning of the plain build is an error too, as it is in the others.
WERROR ?= OFF
PREFIX ?= /usr/local

all:
	@tools/need $(BUILD_NEEDS)
	@cmake --preset release -DMANYPLY_TESTS=OFF -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build build

demo: all
	@build/manyply demo

# configured(PRESET[,OPTIONS]): everything that is tested, built with one preset.
define configured
	@tools/need $(BUILD_NEEDS) $(TEST_NEEDS)
	@cmake --preset $(1) -DMANYPLY_TESTS=ON $(2) >/dev/null
	@cmake --build --preset $(1)
endef

# tested(BUILD): runs the tests of a build and says at the end how many were skipped, which ctest leaves to be counted.
define tested
	@rm -f $(1)/tests.xml; ctest --test-dir $(1) --output-on-failure -j2 --output-junit tests.xml; result=$$?; \
	    echo "$$(grep -om1 'skipped="[0-9]*"' $(1)/tests.xml | tr -dc 0-9) tests skipped"; exit $$result
endef

test:
	$(call configured,release,-DMANYPLY_WERROR=$(WERROR))
	$(call tested,build)

# One after the other, whatever -j says: they share folders.
test-all:
	@for part in test faults exactness perft-all asan tsan fuzz; do $(MAKE) $$part || exit 1; done
	build/tests/test_selective 4
	build/tests/test_accumulators 1000000
	build/tests/test_othello_endgame 1000 12 18 26
	tests/lab/kills.py build/manyply 2000 50 10ms
	tests/server/siege.py build/manyply 1000 8
	/usr/bin/python3 tests/library/python_leaks.py build/clang/libmanyply.so 10000
	@tools/need debootstrap
	[ "$$(id -u)" -ne 0 ] || tests/house/container.py build/container
	build/tests/test_cluster 100
	tests/cluster/mpi.py build/manyply-mpi build/manyply 100 2,4,8 0,1ms,50ms 2

exactness:
	$(call configured,release)
	build/tests/test_exactness 1000
	build/tests/test_living 1000
	build/tests/test_expectiminimax 1000

perft-all:
	$(call configured,release)
	build/tests/test_chess_perft 200000000 $(SUITES)

faults:
	$(call configured,release)
	tests/faults/commands.py build/manyply build/plugins/faults.so all '$(FAULTS)'
	tests/faults/serve.py build/manyply build/plugins/faults.so all

asan tsan:
	$(call configured,$@)
	$(call tested,build/$@)

# Files that are compiled for several levels of the CPU count in the copy that this CPU runs (gcovr 5 cannot
# merge copies whose functions stand on different lines).
IDLE_LEVELS = $(if $(shell grep -m1 -o avx512cd /proc/cpuinfo),manyply_(base|v3),manyply_v4)
coverage:
	@tools/need gcovr
	@mkdir -p build/coverage && find build/coverage -name '*.gcda' -delete
	$(call configured,coverage)
	$(call tested,build/coverage)
	gcovr --root . --filter src/ --exclude-directories '.*$(IDLE_LEVELS)\.dir' build/coverage/CMakeFiles \
	    --exclude-unreachable-branches --print-summary --txt build/coverage/lines.txt \
	    --fail-under-line 90 --html-details build/coverage/index.html

mutants:
	@tools/need $(BUILD_NEEDS) $(TEST_NEEDS)
	@tests/mutants/run.py '$(MUTANTS)'

fuzz:
	$(call configured,clang)
	tests/fuzz/run.py --keep build/clang $(SECONDS_EACH) $(KINDS)

bench:
	$(call configured,release)
	@cmake --build build --target benchmarks
	bench/run

# The reports' figures beside ours; some minutes, nothing else should run meanwhile.
reproduction: all
	build/manyply reproduce all >docs/reproduction.md

# What is built is kept with the source, so that nobody needs npm to build the program; a test compares the two.
web:
	@tools/need $(WEB_NEEDS)
	@tests/web/packages.sh web
	@cd web && npx --no-install vite build

pictures: all
	@tools/need $(WEB_NEEDS) chromium
	@tests/web/packages.sh web
	@node tools/pictures.mjs build/manyply docs/images

install: all
	cmake --install build --prefix $(PREFIX)

deb:
	@tools/need $(BUILD_NEEDS) dpkg-dev file
	@cmake --preset release -B build/deb -DMANYPLY_TESTS=OFF -DMANYPLY_DEBIAN=ON \
	    -DCMAKE_INSTALL_PREFIX=/usr >/dev/null
	@cmake --build build/deb
	@cd build/deb && cpack -B ../packages
	@ls build/packages/*.deb

release:
	@tools/release

site:
	@tools/need mkdocs
	@tools/site

.PHONY: all demo test test-all faults exactness perft-all asan tsan coverage mutants fuzz bench reproduction web pictures install \
    deb release site
