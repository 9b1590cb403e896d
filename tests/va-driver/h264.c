/* SPDX-License-Identifier: BSD-2-Clause
 *
 * H.264: a sequence and a picture parameter set for every picture. What VA-API leaves out is read
 * from the slices' headers: the number of the picture parameter set, and the numbers of references
 * that slices take from it.
 */
#include "coded_picture.h"
#include "nal.h"

enum { SLICE_P, SLICE_B, SLICE_I, SLICE_SP, SLICE_SI };
enum { NAL_IDR = 5, NAL_HEADER_SPS = 0x67, NAL_HEADER_PPS = 0x68, PROFILE_HIGH = 100 };

/* Sizes of the scaling lists, and their order in the stream by their order in rows. */
static const uint8_t scan_4x4[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};

static void make_scan_8x8(uint8_t scan[64])
{
    int x = 0, y = 0;
    for (int i = 0; i < 64; i++) {
        bool up = (x + y) % 2 == 0;
        scan[i] = (uint8_t)(8 * y + x);
        if (up && x < 7 && y > 0) {
            x++, y--;
        } else if (!up && y < 7 && x > 0) {
            x--, y++;
        } else if (up) {
            x < 7 ? x++ : y++;
        } else {
            y < 7 ? y++ : x++;
        }
    }
}

/* What the slices' headers tell. */
struct slice_facts {
    uint32_t parameter_set;
    uint32_t references[2]; /* less one, as slices have them that do not say */
};

static void read_slice(const VAPictureParameterBufferH264 *picture, const struct slice *slice,
                       struct slice_facts *facts)
{
    const VASliceParameterBufferH264 *parameters = slice->parameters;
    uint8_t header[64];
    struct bit_reader reader = {
        header, nal_unescape(slice->data + 1, slice->size - 1, header, sizeof(header)), 0};
    bool field = false;

    bits_get_ue(&reader); /* first_mb_in_slice */
    uint32_t type = bits_get_ue(&reader) % 5;
    facts->parameter_set = bits_get_ue(&reader);
    bits_get(&reader, picture->seq_fields.bits.log2_max_frame_num_minus4 + 4);
    if (!picture->seq_fields.bits.frame_mbs_only_flag) {
        field = bits_get(&reader, 1);
        if (field)
            bits_get(&reader, 1); /* bottom_field_flag */
    }
    if ((slice->data[0] & 31) == NAL_IDR)
        bits_get_ue(&reader); /* idr_pic_id */
    if (picture->seq_fields.bits.pic_order_cnt_type == 0) {
        bits_get(&reader, picture->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4 + 4);
        if (picture->pic_fields.bits.pic_order_present_flag && !field)
            bits_get_ue(&reader); /* delta_pic_order_cnt_bottom */
    }
    if (picture->pic_fields.bits.redundant_pic_cnt_present_flag)
        bits_get_ue(&reader);
    if (type == SLICE_B)
        bits_get(&reader, 1); /* direct_spatial_mv_pred_flag */
    if (type == SLICE_I || type == SLICE_SI || bits_get(&reader, 1))
        return; /* has no references, or says how many they are */
    facts->references[0] = parameters->num_ref_idx_l0_active_minus1;
    if (type == SLICE_B)
        facts->references[1] = parameters->num_ref_idx_l1_active_minus1;
}

static unsigned profile_number(VAProfile profile)
{
    switch (profile) {
    case VAProfileH264High:
        return PROFILE_HIGH;
    case VAProfileH264Main:
        return 77;
    default:
        return 66;
    }
}

static void put_sequence_set(struct bit_writer *out, unsigned profile,
                             const VAPictureParameterBufferH264 *picture)
{
    const bool frames_only = picture->seq_fields.bits.frame_mbs_only_flag;
    const uint32_t rows = picture->picture_height_in_mbs_minus1 + 1u;

    bits_put(out, 8, profile);
    bits_put(out, 8, 0);  /* constraints */
    bits_put(out, 8, 51); /* level 5.1 */
    bits_put_ue(out, 0);  /* seq_parameter_set_id */
    if (profile == PROFILE_HIGH) {
        bits_put_ue(out, picture->seq_fields.bits.chroma_format_idc);
        bits_put_ue(out, picture->bit_depth_luma_minus8);
        bits_put_ue(out, picture->bit_depth_chroma_minus8);
        bits_put(out, 1, 0); /* qpprime_y_zero_transform_bypass_flag */
        bits_put(out, 1, 0); /* seq_scaling_matrix_present_flag */
    }
    bits_put_ue(out, picture->seq_fields.bits.log2_max_frame_num_minus4);
    bits_put_ue(out, picture->seq_fields.bits.pic_order_cnt_type);
    if (picture->seq_fields.bits.pic_order_cnt_type == 0)
        bits_put_ue(out, picture->seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4);
    bits_put_ue(out, picture->num_ref_frames);
    bits_put(out, 1, picture->seq_fields.bits.gaps_in_frame_num_value_allowed_flag);
    bits_put_ue(out, picture->picture_width_in_mbs_minus1);
    bits_put_ue(out, (frames_only ? rows : rows / 2) - 1);
    bits_put(out, 1, frames_only);
    if (!frames_only)
        bits_put(out, 1, picture->seq_fields.bits.mb_adaptive_frame_field_flag);
    bits_put(out, 1, picture->seq_fields.bits.direct_8x8_inference_flag);
    bits_put(out, 1, 0); /* frame_cropping_flag */
    bits_put(out, 1, 0); /* vui_parameters_present_flag */
}

