/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which modifiers are taken, which refused and why, and that every one that is taken puts each
 * element of a plane into a place of its own.
 */
#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <vector>

#include "kernels/planarise_tiled_kernels.h"
#include "tiling/tiling.h"

#include "check_text.h"

using namespace vmafx::tiling;

namespace
{

constexpr uint64_t kAmd = UINT64_C(2) << 56;
constexpr uint32_t kElementBytes[] = {1, 2, 4};

uint64_t field(uint64_t value, int first)
{
    return value << first;
}

void check_refused(uint64_t modifier, uint32_t element_bytes, const char *word)
{
    std::string reason;
    ck_assert_msg(!tiling_of(modifier, element_bytes, &reason), "0x%016llx, %u bytes is taken",
                  static_cast<unsigned long long>(modifier), element_bytes);
    ck_assert_msg(reason.find(word) != std::string::npos, "0x%016llx: \"%s\", expected \"%s\"",
                  static_cast<unsigned long long>(modifier), reason.c_str(), word);
}

/** Calls use(modifier) with every value of the fields that uncompressed tiles have. */
void every_tile(const std::function<void(uint64_t)> &use)
{
    for (uint64_t version = 0; version <= 6; ++version)
        for (uint64_t tile = 0; tile < 32; ++tile)
            for (uint64_t numbers = 0; numbers < 512; ++numbers)
                use(kAmd | version | field(tile, 8) | field(numbers, 21));
}

bool less(const TileLayout &a, const TileLayout &b)
{
    return std::memcmp(&a, &b, sizeof a) < 0;
}

using Layouts = std::set<TileLayout, bool (*)(const TileLayout &, const TileLayout &)>;

/** All that can be read, equal ones once. */
Layouts every_layout()
{
    Layouts layouts(less);
    every_tile([&](uint64_t modifier) {
        for (const uint32_t bytes : kElementBytes)
            if (const auto layout = tiling_of(modifier, bytes))
                layouts.insert(*layout);
    });
    return layouts;
}

/* Loops over elements gather what they see: an assertion is a write to a pipe. */

/** true if the elements of the block at (bx, by) fill the block's bytes, each one its own place. */
bool fills_block(const TileLayout &layout, uint32_t bx, uint32_t by)
{
    const uint32_t width = 1u << layout.width_bits, height = 1u << layout.height_bits;
    const uint64_t blocks_per_row = bx + 2;
    const uint64_t pitch = blocks_per_row * block_row_bytes(layout);
    const uint64_t start = (by * blocks_per_row + bx) << layout.block_bits;
    std::vector<bool> taken(size_t{1} << (layout.block_bits - layout.element_bits));
    for (uint32_t y = by * height; y < (by + 1) * height; ++y) {
        for (uint32_t x = bx * width; x < (bx + 1) * width; ++x) {
            const uint64_t at = element_offset(layout, pitch, x, y) - start;
            const uint64_t place = at >> layout.element_bits;
            if (place << layout.element_bits != at || place >= taken.size() || taken[place])
                return false;
            taken[place] = true;
        }
    }
    return taken.size() == size_t{width} * height;
}

/** true if the elements of every unit of four bytes are neighbours in a row. */
bool has_units(const TileLayout &layout)
{
    const uint64_t pitch = 9 * block_row_bytes(layout);
    const uint32_t elements = kTiledUnitBytes >> layout.element_bits;
    for (uint32_t y = 0; y < 700; y += 37)
        for (uint32_t x = 0; x < 700; x += elements)
            for (uint32_t i = 1; i < elements; ++i)
                if (element_offset(layout, pitch, x + i, y) !=
                    element_offset(layout, pitch, x, y) + (i << layout.element_bits))
                    return false;
    return true;
}

} // namespace

