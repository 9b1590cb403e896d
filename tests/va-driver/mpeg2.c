/* SPDX-License-Identifier: BSD-2-Clause
 *
 * MPEG-2: a sequence header for the first picture, a picture header and matrices for every one. The
 * slices come with their start codes.
 */
#include "coded_picture.h"

enum {
    START_PICTURE = 0x00,
    START_SEQUENCE = 0xb3,
    START_EXTENSION = 0xb5,
    EXTENSION_SEQUENCE = 1,
    EXTENSION_MATRICES = 3,
    EXTENSION_PICTURE = 8,
    TYPE_B = 3,
    STRUCTURE_FRAME = 3,
};

static void put_start(struct bit_writer *out, uint8_t code)
{
    const uint8_t start[] = {0, 0, 1, code};
    bits_align(out);
    bits_put_bytes(out, start, sizeof(start));
}

/* A sequence of frames alone may have an odd number of rows of macroblocks, any other one has an
 * even number; slices tell their row. */
static bool odd_rows(const struct coded_picture *coded)
{
    const VAPictureParameterBufferMPEG2 *picture = coded->parameters;
    unsigned rows = 0;
    for (unsigned i = 0; i < coded->slice_count; i++)
        if (coded->slices[i].size > 3 && coded->slices[i].data[3] > rows)
            rows = coded->slices[i].data[3];
    return picture->picture_coding_extension.bits.picture_structure == STRUCTURE_FRAME && rows % 2;
}

static void put_sequence(struct bit_writer *out, const struct coded_picture *coded)
{
    const VAPictureParameterBufferMPEG2 *picture = coded->parameters;

    put_start(out, START_SEQUENCE);
    bits_put(out, 12, picture->horizontal_size & 0xfff);
    bits_put(out, 12, picture->vertical_size & 0xfff);
    bits_put(out, 4, 1);        /* square pixels */
    bits_put(out, 4, 3);        /* 25 frames a second */
    bits_put(out, 18, 0x3ffff); /* bit rate */
    bits_put(out, 1, 1);
    bits_put(out, 10, 112); /* vbv buffer */
    bits_put(out, 3, 0);    /* not constrained, matrices of the standard */

    put_start(out, START_EXTENSION);
    bits_put(out, 4, EXTENSION_SEQUENCE);
    bits_put(out, 8, 0x44); /* main profile, high level */
    bits_put(out, 1, odd_rows(coded));
    bits_put(out, 2, 1); /* 4:2:0 */
    bits_put(out, 2, picture->horizontal_size >> 12);
    bits_put(out, 2, picture->vertical_size >> 12);
    bits_put(out, 12, 0);
    bits_put(out, 1, 1);
    bits_put(out, 16, 0);
}

static void put_picture(struct bit_writer *out, const VAPictureParameterBufferMPEG2 *picture)
{
    put_start(out, START_PICTURE);
    bits_put(out, 10, 0); /* temporal reference */
    bits_put(out, 3, (uint32_t)picture->picture_coding_type);
    bits_put(out, 16, 0xffff);
    /* Forward and backward vectors; their ranges are in the extension. */
    for (int type = 2; type <= picture->picture_coding_type && type <= TYPE_B; type++)
        bits_put(out, 4, 7);
    bits_put(out, 1, 0);

    put_start(out, START_EXTENSION);
    bits_put(out, 4, EXTENSION_PICTURE);
    bits_put(out, 16, (uint32_t)picture->f_code);
    bits_put(out, 2, picture->picture_coding_extension.bits.intra_dc_precision);
    bits_put(out, 2, picture->picture_coding_extension.bits.picture_structure);
    bits_put(out, 1, picture->picture_coding_extension.bits.top_field_first);
    bits_put(out, 1, picture->picture_coding_extension.bits.frame_pred_frame_dct);
    bits_put(out, 1, picture->picture_coding_extension.bits.concealment_motion_vectors);
    bits_put(out, 1, picture->picture_coding_extension.bits.q_scale_type);
    bits_put(out, 1, picture->picture_coding_extension.bits.intra_vlc_format);
    bits_put(out, 1, picture->picture_coding_extension.bits.alternate_scan);
    bits_put(out, 1, picture->picture_coding_extension.bits.repeat_first_field);
    bits_put(out, 1, picture->picture_coding_extension.bits.progressive_frame);
    bits_put(out, 1, picture->picture_coding_extension.bits.progressive_frame);
    bits_put(out, 1, 0);
}

static void put_matrix(struct bit_writer *out, int load, const uint8_t matrix[64])
{
    bits_put(out, 1, load != 0);
    for (int i = 0; load && i < 64; i++)
        bits_put(out, 8, matrix[i]);
}

static void put_matrices(struct bit_writer *out, const VAIQMatrixBufferMPEG2 *matrices)
{
    put_start(out, START_EXTENSION);
    bits_put(out, 4, EXTENSION_MATRICES);
    put_matrix(out, matrices->load_intra_quantiser_matrix, matrices->intra_quantiser_matrix);
    put_matrix(out, matrices->load_non_intra_quantiser_matrix,
               matrices->non_intra_quantiser_matrix);
    bits_put(out, 2, 0); /* 4:2:0 has no matrices of chroma */
}

static bool write_mpeg2(const struct coded_picture *coded, struct bit_writer *stream)
{
    if (coded->first)
        put_sequence(stream, coded);
    put_picture(stream, coded->parameters);
    if (coded->matrices)
        put_matrices(stream, coded->matrices);
    bits_align(stream);
    for (unsigned i = 0; i < coded->slice_count; i++)
        bits_put_bytes(stream, coded->slices[i].data, coded->slices[i].size);
    return true;
}

static unsigned surfaces_of_mpeg2(const void *parameters, VASurfaceID surfaces[MAX_REFERENCES + 1])
{
    const VAPictureParameterBufferMPEG2 *picture = parameters;
    unsigned count = 0;
    surfaces[count++] = VA_INVALID_SURFACE;
    if (picture->forward_reference_picture != VA_INVALID_SURFACE)
        surfaces[count++] = picture->forward_reference_picture;
    if (picture->backward_reference_picture != VA_INVALID_SURFACE)
        surfaces[count++] = picture->backward_reference_picture;
    return count;
}

const struct codec codec_mpeg2 = {
    .decoder = "mpeg2video",
    .fields = true,
    .parameters_size = sizeof(VAPictureParameterBufferMPEG2),
    .matrices_size = sizeof(VAIQMatrixBufferMPEG2),
    .slice_parameters_size = sizeof(VASliceParameterBufferMPEG2),
    .write = write_mpeg2,
    .surfaces = surfaces_of_mpeg2,
};
