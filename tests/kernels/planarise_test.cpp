/* SPDX-License-Identifier: BSD-2-Clause */
#include <numeric>

#include "kernels/direct_runner.h"
#include "kernels/planarise.h"

#include "check_text.h"

using namespace vmafx;
using namespace vmafx_test;

constexpr uint8_t kUntouched = 0xee;

/** A plane inside of a larger buffer, at an odd place and with an odd pitch if asked for. */
struct Buffer {
    std::vector<uint8_t> bytes;
    size_t offset, pitch, row_bytes, rows;

    Buffer(size_t row_bytes_, size_t rows_, size_t offset_, size_t padding)
        : bytes(offset_ + (row_bytes_ + padding) * rows_ + 7, kUntouched), offset(offset_),
          pitch(row_bytes_ + padding), row_bytes(row_bytes_), rows(rows_)
    {
    }
    uint8_t &at(size_t y, size_t byte) { return bytes[offset + y * pitch + byte]; }
    void put16(size_t y, size_t x, unsigned value)
    {
        at(y, 2 * x) = static_cast<uint8_t>(value);
        at(y, 2 * x + 1) = static_cast<uint8_t>(value >> 8);
    }
    unsigned get16(size_t y, size_t x)
    {
        return at(y, 2 * x) | static_cast<unsigned>(at(y, 2 * x + 1)) << 8;
    }
    PlaneView view() const { return {bytes.data() + offset, pitch}; }
    TargetPlane target() { return {bytes.data() + offset, pitch}; }

    /** Bytes that lie in no row still hold what they held. */
    bool frame_untouched() const
    {
        for (size_t i = 0; i < bytes.size(); ++i) {
            const bool before = i < offset, after = i >= offset + rows * pitch;
            const bool padding = !before && (i - offset) % pitch >= row_bytes;
            if ((before || after || padding) && bytes[i] != kUntouched)
                return false;
        }
        return true;
    }
};

/* Sizes around the tile shapes, odd ones among them. */
static const uint32_t sizes[][2] = {{1, 1}, {161, 89}, {1025, 17}, {33, 8}, {2048, 3}};

template <class Body> static void on_every_image(Body body)
{
    for (const std::string &name : DirectRunner::names()) {
        const auto runner = DirectRunner::of_name(name);
        const Planariser planariser(*runner);
        for (const auto &size : sizes) {
            for (const size_t odd : {0, 1})
                body(*runner, planariser, size[0], size[1], odd);
        }
    }
}

START_TEST(bytes_are_split)
{
    on_every_image(
        [](DirectRunner &runner, const Planariser &planariser, uint32_t w, uint32_t h, size_t odd) {
            Buffer source(2 * w, h, odd, 5 * odd), cb(w, h, 3 * odd, odd), cr(w, h, odd, 3 * odd);
            for (size_t y = 0; y < h; ++y) {
                for (size_t x = 0; x < w; ++x) {
                    source.at(y, 2 * x) = static_cast<uint8_t>(3 * x + 7 * y);
                    source.at(y, 2 * x + 1) = static_cast<uint8_t>(251 - 5 * x + y);
                }
            }
            planariser.split(runner, source.view(), {1, 0}, cb.target(), cr.target(), w, h);
            for (size_t y = 0; y < h; ++y) {
                for (size_t x = 0; x < w; ++x) {
                    ck_assert_uint_eq(cb.at(y, x), static_cast<uint8_t>(3 * x + 7 * y));
                    ck_assert_uint_eq(cr.at(y, x), static_cast<uint8_t>(251 - 5 * x + y));
                }
            }
            ck_assert(cb.frame_untouched() && cr.frame_untouched());
        });
}
END_TEST

START_TEST(words_are_split_and_shifted)
{
    on_every_image(
        [](DirectRunner &runner, const Planariser &planariser, uint32_t w, uint32_t h, size_t odd) {
            for (const uint32_t shift : {0u, 4u, 6u}) {
                Buffer source(4 * w, h, odd, 5 * odd);
                Buffer cb(2 * w, h, 3 * odd, odd), cr(2 * w, h, odd, 3 * odd);
                const unsigned mask = 0xffffu >> shift, low = (1u << shift) - 1;
                const auto first = [&](size_t y, size_t x) { return (61 * x + 1009 * y) & mask; };
                const auto second = [&](size_t y, size_t x) { return (65535 - 37 * x - y) & mask; };
                for (size_t y = 0; y < h; ++y) {
                    for (size_t x = 0; x < w; ++x) {
                        /* The bits below the value may hold anything. */
                        source.put16(y, 2 * x, static_cast<unsigned>(first(y, x) << shift | low));
                        source.put16(y, 2 * x + 1, static_cast<unsigned>(second(y, x) << shift));
                    }
                }
                planariser.split(runner, source.view(), {2, shift}, cb.target(), cr.target(), w, h);
                for (size_t y = 0; y < h; ++y) {
                    for (size_t x = 0; x < w; ++x) {
                        ck_assert_uint_eq(cb.get16(y, x), first(y, x));
                        ck_assert_uint_eq(cr.get16(y, x), second(y, x));
                    }
                }
                ck_assert(cb.frame_untouched() && cr.frame_untouched());
            }
        });
}
END_TEST

START_TEST(words_are_shifted)
{
    on_every_image(
        [](DirectRunner &runner, const Planariser &planariser, uint32_t w, uint32_t h, size_t odd) {
            Buffer source(2 * w, h, 3 * odd, odd), target(2 * w, h, odd, 3 * odd);
            for (size_t y = 0; y < h; ++y) {
                for (size_t x = 0; x < w; ++x)
                    source.put16(y, x, static_cast<unsigned>(((5 * x + 77 * y) & 1023) << 6 | 21));
            }
            planariser.shift(runner, source.view(), 6, target.target(), w, h);
            for (size_t y = 0; y < h; ++y) {
                for (size_t x = 0; x < w; ++x)
                    ck_assert_uint_eq(target.get16(y, x), (5 * x + 77 * y) & 1023);
            }
            ck_assert(target.frame_untouched());
        });
}
END_TEST

int main()
{
    TCase *tcase = tcase_create("planarise");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, bytes_are_split);
    tcase_add_test(tcase, words_are_split_and_shifted);
    tcase_add_test(tcase, words_are_shifted);
    return run_tests(tcase, "planarise");
}