START_TEST(refusals_say_why)
{
    check_refused(0, 1, "not tiled");
    check_refused(UINT64_C(0x00ffffffffffffff), 1, "does not say");
    check_refused(UINT64_C(0x0100000000000002), 1, "AMD");
    check_refused(UINT64_C(0x0300000000e08014), 1, "AMD");
    check_refused(UINT64_C(0xff00000000000000), 1, "AMD");
    /* GFX12 decodes into these. */
    check_refused(UINT64_C(0x0200000000082305), 1, "compressed");
    check_refused(UINT64_C(0x0200000000042305), 2, "compressed");
    /* Fields that must be zero. */
    check_refused(kAmd | 0x905 << 0, 1, "tile");
    check_refused(UINT64_C(0x0200000000000901) | field(1, 36), 1, "reserved");
    check_refused(UINT64_C(0x0200000000000901) | field(1, 55), 1, "reserved");
    for (const int bit : {14, 15, 16, 17, 18, 19, 20, 30, 32, 33, 35})
        check_refused(UINT64_C(0x0200000000000305) | field(1, bit), 1, "compression");
    check_refused(UINT64_C(0x0200000000000901) | field(1, 21), 1, "pipes");
    check_refused(UINT64_C(0x0200000000000305) | field(1, 23), 1, "pipes");
    check_refused(UINT64_C(0x0200000000000901) | field(1, 24), 1, "banks");
    check_refused(UINT64_C(0x0200000018601b03) | field(1, 26), 1, "banks");
    check_refused(UINT64_C(0x0200000000801b02) | field(1, 27), 1, "packers");
    check_refused(UINT64_C(0x0200000000001901) | field(1, 29), 1, "packers");
    /* Numbers without a row in the tables. */
    check_refused(UINT64_C(0x0200000000a01b02), 1, "pipes and packers");
    check_refused(UINT64_C(0x0200000018401b04), 1, "pipes and packers");
    check_refused(UINT64_C(0x0200000000e01f04), 1, "pipes and packers");
    /* 256K_R_X is GFX11's. */
    check_refused(UINT64_C(0x0200000028a01f03), 1, "tile");
    check_refused(UINT64_C(0x0200000000000900), 1, "tile");
    check_refused(UINT64_C(0x0200000000000906), 1, "tile");
    for (const uint32_t bytes : {0u, 3u, 8u, 16u, UINT32_MAX})
        check_refused(UINT64_C(0x0200000000000901), bytes, "elements");
}
END_TEST

/* One name, three orders: which one, the modifier does not say. */
START_TEST(ambiguous_tile_is_refused)
{
    constexpr uint64_t k64KD = UINT64_C(0x0200000000000a01);
    ck_assert(tiling_of(k64KD, 1) && tiling_of(k64KD, 2));
    check_refused(k64KD, 4, "generation");
    ck_assert(tiling_of(UINT64_C(0x0200000000000a04), 4));
}
END_TEST

START_TEST(two_names_of_one_layout)
{
    for (const uint32_t bytes : kElementBytes) {
        const auto gfx11 = tiling_of(UINT64_C(0x0200000000000a04), bytes);
        const auto gfx12 = tiling_of(UINT64_C(0x0200000000000305), bytes);
        ck_assert(std::memcmp(&*gfx11, &*gfx12, sizeof *gfx11) == 0);
    }
}
END_TEST

START_TEST(usual_modifiers_are_read)
{
    ck_assert_uint_eq(usual_modifiers()[0], 0);
    for (const uint64_t modifier : usual_modifiers().subspan(1))
        for (const uint32_t bytes : kElementBytes)
            ck_assert(tiling_of(modifier, bytes));
    const std::set<uint64_t> distinct(usual_modifiers().begin(), usual_modifiers().end());
    ck_assert_uint_eq(distinct.size(), usual_modifiers().size());
}
END_TEST

START_TEST(modifiers_in_words)
{
    const struct {
        uint64_t modifier;
        const char *text;
    } cases[] = {
        {0, "linear"},
        {UINT64_C(0x0200000000000901), "AMD GFX9 64K_S"},
        {UINT64_C(0x0200000004801a01), "AMD GFX9 64K_D_X, 16 pipes, 16 banks"},
        {UINT64_C(0x0200000000801b02), "AMD GFX10 64K_R_X, 16 pipes"},
        {UINT64_C(0x0200000018601b03), "AMD GFX10.3 64K_R_X, 8 pipes, 8 packers"},
        {UINT64_C(0x0200000028a01f04), "AMD GFX11 256K_R_X, 32 pipes, 32 packers"},
        {UINT64_C(0x0200000000000305), "AMD GFX12 64K_2D"},
        {UINT64_C(0x0200000000082305),
         "AMD GFX12 64K_2D, compressed (DCC, blocks of up to 256 bytes)"},
        {UINT64_C(0x0200000000001104), "AMD GFX11 tile 17"},
        {UINT64_C(0x0200000000000309), "AMD version 9 tile 3"},
        {UINT64_C(0x0200000000000000), "AMD GFX8 or older tile 0"},
        {UINT64_C(0x0100000000000002), "Intel layout 0x2"},
        {UINT64_C(0x0300000000e08014), "NVIDIA layout 0xe08014"},
        {UINT64_C(0xee00000000000001), "layout 0x1 of unknown vendor 0xee"},
    };
    for (const auto &c : cases)
        assert_text(describe_modifier(c.modifier), c.text);
    ck_assert(describe_modifier(UINT64_C(0x00ffffffffffffff)).starts_with("INVALID"));
}
END_TEST

