/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernels that read tiled planes, on every x86-64 image and with the tile shapes of GPUs: what
 * they make of a tiled picture is the linear picture.
 */
#include <cstring>
#include <set>

#include "kernels/direct_runner.h"
#include "kernels/planarise_tiled.h"
#include "tiling/golden_tiling.h"
#include "tiling/tiling.h"

#include "check_text.h"

using namespace tiling_test;
using namespace vmafx;
using vmafx_test::DirectRunner;

namespace
{

constexpr uint8_t kUntouched = 0xcc;

/** A plane that is written, with bytes around it that must not be. */
class Target
{
  public:
    Target(uint32_t width, uint32_t height, uint32_t sample_bytes)
        : row_bytes_(size_t{width} * sample_bytes), rows_(height), pitch_((row_bytes_ + 3) / 4 * 4),
          words_(kMargin + pitch_ * rows_ / 4 + kMargin, 0x01010101u * kUntouched)
    {
    }
    TargetPlane plane() { return {words_.data() + kMargin, pitch_}; }
    const uint8_t *row(size_t y) const
    {
        return reinterpret_cast<const uint8_t *>(words_.data() + kMargin) + y * pitch_;
    }
    unsigned sample(size_t x, size_t y, uint32_t bytes) const
    {
        const uint8_t *at = row(y) + x * bytes;
        return bytes == 1 ? at[0] : at[0] | at[1] << 8;
    }
    bool margins_untouched() const
    {
        for (size_t i = 0; i < kMargin; ++i)
            if (words_[i] != 0x01010101u * kUntouched ||
                words_[words_.size() - 1 - i] != 0x01010101u * kUntouched)
                return false;
        return true;
    }

  private:
    static constexpr size_t kMargin = 64; /* words */
    size_t row_bytes_, rows_, pitch_;
    std::vector<uint32_t> words_;
};

/** Sample `part` of the element at (x, y) of a plane in linear memory, shifted. */
unsigned expected(const std::vector<uint8_t> &linear, const PicturePlane &plane, size_t x, size_t y,
                  size_t part, SampleLayout samples)
{
    const uint8_t *at = linear.data() + plane.offset + y * plane.pitch + x * plane.element_bytes +
                        part * samples.bytes;
    return (samples.bytes == 1 ? at[0] : at[0] | at[1] << 8) >> samples.shift;
}

struct Picture {
    PictureFile file, linear_file;
    std::vector<uint8_t> bytes, linear;

    SampleLayout samples() const
    {
        return file.format == "NV12" ? SampleLayout{1, 0} : SampleLayout{2, 6};
    }
};

std::vector<Picture> all_pictures()
{
    const GoldenTiling golden = GoldenTiling::find();
    std::vector<Picture> pictures;
    for (const PictureFile &file : golden.tiled()) {
        const PictureFile linear = golden.linear_of(file);
        pictures.push_back({file, linear, golden.read(file), golden.read(linear)});
    }
    return pictures;
}

/** Converts one plane; true if it is the linear one. */
bool converts(DirectRunner &runner, const Picture &picture, size_t index, const TileLayout &layout)
{
    const PicturePlane &plane = picture.file.planes[index];
    const PicturePlane &linear = picture.linear_file.planes[index];
    const SampleLayout samples = picture.samples();
    const TiledPlane source = {{picture.bytes.data() + plane.offset, plane.pitch}, &layout};
    const size_t parts = plane.element_bytes / samples.bytes;
    std::vector<Target> targets(parts, Target(plane.width, plane.height, samples.bytes));
    const TiledPlanariser planariser(runner);
    if (parts == 1)
        planariser.copy(runner, source, samples, targets[0].plane(), plane.width, plane.height);
    else
        planariser.split(runner, source, samples, targets[0].plane(), targets[1].plane(),
                         plane.width, plane.height);
    for (size_t part = 0; part < parts; ++part) {
        ck_assert(targets[part].margins_untouched());
        for (size_t y = 0; y < plane.height; ++y)
            for (size_t x = 0; x < plane.width; ++x)
                if (targets[part].sample(x, y, samples.bytes) !=
                    expected(picture.linear, linear, x, y, part, samples))
                    return false;
    }
    return true;
}

TileLayout layout_of(const Picture &picture, size_t index)
{
    const auto layout =
        tiling::tiling_of(picture.file.modifier, picture.file.planes[index].element_bytes);
    ck_assert_msg(layout.has_value(), "%s: plane %zu", picture.file.name.c_str(), index);
    return *layout;
}

} // namespace

START_TEST(tiled_is_linear)
{
    std::set<uint64_t> modifiers;
    const std::vector<Picture> pictures = all_pictures();
    for (const std::string &name : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(name);
        for (const Picture &picture : pictures) {
            for (size_t i = 0; i < picture.file.planes.size(); ++i)
                ck_assert_msg(converts(*runner, picture, i, layout_of(picture, i)),
                              "%s, plane %zu, on %s", picture.file.name.c_str(), i, name.c_str());
            modifiers.insert(picture.file.modifier);
        }
    }
    ck_assert_uint_eq(modifiers.size(), 25);
}
END_TEST

/* A wrong bit in the equations, and coordinates cut to the block, give another picture. */
START_TEST(mistakes_are_seen)
{
    const auto runner = DirectRunner::of_name("x86-64-v2");
    size_t cut = 0;
    for (const Picture &picture : all_pictures()) {
        for (size_t i = 0; i < picture.file.planes.size(); ++i) {
            const TileLayout right = layout_of(picture, i);
            TileLayout wrong = right;
            wrong.flips_y[3] ^= 1u << (right.block_bits - 1);
            ck_assert(!converts(*runner, picture, i, wrong));
            if (picture.file.planes[i].width <= 1u << right.width_bits ||
                right.flips_x[right.width_bits] == 0)
                continue;
            wrong = right;
            wrong.flips_x[right.width_bits] = 0;
            ck_assert(!converts(*runner, picture, i, wrong));
            ++cut;
        }
    }
    ck_assert_uint_gt(cut, 10);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("pictures");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, tiled_is_linear);
    tcase_add_test(tcase, mistakes_are_seen);
    return run_tests(tcase, "pictures");
}
