/* SPDX-License-Identifier: BSD-2-Clause
 *
 * calls_check CASE [DEVICE]
 *
 * The driver, called through libva: copies between layouts, lists of modifiers, lateness; and
 * misuse, at which the driver has to end the process.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <linux/dma-buf.h>
#include <va/va.h>
#include <va/va_drm.h>
#include <va/va_drmcommon.h>
#include <va/va_vpp.h>

enum { WIDTH = 322, HEIGHT = 178 };

static VADisplay display;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "calls_check.c:%d: %s\n", __LINE__, #condition);                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define GOOD(call) EXPECT((call) == VA_STATUS_SUCCESS)

static VASurfaceAttrib format_attribute(uint32_t fourcc)
{
    return (VASurfaceAttrib){
        .type = VASurfaceAttribPixelFormat,
        .flags = VA_SURFACE_ATTRIB_SETTABLE,
        .value = {.type = VAGenericValueTypeInteger, .value.i = (int)fourcc},
    };
}

static VASurfaceAttrib modifiers_attribute(VADRMFormatModifierList *list)
{
    return (VASurfaceAttrib){
        .type = VASurfaceAttribDRMFormatModifiers,
        .flags = VA_SURFACE_ATTRIB_SETTABLE,
        .value = {.type = VAGenericValueTypePointer, .value.p = list},
    };
}

/* With a list of one modifier, or as the driver likes it. */
static VAStatus make_surface(uint32_t fourcc, const uint64_t *modifier, VASurfaceID *surface)
{
    uint64_t wanted = modifier ? *modifier : 0;
    VADRMFormatModifierList list = {.num_modifiers = 1, .modifiers = &wanted};
    VASurfaceAttrib attributes[] = {format_attribute(fourcc), modifiers_attribute(&list)};
    return vaCreateSurfaces(display,
                            fourcc == VA_FOURCC_P010 ? VA_RT_FORMAT_YUV420_10 : VA_RT_FORMAT_YUV420,
                            WIDTH, HEIGHT, surface, 1, attributes, modifier ? 2 : 1);
}

static VASurfaceID surface_of(uint32_t fourcc, const uint64_t *modifier)
{
    VASurfaceID surface = VA_INVALID_SURFACE;
    GOOD(make_surface(fourcc, modifier, &surface));
    return surface;
}

static void destroy_surface(VASurfaceID surface)
{
    GOOD(vaDestroySurfaces(display, &surface, 1));
}

static VAImage make_image(uint32_t fourcc)
{
    VAImageFormat format = {.fourcc = fourcc};
    VAImage image;
    GOOD(vaCreateImage(display, &format, WIDTH, HEIGHT, &image));
    return image;
}

/* Calls visit() for each row of pixels of an image. */
static void for_each_row(const VAImage *image,
                         void (*visit)(uint8_t *row, size_t bytes, unsigned y))
{
    const unsigned sample = image->format.fourcc == VA_FOURCC_P010 ? 2 : 1;
    uint8_t *bytes;
    GOOD(vaMapBuffer(display, image->buf, (void **)&bytes));
    for (unsigned y = 0; y < HEIGHT; y++)
        visit(bytes + image->offsets[0] + y * image->pitches[0], WIDTH * sample, y);
    for (unsigned y = 0; y < HEIGHT / 2; y++)
        visit(bytes + image->offsets[1] + y * image->pitches[1], WIDTH * sample, HEIGHT + y);
    GOOD(vaUnmapBuffer(display, image->buf));
}

static uint8_t pixel(size_t x, unsigned y)
{
    return (uint8_t)(x * 7 + y * 13 + x * y / 5);
}

static void fill(uint8_t *row, size_t bytes, unsigned y)
{
    for (size_t x = 0; x < bytes; x++)
        row[x] = pixel(x, y);
}

static void clear(uint8_t *row, size_t bytes, unsigned y)
{
    memset(row, 0, bytes);
}

static void compare(uint8_t *row, size_t bytes, unsigned y)
{
    for (size_t x = 0; x < bytes; x++)
        EXPECT(row[x] == pixel(x, y));
}

