/* SPDX-License-Identifier: BSD-2-Clause */
#include "features/cambi/cambi_setting.h"

#include <algorithm>

#include "core/failure.h"
#include "features/cambi/cambi_kernels.h"

namespace vmafx
{

namespace
{

constexpr double kTopShare = 0.6;
constexpr uint32_t kSmallestLongSide = 216;
constexpr uint32_t kDitherFreeBits = 10;
constexpr const char *kDefaultTransfer = "bt1886";

struct Size {
    uint32_t width, height;
    uint64_t area() const { return uint64_t{width} * height; }
};

/** Both sides as given, or the picture's if one of them is not. */
Size size_of(const OptionSet &options, const char *width, const char *height, const Size &picture)
{
    const int w = options.integer(width), h = options.integer(height);
    if (w == 0 || h == 0)
        return picture;
    return {static_cast<uint32_t>(w), static_cast<uint32_t>(h)};
}

void check_size(const Size &size, const char *what)
{
    if (size.width < kSmallestLongSide && size.height < kSmallestLongSide)
        fail(VMAFX_E_RANGE, "format", "cambi needs %s with a side of at least %u, this is %ux%u",
             what, kSmallestLongSide, size.width, size.height);
}

bool skips_finest(const OptionSet &options, const Size &encoded)
{
    const int speedup = options.integer("cambi_high_res_speedup");
    const uint64_t area = encoded.area();
    return (speedup == 1080 && area >= uint64_t{1920} * 1080) ||
           (speedup == 1440 && area >= uint64_t{2560} * 1440) ||
           (speedup == 2160 && area >= uint64_t{3840} * 2160);
}

/** The option is the window's side at 3840x2160. */
uint32_t window_of(const OptionSet &options, const Size &size, bool half)
{
    const auto side = static_cast<uint32_t>(options.integer("window_size"));
    uint32_t window = (side * (size.width + size.height) / 375) >> 4;
    if (half)
        window = (window + 1) >> 1;
    window |= 1;
    if (window * window > kCambiWindowSamples)
        fail(VMAFX_E_RANGE, "format",
             "cambi's window of %ux%u for pictures of %ux%u is larger than 65x65; set "
             "cambi_high_res_speedup=2160 or a smaller window_size",
             window, window, size.width, size.height);
    return window;
}

CambiTransfer transfer_of(const OptionSet &options)
{
    const std::string &special = options.text("cambi_eotf");
    const std::string &text = special != kDefaultTransfer ? special : options.text("eotf");
    return text == "pq" ? CambiTransfer::kPq : CambiTransfer::kBt1886;
}

CambiMeasure measure_of(const OptionSet &options, const Size &size, bool half)
{
    CambiMeasure measure;
    measure.half = half;
    measure.window = window_of(options, size, half);
    measure.steps = 1 << options.integer("max_log_contrast");
    const CambiTransfer transfer = transfer_of(options);
    measure.darkest = cambi_darkest_code(transfer, options.number("cambi_vis_lum_threshold"));
    for (int step = 1; step <= measure.steps; ++step)
        measure.limits.push_back(
            cambi_visible_limit(transfer, step, options.number("tvi_threshold")));
    return measure;
}

} // namespace

const OptionTable &cambi_options()
{
    using enum OptionType;
    static const OptionTable table = {
        {"cambi_max_val", "cmxv", kDouble, 1000, 0, 1000, true},
        {"enc_width", "encw", kInt, 0, 180, 7680, true},
        {"enc_height", "ench", kInt, 0, 150, 7680, true},
        {"enc_bitdepth", "encbd", kInt, 0, 6, 16, true},
        {"src_width", "srcw", kInt, 0, 320, 7680, true},
        {"src_height", "srch", kInt, 0, 200, 4320, true},
        {"window_size", "ws", kInt, 65, 15, 127, true},
        {"topk", nullptr, kDouble, kTopShare, 0.0001, 1, true},
        {"cambi_topk", "ctpk", kDouble, kTopShare, 0.0001, 1, true},
        {"tvi_threshold", "tvit", kDouble, 0.019, 0.0001, 1, true},
        {"cambi_vis_lum_threshold", "vlt", kDouble, 0, 0, 300, true},
        {"max_log_contrast", "mlc", kInt, 2, 0, 5, true},
        {"heatmaps_path", nullptr, kString, 0, 0, 0, false, ""},
        {"full_ref", nullptr, kBool, 0, 0, 1, false},
        {"eotf", nullptr, kString, 0, 0, 0, true, kDefaultTransfer},
        {"cambi_eotf", "ceot", kString, 0, 0, 0, true, kDefaultTransfer},
        {"cambi_high_res_speedup", "hrs", kInt, 0, 0, 2160, true},
    };
    return table;
}

void check_cambi_options(const OptionSet &options)
{
    for (const char *name : {"eotf", "cambi_eotf"}) {
        const std::string &text = options.text(name);
        if (text != kDefaultTransfer && text != "pq")
            fail(VMAFX_E_INVALID, (std::string("options.") + name).c_str(),
                 "value \"%.100s\" of option %s is not bt1886 or pq", text.c_str(), name);
    }
    if (!options.text("heatmaps_path").empty())
        fail(VMAFX_E_NOTSUP, "options.heatmaps_path",
             "cambi writes no heat maps: contrasts stay on the device; leave heatmaps_path out");
}

CambiSetting resolve_cambi(const OptionSet &options, const PictureFormat &format)
{
    const Size picture = {format.width, format.height};
    Size encoded = size_of(options, "enc_width", "enc_height", picture);
    const Size source = size_of(options, "src_width", "src_height", picture);
    if (encoded.width > picture.width || encoded.height > picture.height)
        encoded = picture; /* never scaled up */
    check_size(encoded, "a picture");
    check_size(source, "a source");
    if ((source.width > encoded.width && source.height < encoded.height) ||
        (source.width < encoded.width && source.height > encoded.height))
        fail(VMAFX_E_INVALID, "options.src_width",
             "a source of %ux%u is larger one way and smaller the other than the encode of %ux%u",
             source.width, source.height, encoded.width, encoded.height);

    const int given_bits = options.integer("enc_bitdepth");
    const uint32_t bits = given_bits > 0 ? static_cast<uint32_t>(given_bits) : format.bits;
    const bool smooth = bits < kDitherFreeBits;
    const bool half = skips_finest(options, encoded);
    const double topk = options.number("topk");

    CambiSetting setting;
    setting.distorted = {false, encoded.width, encoded.height, smooth};
    setting.source = {true, source.width, source.height, smooth};
    setting.distorted_measure = measure_of(options, encoded, half);
    setting.source_measure = measure_of(options, source, half);
    setting.top_share = topk != kTopShare ? topk : options.number("cambi_topk");
    setting.full_reference = options.flag("full_ref");
    setting.max_value = options.number("cambi_max_val");
    return setting;
}

} // namespace vmafx
