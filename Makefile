# SPDX-License-Identifier: BSD-2-Clause
# The front door. `make demo` and `make check` are all that a fresh Debian 12 needs.

BUILD ?= build
# The FFmpeg of vm-check: 7.1, 8.1 or 9.0, or several.
VERSION = 9.0
JOBS ?= $(shell nproc)

.PHONY: all deps build library ffmpeg demo check quick-check vm-check bench bench-vaapi emulate-amd kernel-resources rocm-check lint format install clean distclean

all: build

deps:
	@tools/install-deps.sh

$(BUILD)/build.ninja: | deps
	meson setup $(BUILD)

build: $(BUILD)/build.ninja
	ninja -j$(JOBS) -C $(BUILD)

# The library and its runtimes, without the tests.
library: $(BUILD)/build.ninja
	ninja -j$(JOBS) -C $(BUILD) library

# FFmpeg with the filter: build/ffmpeg-7.1/ffmpeg, build/ffmpeg-8.1/ffmpeg, build/ffmpeg-9.0/ffmpeg.
# FFMPEG_SRC=dir patches that tree instead.
ffmpeg: library
	ffmpeg-patches/build.sh

# Scores an encode of natural pictures and shows where the scores are.
demo: library
	tools/demo.sh

# Every suite; the last line is "N passed, N failed".
check: build
	tools/check.sh

# Unit tests and golden scores alone.
quick-check: build
	tools/check.sh unit

# Library and filter on real dma-bufs and sync_files, in a Debian kernel under QEMU's emulation.
# The VA driver's decoders come from 7.1.
vm-check: build
	OPTFLAGS=-O1 ffmpeg-patches/build.sh 7.1 $(filter-out 7.1,$(VERSION))
	tools/check.sh vm $(foreach v,$(VERSION),vaapi_vm_$(subst .,,$(v)))

# Speed next to libvmaf, to build/bench.md; BENCH=--quick for a trial.
bench: build
	tools/bench.sh $(BENCH)

# The AMD code objects in an instruction emulator (TINYGRAD=checkout), docs/emulation.md. It goes on where
# it was stopped.
emulate-amd: build
	tools/emulate-amd.sh $(BUILD) $(EMULATE)

# Registers, tile memory and occupancy of every kernel on every AMD target, to docs/kernel-resources.md.
kernel-resources: $(BUILD)/build.ninja
	ninja -j$(JOBS) -C $(BUILD) tests/images/kernel_resources
	$(BUILD)/tests/images/kernel_resources > docs/kernel-resources.md.new
	mv docs/kernel-resources.md.new docs/kernel-resources.md

# The ROCm of newer Debian suites, fetched into the cache and not installed; ROCM="forky sid" for others.
rocm-check: build
	tests/rocm/rocm-check.sh $(BUILD) $(ROCM)

# Ways from VAAPI's decoders to a score, on a machine with a GPU, to build/bench-vaapi.md;
# BENCH="--clip FILE --device NODE" and others: tools/bench-vaapi.sh --help.
bench-vaapi: ffmpeg
	tools/bench-vaapi.sh $(BENCH)

lint: build
	tools/lint.sh

format:
	git ls-files '*.h' '*.c' '*.cc' '*.cpp' | grep -v '^filters/\|^fate/' | xargs clang-format-19 -i

install: build
	meson install -C $(BUILD)

clean:
	rm -rf $(BUILD) build-*

distclean: clean
	rm -rf .cache