START_TEST(every_block_is_filled)
{
    const Layouts layouts = every_layout();
    ck_assert_uint_gt(layouts.size(), 200);
    uint32_t seed = 0;
    for (const TileLayout &layout : layouts) {
        ++seed;
        ck_assert(fills_block(layout, seed % 7, seed % 5));
    }
}
END_TEST

/* Kernels read units of four bytes. */
START_TEST(units_are_pieces_of_rows)
{
    for (const TileLayout &layout : every_layout())
        ck_assert(has_units(layout));
}
END_TEST

/* The largest planes: nothing lies outside, and blocks lie row by row. */
START_TEST(offsets_stay_in_the_plane)
{
    std::mt19937 random(1);
    for (const TileLayout &layout : every_layout()) {
        const uint32_t width = 1 + random() % 32768, height = 1 + random() % 32768;
        const uint64_t pitch =
            (uint64_t{width << layout.element_bits} / block_row_bytes(layout) + 1 + random() % 3) *
            block_row_bytes(layout);
        const uint64_t size = pitch * padded_rows(layout, height);
        ck_assert_uint_eq(size & ((UINT64_C(1) << layout.block_bits) - 1), 0);
        uint64_t end = 0;
        for (int i = 0; i < 50; ++i) {
            const uint32_t x = i ? random() % width : width - 1;
            const uint32_t y = i ? random() % height : height - 1;
            const uint64_t at = element_offset(layout, pitch, x, y);
            end = std::max(end, at + (1u << layout.element_bits));
        }
        ck_assert_uint_le(end, size);
    }
}
END_TEST

/* Two-plane surfaces as VAAPI exported them on real GPUs: the second plane begins where the first
 * one's tiles end, and the object ends with its own. */
START_TEST(surfaces_that_were_measured)
{
    constexpr uint64_t kGfx1103 = UINT64_C(0x0200000010401b04);
    constexpr uint64_t k64KS = UINT64_C(0x0200000000000901);
    const struct {
        uint64_t modifier;
        uint32_t sample_bytes, height;
        uint64_t luma_pitch, chroma_pitch, chroma_offset, size; /* size 0: not known */
    } surfaces[] = {
        {kGfx1103, 1, 2160, 3840, 4096, 8847360, 13565952},
        {kGfx1103, 1, 2160, 4096, 4096, 9437184, 14155776},
        {kGfx1103, 1, 1440, 2560, 2560, 3932160, 5898240},
        {kGfx1103, 1, 1080, 2048, 2048, 2621440, 3932160},
        {kGfx1103, 1, 720, 1280, 1536, 983040, 1572864},
        {kGfx1103, 2, 2160, 7680, 7680, 16711680, 25559040},
        {k64KS, 1, 1080, 2048, 2048, 2621440, 0},
    };
    for (const auto &s : surfaces) {
        const auto luma = tiling_of(s.modifier, s.sample_bytes);
        const auto chroma = tiling_of(s.modifier, 2 * s.sample_bytes);
        ck_assert(luma && chroma);
        ck_assert_uint_eq(s.luma_pitch % block_row_bytes(*luma), 0);
        ck_assert_uint_eq(s.chroma_pitch % block_row_bytes(*chroma), 0);
        ck_assert_uint_eq(s.luma_pitch * padded_rows(*luma, s.height), s.chroma_offset);
        const uint64_t end = s.chroma_offset + s.chroma_pitch * padded_rows(*chroma, s.height / 2);
        if (s.size)
            ck_assert_uint_eq(end, s.size);
    }
}
END_TEST

START_TEST(any_value_is_answered)
{
    std::mt19937_64 random(2);
    constexpr int kValues = 200000;
    int answered = 0;
    for (int i = 0; i < kValues; ++i) {
        uint64_t modifier = random();
        if (i % 4)
            modifier = kAmd | (modifier & 0xffffffff) >> (i % 24);
        const auto bytes = static_cast<uint32_t>(i % 9);
        std::string reason;
        const auto layout = tiling_of(modifier, bytes, &reason);
        answered += layout.has_value() == reason.empty() && !describe_modifier(modifier).empty() &&
                    *advice_for(modifier);
    }
    ck_assert_int_eq(answered, kValues);
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("modifiers");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, refusals_say_why);
    tcase_add_test(tcase, ambiguous_tile_is_refused);
    tcase_add_test(tcase, two_names_of_one_layout);
    tcase_add_test(tcase, usual_modifiers_are_read);
    tcase_add_test(tcase, modifiers_in_words);
    tcase_add_test(tcase, every_block_is_filled);
    tcase_add_test(tcase, units_are_pieces_of_rows);
    tcase_add_test(tcase, offsets_stay_in_the_plane);
    tcase_add_test(tcase, surfaces_that_were_measured);
    tcase_add_test(tcase, any_value_is_answered);
    return run_tests(tcase, "modifiers");
}
