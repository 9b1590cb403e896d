/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where every element of a plane lies, against digests of what AMD's library says.
 * maps_test [all]: without "all", planes above half a million elements are left out but for those
 * of the least elements, which have the most coordinate bits.
 */
#include <bit>
#include <cstring>
#include <set>

#include "support/sha256.h"
#include "tiling/golden_tiling.h"
#include "tiling/tiling.h"

#include "check_text.h"

using namespace tiling_test;
using namespace vmafx::tiling;

static bool all_maps;

constexpr uint64_t kSmallMap = 600000; /* elements */
constexpr uint32_t kTall = 4400;       /* rows of the map that has all row bits */

static TileLayout layout_of(const AddressMap &map)
{
    std::string reason;
    const auto layout = tiling_of(map.modifier, map.element_bytes, &reason);
    ck_assert_msg(layout.has_value(), "0x%016llx, %u bytes: %s",
                  static_cast<unsigned long long>(map.modifier), map.element_bytes, reason.c_str());
    return *layout;
}

/** Digest of all offsets, from those of the first row and the first column: within a block they
 *  combine by exclusive or, blocks by sums. */
static std::string digest_of(const TileLayout &layout, const AddressMap &map)
{
    const uint64_t low = (UINT64_C(1) << layout.block_bits) - 1;
    std::vector<uint64_t> columns(map.width);
    for (uint32_t x = 0; x < map.width; ++x)
        columns[x] = element_offset(layout, map.pitch, x, 0);
    std::vector<uint32_t> offsets(map.width);
    bool equal = true; /* to what is asked for one by one */
    support::Sha256 digest;
    for (uint32_t y = 0; y < map.height; ++y) {
        const uint64_t row = element_offset(layout, map.pitch, 0, y);
        for (uint32_t x = 0; x < map.width; ++x)
            offsets[x] = static_cast<uint32_t>((columns[x] & ~low) + (row & ~low) +
                                               ((columns[x] ^ row) & low));
        digest.add({reinterpret_cast<const uint8_t *>(offsets.data()), 4 * offsets.size()});
        const uint32_t x = y * 7919 % map.width;
        equal = equal && offsets[x] == element_offset(layout, map.pitch, x, y);
    }
    ck_assert(equal);
    return digest.finish();
}

START_TEST(digest_of_known_text)
{
    support::Sha256 digest;
    const std::string text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    digest.add({reinterpret_cast<const uint8_t *>(text.data()), text.size()});
    assert_text(digest.finish(),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}
END_TEST

START_TEST(maps_are_those_of_the_oracle)
{
    std::set<uint64_t> modifiers;
    for (const AddressMap &map : GoldenTiling::find().address_maps()) {
        const bool tall = map.element_bytes == 1 && map.height == kTall;
        if (!all_maps && uint64_t{map.width} * map.height > kSmallMap && !tall)
            continue;
        const TileLayout layout = layout_of(map);
        ck_assert_uint_eq(map.pitch % block_row_bytes(layout), 0);
        ck_assert_uint_eq(padded_rows(layout, map.height), map.padded_height);
        const std::string digest = digest_of(layout, map);
        ck_assert_msg(digest == map.sha256, "0x%016llx, %u bytes, %ux%u",
                      static_cast<unsigned long long>(map.modifier), map.element_bytes, map.width,
                      map.height);
        modifiers.insert(map.modifier);
    }
    ck_assert_uint_eq(modifiers.size(), 41);
}
END_TEST

/** Calls use(layout, what) with each layout that differs in one coordinate bit of one address bit,
 *  among the coordinates of a plane. */
template <class Use>
static void with_mistakes(const TileLayout &right, const AddressMap &map, Use use)
{
    for (int i = 0; i < kTileCoordinateBits; ++i) {
        for (int bit = right.element_bits; bit < right.block_bits; ++bit) {
            TileLayout wrong = right;
            wrong.flips_x[i] ^= 1u << bit;
            if (map.width > 1u << i)
                use(wrong, "x" + std::to_string(i) + " in bit " + std::to_string(bit));
            wrong = right;
            wrong.flips_y[i] ^= 1u << bit;
            if (map.height > 1u << i)
                use(wrong, "y" + std::to_string(i) + " in bit " + std::to_string(bit));
        }
    }
}

/* Any single mistake in a table changes the digest: what the test above says is worth something. */
START_TEST(mistakes_are_seen)
{
    size_t mistakes = 0;
    for (const AddressMap &map : GoldenTiling::find().address_maps()) {
        const bool chosen = map.width == 300 && (map.modifier == UINT64_C(0x0200000000000901) ||
                                                 map.modifier == UINT64_C(0x0200000028a01f04));
        if (!chosen)
            continue;
        with_mistakes(layout_of(map), map, [&](const TileLayout &wrong, const std::string &what) {
            ck_assert_msg(digest_of(wrong, map) != map.sha256, "%s goes unseen", what.c_str());
            ++mistakes;
        });
    }
    ck_assert_uint_gt(mistakes, 1000);
}
END_TEST

int main(int argc, char **argv)
{
    all_maps = argc > 1 && std::strcmp(argv[1], "all") == 0;
    TCase *tcase = tcase_create("maps");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, digest_of_known_text);
    tcase_add_test(tcase, maps_are_those_of_the_oracle);
    tcase_add_test(tcase, mistakes_are_seen);
    return run_tests(tcase, "maps");
}
