/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/ssimulacra2/ssimulacra2_colour.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/failure.h"

namespace vmafx
{

/** Weights of red and blue in luma, and the code points that have them. */
struct NamedMatrix {
    const char *name;
    double red, blue;
    std::vector<uint32_t> code_points;
};

/** linear = v * slope up to the toe, above it (v * scale + offset) to a power. */
struct NamedCurve {
    const char *name;
    Ssimulacra2Root root;
    double toe, slope, scale, offset;
    std::vector<uint32_t> code_points;
};

namespace
{

constexpr double kOetfKnee = 0.018053968510807;
constexpr double kOetfScale = 1 + 5.5 * kOetfKnee;

const std::vector<NamedMatrix> &matrices()
{
    static const std::vector<NamedMatrix> table = {
        {"rgb", 0, 0, {kMatrixIdentity}},
        {"bt709", 0.2126, 0.0722, {1}},
        {"bt601", 0.299, 0.114, {5, 6}},
        {"bt2020", 0.2627, 0.0593, {9}},
    };
    return table;
}

/* Video of the BT.709 family is taken for sRGB, as when its pictures are extracted as PNG files. */
const std::vector<NamedCurve> &curves()
{
    static const std::vector<NamedCurve> table = {
        {"srgb",
         kSsimulacra2Fifth2,
         0.04045,
         1 / 12.92,
         1 / 1.055,
         0.055 / 1.055,
         {kUnspecifiedColour, 1, 6, 13, 14, 15}},
        {"bt709",
         kSsimulacra2Ninth2,
         4.5 * kOetfKnee,
         1 / 4.5,
         1 / kOetfScale,
         (kOetfScale - 1) / kOetfScale,
         {}},
        {"gamma22", kSsimulacra2Fifth, 0, 0, 1, 0, {4}},
        {"gamma24", kSsimulacra2Fifth2, 0, 0, 1, 0, {}},
        {"gamma28", kSsimulacra2Fifth4, 0, 0, 1, 0, {5}},
        {"linear", kSsimulacra2Fifth2, 2, 1, 1, 0, {8}},
    };
    return table;
}

template <class Row> const Row *find(const std::vector<Row> &table, const std::string &name)
{
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Row &row) { return row.name == name; });
    return found == table.end() ? nullptr : &*found;
}

template <class Row> const Row *find(const std::vector<Row> &table, uint32_t code_point)
{
    const auto found = std::find_if(table.begin(), table.end(), [&](const Row &row) {
        const auto &points = row.code_points;
        return std::find(points.begin(), points.end(), code_point) != points.end();
    });
    return found == table.end() ? nullptr : &*found;
}

template <class Row> std::string names_of(const std::vector<Row> &table)
{
    std::string names;
    for (const Row &row : table)
        names += std::string(", ") + row.name;
    return names;
}

[[noreturn]] void refuse_value(const char *option, const std::string &value,
                               const std::string &known)
{
    fail(VMAFX_E_INVALID, (std::string("options.") + option).c_str(),
         "value \"%.100s\" of option %s is none of %s", value.c_str(), option, known.c_str());
}

template <class Row>
const Row *chosen(const OptionSet &options, const char *option, const std::vector<Row> &table)
{
    const std::string &value = options.text(option);
    if (value == "auto")
        return nullptr;
    const Row *row = find(table, value);
    if (!row)
        refuse_value(option, value, "auto" + names_of(table));
    return row;
}

/** Of ISO/IEC 23091-2, for messages. */
const char *matrix_name(uint32_t code_point)
{
    switch (code_point) {
    case 4:
        return "FCC";
    case 7:
        return "SMPTE 240M";
    case 8:
        return "YCgCo";
    case 10:
        return "BT.2020 constant luminance";
    case 12:
    case 13:
        return "derived from primaries";
    case 14:
        return "ICtCp";
    default:
        return "another one";
    }
}

const char *transfer_name(uint32_t code_point)
{
    switch (code_point) {
    case 7:
        return "SMPTE 240M";
    case 9:
    case 10:
        return "logarithmic";
    case 11:
        return "IEC 61966-2-4";
    case 12:
        return "BT.1361";
    case 16:
        return "PQ";
    case 17:
        return "SMPTE 428";
    case 18:
        return "HLG";
    default:
        return "another one";
    }
}