static void put_scaling_list(struct bit_writer *out, const uint8_t *list, const uint8_t *scan,
                             unsigned count)
{
    int last = 8;
    bits_put(out, 1, 1); /* the list is there */
    for (unsigned i = 0; i < count; i++) {
        bits_put_se(out, (int8_t)(list[scan[i]] - last));
        last = list[scan[i]];
    }
}

static bool all_are_16(const uint8_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != 16)
            return false;
    return true;
}

static void put_scaling_lists(struct bit_writer *out, const VAIQMatrixBufferH264 *matrices,
                              bool transform_8x8)
{
    uint8_t scan_8x8[64];
    if (!matrices || (all_are_16(matrices->ScalingList4x4[0], sizeof(matrices->ScalingList4x4)) &&
                      all_are_16(matrices->ScalingList8x8[0], sizeof(matrices->ScalingList8x8)))) {
        bits_put(out, 1, 0);
        return;
    }
    make_scan_8x8(scan_8x8);
    bits_put(out, 1, 1);
    for (int i = 0; i < 6; i++)
        put_scaling_list(out, matrices->ScalingList4x4[i], scan_4x4, 16);
    for (int i = 0; transform_8x8 && i < 2; i++)
        put_scaling_list(out, matrices->ScalingList8x8[i], scan_8x8, 64);
}

static void put_picture_set(struct bit_writer *out, unsigned profile,
                            const VAPictureParameterBufferH264 *picture,
                            const VAIQMatrixBufferH264 *matrices, const struct slice_facts *facts)
{
    bits_put_ue(out, facts->parameter_set);
    bits_put_ue(out, 0); /* seq_parameter_set_id */
    bits_put(out, 1, picture->pic_fields.bits.entropy_coding_mode_flag);
    bits_put(out, 1, picture->pic_fields.bits.pic_order_present_flag);
    bits_put_ue(out, 0); /* num_slice_groups_minus1 */
    bits_put_ue(out, facts->references[0]);
    bits_put_ue(out, facts->references[1]);
    bits_put(out, 1, picture->pic_fields.bits.weighted_pred_flag);
    bits_put(out, 2, picture->pic_fields.bits.weighted_bipred_idc);
    bits_put_se(out, picture->pic_init_qp_minus26);
    bits_put_se(out, picture->pic_init_qs_minus26);
    bits_put_se(out, picture->chroma_qp_index_offset);
    bits_put(out, 1, picture->pic_fields.bits.deblocking_filter_control_present_flag);
    bits_put(out, 1, picture->pic_fields.bits.constrained_intra_pred_flag);
    bits_put(out, 1, picture->pic_fields.bits.redundant_pic_cnt_present_flag);
    if (profile != PROFILE_HIGH)
        return;
    bits_put(out, 1, picture->pic_fields.bits.transform_8x8_mode_flag);
    put_scaling_lists(out, matrices, picture->pic_fields.bits.transform_8x8_mode_flag);
    bits_put_se(out, picture->second_chroma_qp_index_offset);
}

static void put_unit(struct bit_writer *stream, uint8_t header, struct bit_writer *payload)
{
    nal_put(stream, &header, sizeof(header), payload);
}

static bool write_h264(const struct coded_picture *coded, struct bit_writer *stream)
{
    const VAPictureParameterBufferH264 *picture = coded->parameters;
    const unsigned profile = profile_number(coded->profile);
    struct slice_facts facts = {0};
    struct bit_writer payload = {0};

    /* The offsets of type 1 are not among the parameters. */
    if (picture->seq_fields.bits.pic_order_cnt_type == 1 ||
        picture->seq_fields.bits.chroma_format_idc != 1 || picture->bit_depth_luma_minus8 ||
        picture->bit_depth_chroma_minus8)
        return false;
    for (unsigned i = 0; i < coded->slice_count; i++)
        read_slice(picture, &coded->slices[i], &facts);
    put_sequence_set(&payload, profile, picture);
    put_unit(stream, NAL_HEADER_SPS, &payload);
    put_picture_set(&payload, profile, picture, coded->matrices, &facts);
    put_unit(stream, NAL_HEADER_PPS, &payload);
    for (unsigned i = 0; i < coded->slice_count; i++)
        nal_put_whole(stream, coded->slices[i].data, coded->slices[i].size);
    return true;
}

static unsigned surfaces_of_h264(const void *parameters, VASurfaceID surfaces[MAX_REFERENCES + 1])
{
    const VAPictureParameterBufferH264 *picture = parameters;
    unsigned count = 0;
    surfaces[count++] = picture->CurrPic.picture_id;
    for (int i = 0; i < MAX_REFERENCES; i++) {
        const VAPictureH264 *reference = &picture->ReferenceFrames[i];
        if (!(reference->flags & VA_PICTURE_H264_INVALID) &&
            reference->picture_id != VA_INVALID_SURFACE)
            surfaces[count++] = reference->picture_id;
    }
    return count;
}

const struct codec codec_h264 = {
    .decoder = "h264",
    .fields = true,
    .parameters_size = sizeof(VAPictureParameterBufferH264),
    .matrices_size = sizeof(VAIQMatrixBufferH264),
    .slice_parameters_size = sizeof(VASliceParameterBufferH264),
    .write = write_h264,
    .surfaces = surfaces_of_h264,
};