static void put_picture(VASurfaceID surface, uint32_t fourcc)
{
    VAImage image = make_image(fourcc);
    for_each_row(&image, fill);
    GOOD(vaPutImage(display, surface, image.image_id, 0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT));
    for_each_row(&image, clear); /* the driver has read it */
    GOOD(vaDestroyImage(display, image.image_id));
}

static void expect_picture(VASurfaceID surface, uint32_t fourcc)
{
    VAImage image = make_image(fourcc);
    GOOD(vaGetImage(display, surface, 0, 0, WIDTH, HEIGHT, image.image_id));
    for_each_row(&image, compare);
    GOOD(vaDestroyImage(display, image.image_id));
}

static VADRMPRIMESurfaceDescriptor export_surface(VASurfaceID surface)
{
    VADRMPRIMESurfaceDescriptor descriptor;
    GOOD(vaExportSurfaceHandle(display, surface, VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2,
                               VA_EXPORT_SURFACE_READ_ONLY | VA_EXPORT_SURFACE_SEPARATE_LAYERS,
                               &descriptor));
    return descriptor;
}

static void close_objects(const VADRMPRIMESurfaceDescriptor *descriptor)
{
    for (uint32_t i = 0; i < descriptor->num_objects; i++)
        close(descriptor->objects[i].fd);
}

static uint64_t modifier_of(VASurfaceID surface)
{
    VADRMPRIMESurfaceDescriptor descriptor = export_surface(surface);
    close_objects(&descriptor);
    return descriptor.objects[0].drm_format_modifier;
}

/* The pixel of a linear surface's luma at (1, 0), as others read it. */
static uint8_t exported_pixel(const VADRMPRIMESurfaceDescriptor *descriptor)
{
    const size_t size = descriptor->layers[0].offset[0] + 4096;
    const uint8_t *map = mmap(NULL, size, PROT_READ, MAP_SHARED, descriptor->objects[0].fd, 0);
    EXPECT(map != MAP_FAILED);
    uint8_t value = map[descriptor->layers[0].offset[0] + 1];
    EXPECT(munmap((void *)map, size) == 0);
    return value;
}

struct processor {
    VAConfigID config;
    VAContextID context;
};

static struct processor open_processor(void)
{
    struct processor processor;
    GOOD(vaCreateConfig(display, VAProfileNone, VAEntrypointVideoProc, NULL, 0, &processor.config));
    GOOD(vaCreateContext(display, processor.config, WIDTH, HEIGHT, 0, NULL, 0, &processor.context));
    return processor;
}

static void close_processor(struct processor processor)
{
    GOOD(vaDestroyContext(display, processor.context));
    GOOD(vaDestroyConfig(display, processor.config));
}

static void copy_surface(VAContextID context, VASurfaceID from, VASurfaceID to)
{
    VAProcPipelineParameterBuffer pipeline = {.surface = from};
    VABufferID buffer;
    GOOD(vaCreateBuffer(display, context, VAProcPipelineParameterBufferType, sizeof(pipeline), 1,
                        &pipeline, &buffer));
    GOOD(vaBeginPicture(display, context, to));
    GOOD(vaRenderPicture(display, context, &buffer, 1));
    GOOD(vaEndPicture(display, context));
    GOOD(vaDestroyBuffer(display, buffer));
}

