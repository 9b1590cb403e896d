/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Images and launches of kernels.
 */
#include <cfenv>
#include <cstring>
#include <numeric>

#include <dirent.h>
#include <elf.h>

#include "runtime_test.h"
#include "test_kernels.h"

namespace
{

size_t open_descriptors()
{
    size_t count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory))
        ++count;
    closedir(directory);
    return count;
}

Elf64_Ehdr header_of(const std::vector<char> &image)
{
    Elf64_Ehdr header;
    std::memcpy(&header, image.data(), sizeof(header));
    return header;
}

/** What a load of the image with another header answers. */
template <class Change> hipError_t load_changed(const std::vector<char> &image, Change change)
{
    std::vector<char> changed = image;
    Elf64_Ehdr header = header_of(changed);
    change(header);
    std::memcpy(changed.data(), &header, sizeof(header));
    hipModule_t module = nullptr;
    return hipModuleLoadData(&module, changed.data());
}

} // namespace

START_TEST(grid_covers_every_tile_once)
{
    constexpr uint32_t kX = 37, kY = 11, kZ = 5;
    hipModule_t module = load_module();
    hipFunction_t number = function_of(module, "number_tiles");
    uint32_t *cells = device_memory<uint32_t>(kX * kY * kZ);
    assert_ok(hipMemset(cells, 0xff, kX * kY * kZ * sizeof(*cells)));
    uint64_t *mark = device_memory<uint64_t>(1);
    assert_ok(hipMemset(mark, 0, sizeof(*mark)));
    vx::Marked<NumberTilesArgs> marked = {{cells, kX, kY}, {mark, 77}};
    void *arguments[] = {&marked};
    assert_ok(hipModuleLaunchKernel(number, kX, kY, kZ, 64, 1, 1, 0, nullptr, arguments, nullptr));
    marked = {}; /* taken at the launch */
    assert_ok(hipDeviceSynchronize());
    ck_assert_uint_eq(*mark, 77);
    assert_ok(hipFree(mark));
    for (uint32_t i = 0; i < kX * kY * kZ; ++i)
        ck_assert_uint_eq(cells[i], i % kX + 1000 * (i / kX % kY) + 1000000 * (i / kX / kY));
    assert_ok(hipFree(cells));
    assert_ok(hipModuleUnload(module));
}
END_TEST

START_TEST(sums_through_tile_memory)
{
    constexpr uint32_t kCount = 100003;
    constexpr uint32_t kTiles = (kCount + kSumSquaresItems - 1) / kSumSquaresItems;
    hipModule_t module = load_module();
    hipFunction_t sum_squares = function_of(module, "sum_squares");
    hipStream_t stream = make_stream(stream_non_blocking);
    std::vector<uint32_t> values(kCount);
    for (uint32_t i = 0; i < kCount; ++i)
        values[i] = i % 1009;
    const uint64_t expected =
        std::accumulate(values.begin(), values.end(), uint64_t{0},
                        [](uint64_t sum, uint32_t v) { return sum + uint64_t{v} * v; });
    uint32_t *memory = device_memory<uint32_t>(kCount);
    uint64_t *sum = device_memory<uint64_t>(1);
    for (int round = 0; round < 50; ++round) {
        assert_ok(hipMemcpyAsync(memory, values.data(), kCount * sizeof(*memory),
                                 hipMemcpyHostToDevice, stream));
        assert_ok(hipMemsetAsync(sum, 0, sizeof(*sum), stream));
        assert_ok(launch(sum_squares, kTiles, SumSquaresArgs{memory, kCount, sum}, stream));
        uint64_t result = 0;
        assert_ok(hipMemcpyAsync(&result, sum, sizeof(result), hipMemcpyDeviceToHost, stream));
        assert_ok(hipStreamSynchronize(stream));
        ck_assert_uint_eq(result, expected);
    }
    assert_ok(hipFree(memory));
    assert_ok(hipFree(sum));
    assert_ok(hipStreamDestroy(stream));
    assert_ok(hipModuleUnload(module));
}
END_TEST

