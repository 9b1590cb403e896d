/* SPDX-License-Identifier: BSD-2-Clause
 *
 * VP9: a frame comes whole, with its headers. What the parameters say of it has to be what they
 * say.
 */
#include "coded_picture.h"
#include "fatal.h"

enum { FRAME_MARKER = 2, SYNC_CODE = 0x498342, COLOR_SRGB = 7, REFERENCES = 8 };

static void agree(const char *what, uint32_t parameter, uint32_t header)
{
    if (parameter != header)
        fatal("vaEndPicture: %s is %u in the parameters and %u in the frame's header", what,
              parameter, header);
}

static void check_key_frame(struct bit_reader *header,
                            const VADecPictureParameterBufferVP9 *picture)
{
    agree("the sync code", SYNC_CODE, bits_get(header, 24));
    agree("bit_depth", picture->bit_depth,
          picture->profile >= 2 ? 10 + 2 * bits_get(header, 1) : 8);
    if (bits_get(header, 3) == COLOR_SRGB)
        fatal("vaEndPicture: colours that are not 4:2:0");
    bits_get(header, 1); /* color_range */
    agree("frame_width", picture->frame_width, bits_get(header, 16) + 1);
    agree("frame_height", picture->frame_height, bits_get(header, 16) + 1);
}

static void check_header(const VADecPictureParameterBufferVP9 *picture, const struct slice *frame)
{
    struct bit_reader header = {frame->data, frame->size, 0};

    agree("the frame's marker", FRAME_MARKER, bits_get(&header, 2));
    uint32_t low_bit = bits_get(&header, 1);
    agree("profile", picture->profile, low_bit + 2 * bits_get(&header, 1));
    agree("show_existing_frame", 0, bits_get(&header, 1));
    agree("frame_type", picture->pic_fields.bits.frame_type, bits_get(&header, 1));
    agree("show_frame", picture->pic_fields.bits.show_frame, bits_get(&header, 1));
    agree("error_resilient_mode", picture->pic_fields.bits.error_resilient_mode,
          bits_get(&header, 1));
    if (!picture->pic_fields.bits.frame_type)
        check_key_frame(&header, picture);
    if (picture->frame_header_length_in_bytes < (header.bit + 7) / 8 ||
        (size_t)picture->frame_header_length_in_bytes + picture->first_partition_size > frame->size)
        fatal("vaEndPicture: headers of %u and %u bytes in a frame of %zu",
              picture->frame_header_length_in_bytes, picture->first_partition_size, frame->size);
}

static bool write_vp9(const struct coded_picture *coded, struct bit_writer *stream)
{
    const VADecPictureParameterBufferVP9 *picture = coded->parameters;

    agree("the number of slices", 1, coded->slice_count);
    agree("profile", coded->profile == VAProfileVP9Profile2 ? 2 : 0, picture->profile);
    check_header(picture, &coded->slices[0]);
    bits_put_bytes(stream, coded->slices[0].data, coded->slices[0].size);
    return true;
}

static unsigned surfaces_of_vp9(const void *parameters, VASurfaceID surfaces[MAX_REFERENCES + 1])
{
    const VADecPictureParameterBufferVP9 *picture = parameters;
    unsigned count = 0;
    surfaces[count++] = VA_INVALID_SURFACE;
    for (int i = 0; i < REFERENCES; i++)
        if (picture->reference_frames[i] != VA_INVALID_SURFACE)
            surfaces[count++] = picture->reference_frames[i];
    return count;
}

const struct codec codec_vp9 = {
    .decoder = "vp9",
    .parameters_size = sizeof(VADecPictureParameterBufferVP9),
    .slice_parameters_size = sizeof(VASliceParameterBufferVP9),
    .write = write_vp9,
    .surfaces = surfaces_of_vp9,
};
