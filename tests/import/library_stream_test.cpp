/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A caller's stream as the library stream.
 */
#include <deque>

#include "api/refusal.h"

#include "picture_pairs.h"
#include "support/producer_stream.h"

using namespace support;

namespace
{

VmafxDeviceDesc on_stream(void *stream)
{
    VmafxDeviceDesc desc = VMAFX_DEVICE_DESC_INIT;
    desc.runtime = test_runtime();
    desc.external[0] = stream;
    return desc;
}

Device open_on(const ProducerStream &stream)
{
    const VmafxDeviceDesc desc = on_stream(stream.handle());
    Device device;
    must(vmafx_device_open, &desc, device.out());
    return device;
}

void refuse(const VmafxDeviceDesc &desc, const char *subject, const char *word)
{
    VmafxDevice *device = nullptr;
    assert_refused(VMAFX_E_INVALID, subject, word, vmafx_device_open, &desc, &device);
    ck_assert_ptr_null(device);
}

const LayoutFacts &nv12()
{
    return facts_of(VMAFX_LAYOUT_NV12);
}

const Placement &one_fd()
{
    return all_placements().at(3);
}

} // namespace

START_TEST(callers_stream_is_the_library_stream)
{
    const auto pairs = picture_pairs(VMAFX_LAYOUT_420, 8, 96, 64, 4);
    const AllScores uploaded = score_uploaded(open_test_device(), pairs, nv12());
    ProducerStream stream;
    const ProducerEvent end;
    {
        const Device device = open_on(stream);
        const Context context = create_context(device);
        use_everything(context);
        stream.hold();
        std::deque<PlacedPicture> producer;
        for (size_t i = 0; i < pairs.size(); ++i) {
            producer.emplace_back(pairs[i].reference, nv12(), one_fd());
            const Frame reference = import_frame(device, producer.back().desc());
            producer.emplace_back(pairs[i].distorted, nv12(), one_fd());
            const Frame distorted = import_frame(device, producer.back().desc());
            submit(context, reference, distorted, i);
        }
        /* The library's work is behind the caller's. */
        double score = 0;
        ck_assert_int_eq(vmafx_score_at(context.get(), VMAFX_MODEL_DEFAULT, 0, &score, nullptr),
                         VMAFX_PENDING);
        stream.let_go();
        must(vmafx_context_flush, context.get());
        const std::string found = difference(uploaded, all_scores(context, pairs.size()));
        ck_assert_msg(found.empty(), "%s", found.c_str());
    }
    /* It is still the caller's. */
    stream.record(end);
    stream.finish();
    ck_assert(end.complete());
}
END_TEST

START_TEST(fields_beside_a_stream_are_checked)
{
    const ProducerStream stream;
    VmafxDeviceDesc desc = on_stream(stream.handle());
    desc.external[1] = &desc;
    refuse(desc, "desc.external[1]", "NULL");
    desc = on_stream(nullptr);
    desc.external[1] = &desc;
    refuse(desc, "desc.external[1]", "NULL");
    desc = on_stream(stream.handle());
    desc.runtime = VMAFX_RUNTIME_AUTO;
    refuse(desc, "desc.runtime", "external[0]");
    desc = on_stream(stream.handle());
    desc.index = 1;
    refuse(desc, "desc.index", "external[0]");
    desc = on_stream(stream.handle());
    desc.pci_address = "0000:00:00.0";
    refuse(desc, "desc.pci_address", "external[0]");
    for (const uintptr_t named : {1, 2})
        refuse(on_stream(reinterpret_cast<void *>(named)), "desc.external[0]", "default stream");
    if (test_runtime() == VMAFX_RUNTIME_CPU) /* others may crash of what is no stream */
        refuse(on_stream(&desc), "desc.external[0]", "stream of this runtime");
}
END_TEST

/* A caller built before the field existed has none of it. */
START_TEST(smaller_struct_is_taken)
{
    VmafxDeviceDesc desc = on_stream(&desc);
    desc.struct_size = offsetof(VmafxDeviceDesc, external);
    Device device;
    must(vmafx_device_open, &desc, device.out());
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("library stream");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, callers_stream_is_the_library_stream);
    tcase_add_test(tcase, fields_beside_a_stream_are_checked);
    tcase_add_test(tcase, smaller_struct_is_taken);
    return run_tests(tcase, "library stream");
}