START_TEST(arguments_of_both_forms_and_any_size)
{
    hipModule_t module = load_module();
    hipFunction_t many = function_of(module, "many_args");
    uint64_t *memory = device_memory<uint64_t>(100);
    vx::Marked<ManyArgs> marked = {};
    ManyArgs &args = marked.args;
    args.to = memory;
    for (uint64_t i = 0; i < 100; ++i)
        args.from[i] = i * i + 1;
    assert_ok(launch(many, 1, args, nullptr));
    assert_ok(hipDeviceSynchronize());
    ck_assert_uint_eq(memory[99], 99 * 99 + 1);

    args.from[99] = 5;
    size_t bytes = sizeof(marked);
    void *extra[] = {launch_param_buffer_pointer, &marked, launch_param_buffer_size, &bytes,
                     launch_param_end};
    assert_ok(hipModuleLaunchKernel(many, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
    assert_ok(hipDeviceSynchronize());
    ck_assert_uint_eq(memory[99], 5);

    bytes = sizeof(marked) - 1;
    assert_hip(hipModuleLaunchKernel(many, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra),
               hipErrorInvalidValue);
    extra[0] = &marked;
    assert_hip(hipModuleLaunchKernel(many, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra),
               hipErrorInvalidValue);
    assert_ok(hipFree(memory));
    assert_ok(hipModuleUnload(module));
}
END_TEST

START_TEST(workers_use_the_default_float_mode)
{
    /* The threads are started by this one, and would inherit its mode. */
    std::fesetround(FE_UPWARD);
    hipModule_t module = load_module();
    hipFunction_t divide = function_of(module, "divide");
    float *quotient = device_memory<float>(1);
    assert_ok(launch(divide, 1, DivideArgs{1.0f, 3.0f, quotient}, nullptr));
    assert_ok(hipDeviceSynchronize());
    uint32_t bits = 0;
    std::memcpy(&bits, quotient, sizeof(bits));
    ck_assert_uint_eq(bits, 0x3eaaaaab); /* rounded to nearest: up here, */
    assert_ok(launch(divide, 1, DivideArgs{1.0f, 5.0f, quotient}, nullptr));
    assert_ok(hipDeviceSynchronize());
    std::memcpy(&bits, quotient, sizeof(bits));
    ck_assert_uint_eq(bits, 0x3e4ccccd);
    assert_ok(launch(divide, 1, DivideArgs{1.0f, 41.0f, quotient}, nullptr));
    assert_ok(hipDeviceSynchronize());
    std::memcpy(&bits, quotient, sizeof(bits));
    ck_assert_uint_eq(bits, 0x3cc7ce0c); /* down here */
    assert_ok(launch(divide, 1, DivideArgs{0x1p-126f, 2.0f, quotient}, nullptr));
    assert_ok(hipDeviceSynchronize());
    std::memcpy(&bits, quotient, sizeof(bits));
    ck_assert_uint_eq(bits, 0x00400000); /* subnormal, not flushed */
    std::fesetround(FE_TONEAREST);
    assert_ok(hipFree(quotient));
    assert_ok(hipModuleUnload(module));
}
END_TEST

START_TEST(queued_launches_keep_the_module)
{
    hipModule_t module = load_module();
    hipFunction_t append = function_of(module, "append_digit");
    hipStream_t stream = make_stream(stream_non_blocking);
    uint64_t *number = device_memory<uint64_t>(1);
    assert_ok(hipMemset(number, 0, sizeof(*number)));
    Gate gate(stream);
    const AppendDigitArgs args = {number, 8};
    assert_ok(launch(append, 1, args, stream));
    assert_ok(hipModuleUnload(module));
    assert_hip(launch(append, 1, args, stream), hipErrorInvalidHandle);
    assert_hip(hipModuleUnload(module), hipErrorInvalidHandle);
    gate.open();
    assert_ok(hipStreamSynchronize(stream));
    ck_assert_uint_eq(*number, 8);
    assert_ok(hipStreamDestroy(stream));
    assert_ok(hipFree(number));
}
END_TEST

START_TEST(modules_are_independent)
{
    const size_t before = open_descriptors();
    hipModule_t first = load_module();
    hipModule_t second = load_module();
    hipFunction_t of_first = function_of(first, "append_digit");
    hipFunction_t of_second = function_of(second, "append_digit");
    ck_assert(of_first != of_second);
    assert_ok(hipModuleUnload(first));
    hipModule_t third = load_module();
    uint64_t *number = device_memory<uint64_t>(1);
    assert_ok(hipMemset(number, 0, sizeof(*number)));
    assert_ok(launch(of_second, 1, AppendDigitArgs{number, 1}, nullptr));
    assert_ok(launch(function_of(third, "append_digit"), 1, AppendDigitArgs{number, 2}, nullptr));
    assert_ok(hipDeviceSynchronize());
    ck_assert_uint_eq(*number, 12);
    assert_ok(hipFree(number));
    assert_ok(hipModuleUnload(second));
    assert_ok(hipModuleUnload(third));
    ck_assert_uint_eq(open_descriptors(), before);
}
END_TEST

START_TEST(images_that_are_refused)
{
    const std::vector<char> image = read_image();
    const std::vector<char> text(4096, 'a');
    const size_t before = open_descriptors();
    hipModule_t module = nullptr;
    assert_hip(hipModuleLoadData(&module, nullptr), hipErrorInvalidValue);
    assert_hip(hipModuleLoadData(nullptr, image.data()), hipErrorInvalidValue);
    assert_hip(hipModuleLoadData(&module, text.data()), hipErrorInvalidImage);

    assert_hip(load_changed(image,
                            [](Elf64_Ehdr &h) {
                                h.e_machine = 224; /* AMD GPU */
                            }),
               hipErrorNoBinaryForGpu);
    assert_hip(load_changed(image, [](Elf64_Ehdr &h) { h.e_ident[EI_CLASS] = ELFCLASS32; }),
               hipErrorNoBinaryForGpu);
    assert_hip(load_changed(image, [](Elf64_Ehdr &h) { h.e_type = ET_REL; }), hipErrorInvalidImage);
    assert_hip(load_changed(image, [](Elf64_Ehdr &h) { h.e_shoff = 0; }), hipErrorInvalidImage);
    assert_hip(load_changed(image, [](Elf64_Ehdr &h) { h.e_shoff = ~0ull; }), hipErrorInvalidImage);
    assert_hip(load_changed(image, [](Elf64_Ehdr &h) { h.e_shnum = 0; }), hipErrorInvalidImage);
    assert_hip(load_changed(image, [](Elf64_Ehdr &h) { h.e_shentsize = 1; }), hipErrorInvalidImage);
    assert_hip(load_changed(image, [](Elf64_Ehdr &h) { h.e_phnum = 0; }), hipErrorInvalidImage);
    assert_hip(load_changed(image, [](Elf64_Ehdr &h) { h.e_phoff = ~0ull; }), hipErrorInvalidImage);
    /* The table of sections, and so the end, in the middle of the segments. */
    assert_hip(load_changed(image, [](Elf64_Ehdr &h) { h.e_shoff = 64, h.e_shnum = 1; }),
               hipErrorInvalidImage);

    hipFunction_t function = nullptr;
    module = load_module();
    assert_hip(hipModuleGetFunction(&function, module, "no_such_kernel"), hipErrorNotFound);
    assert_hip(hipModuleGetFunction(&function, module, nullptr), hipErrorInvalidValue);
    assert_hip(hipModuleGetFunction(nullptr, module, "divide"), hipErrorInvalidValue);
    assert_hip(hipModuleGetFunction(&function, nullptr, "divide"), hipErrorInvalidHandle);
    assert_ok(hipModuleUnload(module));
    assert_hip(hipModuleUnload(nullptr), hipErrorInvalidHandle);
    ck_assert_uint_eq(open_descriptors(), before);
}
END_TEST

START_TEST(shared_objects_without_kernels)
{
    const char *path = std::getenv("TEST_NO_IMAGE");
    ck_assert_ptr_nonnull(path);
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> image{std::istreambuf_iterator<char>(file),
                                  std::istreambuf_iterator<char>()};
    hipModule_t module = nullptr;
    assert_hip(hipModuleLoadData(&module, image.data()), hipErrorInvalidImage);
}
END_TEST

START_TEST(launches_that_are_refused)
{
    hipModule_t module = load_module();
    hipFunction_t divide = function_of(module, "divide");
    float quotient = 0;
    const DivideArgs args = {1, 2, &quotient};
    vx::Marked<DivideArgs> marked = {args, {}};
    void *arguments[] = {&marked};
    void *nothing[] = {nullptr};
    void *extra[] = {launch_param_end};
    const auto bogus = reinterpret_cast<hipStream_t>(&quotient);
    const auto refused = [&](unsigned int grid, unsigned int y, unsigned int block,
                             unsigned int shared, void **a, void **e) {
        return hipModuleLaunchKernel(divide, grid, y, 1, block, 1, 1, shared, nullptr, a, e);
    };
    assert_hip(refused(0, 1, 64, 0, arguments, nullptr), hipErrorInvalidConfiguration);
    assert_hip(refused(1, 0, 64, 0, arguments, nullptr), hipErrorInvalidConfiguration);
    assert_hip(refused(1, 1, 0, 0, arguments, nullptr), hipErrorInvalidConfiguration);
    assert_hip(refused(1u << 31, 1, 64, 0, arguments, nullptr), hipErrorInvalidConfiguration);
    assert_hip(
        hipModuleLaunchKernel(divide, ~0u, ~0u, ~0u, 1, 1, 1, 0, nullptr, arguments, nullptr),
        hipErrorInvalidConfiguration);
    assert_hip(refused(1, 1, 64, 16, arguments, nullptr), hipErrorInvalidValue);
    assert_hip(refused(1, 1, 64, 0, nullptr, nullptr), hipErrorInvalidValue);
    assert_hip(refused(1, 1, 64, 0, nothing, nullptr), hipErrorInvalidValue);
    assert_hip(refused(1, 1, 64, 0, arguments, extra), hipErrorInvalidValue);
    assert_hip(refused(1, 1, 64, 0, nullptr, extra), hipErrorInvalidValue);
    assert_hip(launch(divide, 1, args, bogus), hipErrorInvalidHandle);
    assert_hip(launch(hipFunction_t{}, 1, args, nullptr), hipErrorInvalidHandle);
    assert_ok(hipDeviceSynchronize());
    ck_assert(quotient == 0.0f);
    assert_ok(hipModuleUnload(module));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("launches");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, grid_covers_every_tile_once);
    tcase_add_test(tcase, sums_through_tile_memory);
    tcase_add_test(tcase, arguments_of_both_forms_and_any_size);
    tcase_add_test(tcase, workers_use_the_default_float_mode);
    tcase_add_test(tcase, queued_launches_keep_the_module);
    tcase_add_test(tcase, modules_are_independent);
    tcase_add_test(tcase, images_that_are_refused);
    tcase_add_test(tcase, shared_objects_without_kernels);
    tcase_add_test(tcase, launches_that_are_refused);
    return run_tests(tcase, "runtime_cpu launches");
}
