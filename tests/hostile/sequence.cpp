/* SPDX-License-Identifier: BSD-2-Clause */
#include "sequence.h"

#include <map>
#include <memory>
#include <tuple>

using namespace support;

const std::vector<Format> &all_formats()
{
    static const std::vector<Format> formats = {
        {"nv12 64x48", VMAFX_LAYOUT_NV12, 8, 64, 48},
        {"420 8 bits 48x48", VMAFX_LAYOUT_420, 8, 48, 48},
        {"420 10 bits 96x64", VMAFX_LAYOUT_420, 10, 96, 64},
        {"p010 160x96", VMAFX_LAYOUT_P010, 10, 160, 96},
        {"p016 67x51", VMAFX_LAYOUT_P016, 16, 67, 51},
        {"400 8 bits 80x64", VMAFX_LAYOUT_400, 8, 80, 64},
        {"444 8 bits 64x64", VMAFX_LAYOUT_444, 8, 64, 64},
        {"nv12 128x80", VMAFX_LAYOUT_NV12, 8, 128, 80},
    };
    return formats;
}

const Sequence &Sequence::get(const Format &format, uint32_t variant)
{
    static std::map<std::pair<const Format *, uint32_t>, std::unique_ptr<const Sequence>> made;
    std::unique_ptr<const Sequence> &sequence = made[{&format, variant}];
    if (!sequence)
        sequence.reset(new Sequence(format, variant));
    return *sequence;
}

Sequence::Sequence(const Format &format, uint32_t variant) : format_(format)
{
    const LayoutFacts &layout = format.facts();
    for (uint32_t i = 0; i < kPairs; ++i) {
        const uint32_t seed = 100 * variant + i;
        pictures_[0].push_back(
            natural_picture(layout.chroma, format.bits, format.width, format.height, seed));
        pictures_[1].push_back(support::distorted(pictures_[0].back(), seed + 50));
        for (int d = 0; d < 2; ++d)
            planes_[d].push_back(pack(pictures_[d].back(), layout));
    }
}

const Picture &Sequence::picture(bool distorted, uint32_t i) const
{
    return pictures_[distorted].at(i);
}

const std::vector<PackedPlane> &Sequence::planes(bool distorted, uint32_t i) const
{
    return planes_[distorted].at(i);
}

void Wish::register_on(const Context &context) const
{
    if (everything)
        return use_everything(context);
    must(vmafx_context_use_feature, context.get(), "psnr", nullptr);
    must(vmafx_context_use_feature, context.get(), "motion", nullptr);
}

namespace
{

AllScores score_uploads(const Sequence &sequence, const Wish &wish, uint32_t pairs)
{
    const Device device = open_cpu_device();
    VmafxContextDesc desc = VMAFX_CONTEXT_DESC_INIT;
    desc.n_subsample = wish.n_subsample;
    const Context context = create_context(device, &desc);
    wish.register_on(context);
    for (uint32_t i = 0; i < pairs; ++i) {
        Frame frame[2];
        for (int d = 0; d < 2; ++d) {
            const HostPicture picture(sequence.picture(d, i), sequence.format().facts());
            frame[d] = import_frame(device, picture.desc());
        }
        submit(context, frame[0], frame[1], i);
    }
    must(vmafx_context_flush, context.get());
    return all_scores(context, pairs);
}

} // namespace

const AllScores &expected_scores(const Sequence &sequence, const Wish &wish, uint32_t pairs)
{
    using Key = std::tuple<const Sequence *, bool, uint32_t, uint32_t>;
    static std::map<Key, AllScores> known;
    const Key key = {&sequence, wish.everything, wish.n_subsample, pairs};
    const auto found = known.find(key);
    if (found != known.end())
        return found->second;
    return known.emplace(key, score_uploads(sequence, wish, pairs)).first->second;
}