/** Where nobody says anything, the size does. */
const NamedMatrix &usual_matrix(const PictureFormat &format)
{
    constexpr uint32_t kWide = 1280, kStandardRows = 576;
    const bool large = format.width >= kWide || format.height > kStandardRows;
    return *find(matrices(), large ? "bt709" : "bt601");
}

const NamedMatrix &matrix_of(const ColourOptions &options, const ColourTags &tags,
                             const PictureFormat &format, const char *which)
{
    if (format.chroma == Chroma::k400)
        return usual_matrix(format); /* grey is Y in all of them */
    const NamedMatrix *matrix = options.matrix;
    if (!matrix && tags.matrix == kUnspecifiedColour)
        return usual_matrix(format);
    if (!matrix)
        matrix = find(matrices(), tags.matrix);
    if (!matrix)
        fail(VMAFX_E_NOTSUP, which,
             "matrix %u (%s) of the %s picture is none that ssimulacra2 converts; convert the "
             "pictures, or choose one by option matrix (%s)",
             tags.matrix, matrix_name(tags.matrix), which, names_of(matrices()).c_str() + 2);
    if (matrix == &matrices()[0] && format.chroma != Chroma::k444)
        fail(VMAFX_E_INVALID, options.matrix ? "options.matrix" : which,
             "planes G, B and R (matrix rgb) of the %s picture have one size, that is layout "
             "4:4:4; choose the matrix by option matrix",
             which);
    return *matrix;
}

const NamedCurve &curve_of(const ColourOptions &options, const ColourTags &tags, const char *which)
{
    if (options.curve)
        return *options.curve;
    const NamedCurve *curve = find(curves(), tags.transfer);
    if (!curve)
        fail(VMAFX_E_NOTSUP, which,
             "transfer %u (%s) of the %s picture is none that ssimulacra2 converts; convert the "
             "pictures, or choose one by option transfer (%s)",
             tags.transfer, transfer_name(tags.transfer), which, names_of(curves()).c_str() + 2);
    return *curve;
}

bool is_full(const ColourOptions &options, const ColourTags &tags)
{
    const ColourRange range =
        options.range == ColourRange::kUnspecified ? tags.range : options.range;
    if (range != ColourRange::kUnspecified)
        return range == ColourRange::kFull;
    return options.matrix ? options.matrix == &matrices()[0] : tags.matrix == kMatrixIdentity;
}

/** From whole samples to R'G'B' of 0..1. */
Ssimulacra2Matrix conversion(const NamedMatrix &matrix, bool full, uint32_t bits)
{
    const double peak = (1u << bits) - 1, step = 1u << (bits - 8);
    const double black = full ? 0 : 16 * step;
    const double luma = full ? peak : 219 * step, chroma = full ? peak : 224 * step;
    const auto single = [](double value) { return static_cast<float>(value); };
    if (&matrix == &matrices()[0])
        return {single(black),   single(1 / luma), single(black), 0, single(1 / luma), 0, 0,
                single(1 / luma)};
    const double red = 2 * (1 - matrix.red), blue = 2 * (1 - matrix.blue);
    const double green = 1 - matrix.red - matrix.blue;
    return {single(black),
            single(1 / luma),
            single(128 * step),
            1,
            single(red / chroma),
            single(blue * matrix.blue / green / chroma),
            single(red * matrix.red / green / chroma),
            single(blue / chroma)};
}

} // namespace

ColourOptions colour_options(const OptionSet &options)
{
    ColourOptions colour;
    colour.matrix = chosen(options, "matrix", matrices());
    colour.curve = chosen(options, "transfer", curves());
    const std::string &range = options.text("range"), &chroma = options.text("chroma");
    if (range == "limited")
        colour.range = ColourRange::kLimited;
    else if (range == "full")
        colour.range = ColourRange::kFull;
    else if (range != "auto")
        refuse_value("range", range, "auto, limited, full");
    colour.smooth = chroma == "left";
    if (chroma != "repeat" && chroma != "left")
        refuse_value("chroma", chroma, "repeat, left");
    return colour;
}

ColourConversion colour_conversion(const ColourOptions &options, const ColourTags &tags,
                                   const PictureFormat &format, const char *which)
{
    const NamedMatrix &matrix = matrix_of(options, tags, format, which);
    const NamedCurve &curve = curve_of(options, tags, which);
    const auto single = [](double value) { return static_cast<float>(value); };
    return {conversion(matrix, is_full(options, tags), format.bits),
            {curve.root, single(curve.toe), single(curve.slope), single(curve.scale),
             single(curve.offset)}};
}

} // namespace vmafx
