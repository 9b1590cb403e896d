#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# vaapi-vm.sh RELEASE
#
# fate/vaapi-check.sh in the guest of tests/kernel, and FATE's tests of surfaces: these are dma-bufs of
# vgem, which carry fences. Streams and their scores are made here before, where that is quicker.
#
#   FFMPEG_BUILD   where the ffmpeg-RELEASE folders are (default: build)
#   VMAFX_BUILD    meson's build folder of libvmafx (default: build)
#   TESTS          which tests of vaapi-check.sh (default: those of a guest)
set -euo pipefail

release=${1:?usage: vaapi-vm.sh RELEASE}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
out=${FFMPEG_BUILD:-$root/build}
library=${VMAFX_BUILD:-$root/build}
work=$out/vaapi-vm
guest=$work/root
ffmpeg=$out/ffmpeg-$release

started=$(date +%s)
kernel=$("$root/tests/kernel/fetch-kernel.sh")
"$root/tests/va-driver/build.sh"
"$here/drm/build.sh" "$release" "$work/drm_check"
module=$("$root/tests/kernel/build-module.sh" "$kernel" "$work")
rm -rf "$guest"
mkdir -p "$guest"/{fate,modules,tools,streams,build/va-driver,build/ffmpeg-"$release"/source/tests/ref/fate}
KEEP=$guest/streams "$here/vaapi-check.sh" "$release"
cp "$here"/{vaapi-check,verdicts}.sh "$guest/fate/"
cp "$root/tools/bench-vaapi.sh" "$guest/tools/"
ln -s /lib/vmafxtest_drv_video.so /bin/calls_check "$guest/build/va-driver/"
ln -s /bin/ffmpeg "$guest/build/ffmpeg-$release/"
cp "$module" "$guest/modules/99-test_fence.ko"
ln -s source "$guest/build/ffmpeg-$release/src"
"$root/ffmpeg-patches/apply.sh" "$ffmpeg/source" >/dev/null
COMMANDS=1 "$here/run.sh" "$release" | sed "s|$(realpath "$ffmpeg")|/build/ffmpeg-$release|g" >"$guest/streams/fate-commands"
cp -r "$ffmpeg"/source/tests/{fate-run.sh,md5.sh,vmafx-hip} "$guest/build/ffmpeg-$release/source/tests/"
cp "$ffmpeg"/source/tests/ref/fate/vmafx-hip-vaapi-* "$guest/build/ffmpeg-$release/source/tests/ref/fate/"
cat >"$guest/run-tests" <<EOF
#!/bin/bash
GUEST=/streams TESTS="${TESTS:-}" exec /fate/vaapi-check.sh $release
EOF
chmod +x "$guest/run-tests"
"$root/tests/kernel/make-initramfs.sh" "$kernel" "$guest" "$work/initramfs.cpio" /bin/bash "$ffmpeg/ffmpeg" \
    "$library/libvmafx/runtimes/cpu/libvmafx-hip-cpu.so.0" "$out/va-driver/vmafxtest_drv_video.so" "$out/va-driver/calls_check" "$work/drm_check"

status=0
VMAFX_VM_TIMEOUT=${VMAFX_VM_TIMEOUT:-1500} "$root/tests/kernel/boot.sh" "$kernel" "$work/initramfs.cpio" "$work/serial.log" tests=/run-tests || status=$?
echo "vaapi-vm.sh: $(($(date +%s) - started)) s"
exit "$status"