/* From the driver's own layout to a linear one and to another of each kind, and back. */
static void copies(void)
{
    static const uint64_t modifiers[] = {
        DRM_FORMAT_MOD_LINEAR, DRM_FORMAT_MOD_INVALID, 0x0200000000000901,
        0x0200000028a01f04,    0x0200000000082305,
    };
    static const uint32_t fourccs[] = {VA_FOURCC_NV12, VA_FOURCC_P010};
    struct processor processor = open_processor();
    for (size_t f = 0; f < 2; f++)
        for (size_t i = 0; i < sizeof(modifiers) / sizeof(*modifiers); i++) {
            VASurfaceID first = surface_of(fourccs[f], NULL);
            VASurfaceID second = surface_of(fourccs[f], &modifiers[i]);
            VASurfaceID third = surface_of(fourccs[f], NULL);
            EXPECT(modifier_of(second) == modifiers[i]);
            put_picture(first, fourccs[f]);
            copy_surface(processor.context, first, second);
            copy_surface(processor.context, second, third);
            expect_picture(third, fourccs[f]);
            expect_picture(second, fourccs[f]);
            destroy_surface(first);
            destroy_surface(second);
            destroy_surface(third);
        }
    close_processor(processor);
}

static void lists_of_modifiers(void)
{
    const uint64_t unknown = 0x0300000000000001;
    uint64_t both[] = {unknown, DRM_FORMAT_MOD_LINEAR};
    VADRMFormatModifierList list = {.num_modifiers = 2, .modifiers = both};
    VASurfaceAttrib attribute = modifiers_attribute(&list);
    VASurfaceID surface;
    GOOD(vaCreateSurfaces(display, VA_RT_FORMAT_YUV420, WIDTH, HEIGHT, &surface, 1, &attribute, 1));
    EXPECT(modifier_of(surface) == DRM_FORMAT_MOD_LINEAR);
    destroy_surface(surface);
    EXPECT(make_surface(VA_FOURCC_NV12, &unknown, &surface) != VA_STATUS_SUCCESS);
}

/* A surface is not ready before its writes are in it. */
static void lateness(void)
{
    VASurfaceID surface = surface_of(VA_FOURCC_NV12, NULL);
    VASurfaceStatus status;
    put_picture(surface, VA_FOURCC_NV12);
    GOOD(vaQuerySurfaceStatus(display, surface, &status));
    EXPECT(status == VASurfaceRendering);
    EXPECT(vaSyncSurface2(display, surface, 1000000) == VA_STATUS_ERROR_TIMEDOUT);
    GOOD(vaSyncSurface(display, surface));
    GOOD(vaQuerySurfaceStatus(display, surface, &status));
    EXPECT(status == VASurfaceReady);
    expect_picture(surface, VA_FOURCC_NV12);
    destroy_surface(surface);
}

/* Surfaces that begin a picture lose what was in them. */
static void overwriting(void)
{
    struct processor processor = open_processor();
    const uint64_t linear = DRM_FORMAT_MOD_LINEAR;
    VASurfaceID surface = surface_of(VA_FOURCC_NV12, &linear);
    VASurfaceID source = surface_of(VA_FOURCC_NV12, &linear);
    put_picture(surface, VA_FOURCC_NV12);
    put_picture(source, VA_FOURCC_NV12);
    GOOD(vaSyncSurface(display, surface));
    VADRMPRIMESurfaceDescriptor descriptor = export_surface(surface);
    EXPECT(exported_pixel(&descriptor) == pixel(1, 0));
    GOOD(vaBeginPicture(display, processor.context, surface));
    EXPECT(exported_pixel(&descriptor) != pixel(1, 0));
    VAProcPipelineParameterBuffer pipeline = {.surface = source};
    VABufferID buffer;
    GOOD(vaCreateBuffer(display, processor.context, VAProcPipelineParameterBufferType,
                        sizeof(pipeline), 1, &pipeline, &buffer));
    GOOD(vaRenderPicture(display, processor.context, &buffer, 1));
    GOOD(vaEndPicture(display, processor.context));
    GOOD(vaDestroyBuffer(display, buffer));
    expect_picture(surface, VA_FOURCC_NV12);
    close_objects(&descriptor);
    destroy_surface(surface);
    destroy_surface(source);
    close_processor(processor);
}

static bool readable(int fd, int timeout_ms)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    return poll(&poll_fd, 1, timeout_ms) == 1;
}

/* A dma-buf says for itself when the writes are in it, and so does its fence. */
static void fences(void)
{
    const uint64_t linear = DRM_FORMAT_MOD_LINEAR;
    VASurfaceID surface = surface_of(VA_FOURCC_NV12, &linear);
    put_picture(surface, VA_FOURCC_NV12);
    VADRMPRIMESurfaceDescriptor descriptor = export_surface(surface);
    struct dma_buf_export_sync_file fence[4];
    for (uint32_t i = 0; i < descriptor.num_objects; i++) {
        fence[i] = (struct dma_buf_export_sync_file){.flags = DMA_BUF_SYNC_READ};
        EXPECT(ioctl(descriptor.objects[i].fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &fence[i]) == 0);
        EXPECT(!readable(fence[i].fd, 0));
        EXPECT(!readable(descriptor.objects[i].fd, 0));
    }
    for (uint32_t i = 0; i < descriptor.num_objects; i++) {
        EXPECT(readable(fence[i].fd, 5000));
        EXPECT(readable(descriptor.objects[i].fd, 5000));
        close(fence[i].fd);
    }
    EXPECT(exported_pixel(&descriptor) == pixel(1, 0));
    close_objects(&descriptor);
    destroy_surface(surface);
}

static void stale_surface(void)
{
    VASurfaceID surface = surface_of(VA_FOURCC_NV12, NULL);
    destroy_surface(surface);
    vaSyncSurface(display, surface);
}

static void stale_source(void)
{
    struct processor processor = open_processor();
    VASurfaceID surface = surface_of(VA_FOURCC_NV12, NULL);
    VASurfaceID gone = surface_of(VA_FOURCC_NV12, NULL);
    destroy_surface(gone);
    copy_surface(processor.context, gone, surface);
}

static void wrong_kind(void)
{
    VAImage image = make_image(VA_FOURCC_NV12);
    vaSyncSurface(display, image.image_id);
}

static void begun_twice(void)
{
    struct processor processor = open_processor();
    VASurfaceID surface = surface_of(VA_FOURCC_NV12, NULL);
    VASurfaceID other = surface_of(VA_FOURCC_NV12, NULL);
    GOOD(vaBeginPicture(display, processor.context, surface));
    vaBeginPicture(display, processor.context, other);
}

static void ended_unbegun(void)
{
    vaEndPicture(display, open_processor().context);
}

static void rendered_unbegun(void)
{
    vaRenderPicture(display, open_processor().context, NULL, 0);
}

static void destroyed_target(void)
{
    VASurfaceID surface = surface_of(VA_FOURCC_NV12, NULL);
    GOOD(vaBeginPicture(display, open_processor().context, surface));
    vaDestroySurfaces(display, &surface, 1);
}

static void mapped_twice(void)
{
    VAImage image = make_image(VA_FOURCC_NV12);
    void *address;
    GOOD(vaMapBuffer(display, image.buf, &address));
    vaMapBuffer(display, image.buf, &address);
}

static void left_behind(void)
{
    surface_of(VA_FOURCC_NV12, NULL);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"copies", copies},
    {"lists_of_modifiers", lists_of_modifiers},
    {"lateness", lateness},
    {"overwriting", overwriting},
    {"fences", fences},
    {"stale_surface", stale_surface},
    {"stale_source", stale_source},
    {"wrong_kind", wrong_kind},
    {"begun_twice", begun_twice},
    {"ended_unbegun", ended_unbegun},
    {"rendered_unbegun", rendered_unbegun},
    {"destroyed_target", destroyed_target},
    {"mapped_twice", mapped_twice},
    {"left_behind", left_behind},
};

int main(int argc, char **argv)
{
    int device = open(argc > 2 ? argv[2] : "/dev/null", O_RDWR | O_CLOEXEC), major, minor;
    display = vaGetDisplayDRM(device);
    EXPECT(argc >= 2 && display);
    GOOD(vaInitialize(display, &major, &minor));
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        if (strcmp(cases[i].name, argv[1]) == 0) {
            cases[i].run();
            GOOD(vaTerminate(display));
            close(device);
            return 0;
        }
    fprintf(stderr, "there is no case %s\n", argv[1]);
    return 1;
}
