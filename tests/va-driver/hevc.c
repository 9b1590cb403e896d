/* SPDX-License-Identifier: BSD-2-Clause
 *
 * HEVC: parameter sets for every picture, the same ones again as long as the sequence goes on. The
 * number of the picture parameter set is read from the slices' headers. What VA-API leaves out are
 * the sets of references that a sequence may have: streams whose slices have their own can be
 * decoded.
 */
#include "coded_picture.h"
#include "nal.h"

enum {
    UNIT_FIRST_RANDOM_ACCESS = 16,
    UNIT_LAST_RANDOM_ACCESS = 23,
    UNIT_VIDEO_SET = 32,
    UNIT_SEQUENCE_SET = 33,
    UNIT_PICTURE_SET = 34,
    UNIT_END_OF_SEQUENCE = 36,
    PROFILE_MAIN = 1,
    PROFILE_MAIN_10 = 2,
    LEVEL_6_2 = 186,
    HEADER_BYTES = 2,
    REFERENCES = 15,
};

static void put_unit(struct bit_writer *stream, unsigned type, struct bit_writer *payload)
{
    const uint8_t header[HEADER_BYTES] = {(uint8_t)(type << 1), 1};
    nal_put(stream, header, sizeof(header), payload);
}

static uint32_t picture_set_of(const struct slice *slice)
{
    const unsigned type = slice->data[0] >> 1 & 63;
    uint8_t header[16];
    size_t size = slice->size > HEADER_BYTES ? slice->size - HEADER_BYTES : 0;
    struct bit_reader reader = {
        header, nal_unescape(slice->data + HEADER_BYTES, size, header, sizeof(header)), 0};

    bits_get(&reader, 1); /* first_slice_segment_in_pic_flag */
    if (type >= UNIT_FIRST_RANDOM_ACCESS && type <= UNIT_LAST_RANDOM_ACCESS)
        bits_get(&reader, 1); /* no_output_of_prior_pics_flag */
    return bits_get_ue(&reader);
}

static void put_profile(struct bit_writer *out, VAProfile profile)
{
    const unsigned number = profile == VAProfileHEVCMain10 ? PROFILE_MAIN_10 : PROFILE_MAIN;

    bits_put(out, 3, 0); /* profile space, tier */
    bits_put(out, 5, number);
    bits_put(out, 32, UINT32_C(1) << (31 - number)); /* compatible with itself */
    bits_put(out, 4, 9);                             /* progressive, frames only */
    bits_put(out, 32, 0);
    bits_put(out, 12, 0);
    bits_put(out, 8, LEVEL_6_2);
}

/* The order of output is of no interest: no picture waits for another one. */
static void put_buffering(struct bit_writer *out, const VAPictureParameterBufferHEVC *picture)
{
    bits_put(out, 1, 1);
    bits_put_ue(out, picture->sps_max_dec_pic_buffering_minus1);
    bits_put_ue(out, 0); /* sps_max_num_reorder_pics */
    bits_put_ue(out, 0); /* sps_max_latency_increase_plus1 */
}

static void put_video_set(struct bit_writer *out, VAProfile profile,
                          const VAPictureParameterBufferHEVC *picture)
{
    bits_put(out, 4, 0); /* vps_video_parameter_set_id */
    bits_put(out, 2, 3); /* the base layer is here */
    bits_put(out, 9, 0); /* one layer without sub-layers */
    bits_put(out, 1, 1); /* vps_temporal_id_nesting_flag */
    bits_put(out, 16, 0xffff);
    put_profile(out, profile);
    put_buffering(out, picture);
    bits_put(out, 6, 0); /* vps_max_layer_id */
    bits_put_ue(out, 0); /* vps_num_layer_sets_minus1 */
    bits_put(out, 2, 0); /* neither timing nor an extension */
}

static void put_pcm(struct bit_writer *out, const VAPictureParameterBufferHEVC *picture)
{
    bits_put(out, 4, picture->pcm_sample_bit_depth_luma_minus1);
    bits_put(out, 4, picture->pcm_sample_bit_depth_chroma_minus1);
    bits_put_ue(out, picture->log2_min_pcm_luma_coding_block_size_minus3);
    bits_put_ue(out, picture->log2_diff_max_min_pcm_luma_coding_block_size);
    bits_put(out, 1, picture->pic_fields.bits.pcm_loop_filter_disabled_flag);
}

static void put_sequence_set(struct bit_writer *out, VAProfile profile,
                             const VAPictureParameterBufferHEVC *picture)
{
    bits_put(out, 7, 0); /* sps_video_parameter_set_id, no sub-layers */
    bits_put(out, 1, 1); /* sps_temporal_id_nesting_flag */
    put_profile(out, profile);
    bits_put_ue(out, 0); /* sps_seq_parameter_set_id */
    bits_put_ue(out, picture->pic_fields.bits.chroma_format_idc);
    bits_put_ue(out, picture->pic_width_in_luma_samples);
    bits_put_ue(out, picture->pic_height_in_luma_samples);
    bits_put(out, 1, 0); /* conformance_window_flag */
    bits_put_ue(out, picture->bit_depth_luma_minus8);
    bits_put_ue(out, picture->bit_depth_chroma_minus8);
    bits_put_ue(out, picture->log2_max_pic_order_cnt_lsb_minus4);
    put_buffering(out, picture);
    bits_put_ue(out, picture->log2_min_luma_coding_block_size_minus3);
    bits_put_ue(out, picture->log2_diff_max_min_luma_coding_block_size);
    bits_put_ue(out, picture->log2_min_transform_block_size_minus2);
    bits_put_ue(out, picture->log2_diff_max_min_transform_block_size);
    bits_put_ue(out, picture->max_transform_hierarchy_depth_inter);
    bits_put_ue(out, picture->max_transform_hierarchy_depth_intra);
    bits_put(out, 1, picture->pic_fields.bits.scaling_list_enabled_flag);
    if (picture->pic_fields.bits.scaling_list_enabled_flag)
        bits_put(out, 1, 0); /* the lists are in the picture parameter set */
    bits_put(out, 1, picture->pic_fields.bits.amp_enabled_flag);
    bits_put(out, 1, picture->slice_parsing_fields.bits.sample_adaptive_offset_enabled_flag);
    bits_put(out, 1, picture->pic_fields.bits.pcm_enabled_flag);
    if (picture->pic_fields.bits.pcm_enabled_flag)
        put_pcm(out, picture);
    bits_put_ue(out, 0); /* num_short_term_ref_pic_sets */
    bits_put(out, 1, picture->slice_parsing_fields.bits.long_term_ref_pics_present_flag);
    if (picture->slice_parsing_fields.bits.long_term_ref_pics_present_flag)
        bits_put_ue(out, 0); /* num_long_term_ref_pics_sps */
    bits_put(out, 1, picture->slice_parsing_fields.bits.sps_temporal_mvp_enabled_flag);
    bits_put(out, 1, picture->pic_fields.bits.strong_intra_smoothing_enabled_flag);
    bits_put(out, 2, 0); /* neither usability information nor an extension */
}

/* A list comes by rows, and goes along diagonals from the lower left to the upper right. */
static void put_scaling_list(struct bit_writer *out, const uint8_t *list, unsigned size,
                             const uint8_t *dc)
{
    int last = dc ? *dc : 8;

    bits_put(out, 1, 1); /* scaling_list_pred_mode_flag: the list is there */
    if (dc)
        bits_put_se(out, *dc - 8);
    for (unsigned diagonal = 0; diagonal < 2 * size - 1; diagonal++)
        for (unsigned x = 0; x <= diagonal; x++) {
            unsigned y = diagonal - x;
            if (x >= size || y >= size)
                continue;
            bits_put_se(out, (int8_t)(list[y * size + x] - last));
            last = list[y * size + x];
        }
}

static void put_scaling_lists(struct bit_writer *out, const VAIQMatrixBufferHEVC *matrices)
{
    bits_put(out, 1, matrices != NULL);
    if (!matrices)
        return;
    for (int i = 0; i < 6; i++)
        put_scaling_list(out, matrices->ScalingList4x4[i], 4, NULL);
    for (int i = 0; i < 6; i++)
        put_scaling_list(out, matrices->ScalingList8x8[i], 8, NULL);
    for (int i = 0; i < 6; i++)
        put_scaling_list(out, matrices->ScalingList16x16[i], 8, &matrices->ScalingListDC16x16[i]);
    for (int i = 0; i < 2; i++)
        put_scaling_list(out, matrices->ScalingList32x32[i], 8, &matrices->ScalingListDC32x32[i]);
}

static void put_tiles(struct bit_writer *out, const VAPictureParameterBufferHEVC *picture)
{
    bits_put_ue(out, picture->num_tile_columns_minus1);
    bits_put_ue(out, picture->num_tile_rows_minus1);
    bits_put(out, 1, 0); /* uniform_spacing_flag */
    for (unsigned i = 0; i < picture->num_tile_columns_minus1; i++)
        bits_put_ue(out, picture->column_width_minus1[i]);
    for (unsigned i = 0; i < picture->num_tile_rows_minus1; i++)
        bits_put_ue(out, picture->row_height_minus1[i]);
    bits_put(out, 1, picture->pic_fields.bits.loop_filter_across_tiles_enabled_flag);
}

static void put_deblocking(struct bit_writer *out, const VAPictureParameterBufferHEVC *picture)
{
    const bool disabled = picture->slice_parsing_fields.bits.pps_disable_deblocking_filter_flag;

    bits_put(out, 1, 1); /* deblocking_filter_control_present_flag */
    bits_put(out, 1, picture->slice_parsing_fields.bits.deblocking_filter_override_enabled_flag);
    bits_put(out, 1, disabled);
    if (disabled)
        return;
    bits_put_se(out, picture->pps_beta_offset_div2);
    bits_put_se(out, picture->pps_tc_offset_div2);
}

static void put_picture_set(struct bit_writer *out, const VAPictureParameterBufferHEVC *picture,
                            const VAIQMatrixBufferHEVC *matrices, uint32_t number)
{
    bits_put_ue(out, number);
    bits_put_ue(out, 0); /* pps_seq_parameter_set_id */
    bits_put(out, 1, picture->slice_parsing_fields.bits.dependent_slice_segments_enabled_flag);
    bits_put(out, 1, picture->slice_parsing_fields.bits.output_flag_present_flag);
    bits_put(out, 3, picture->num_extra_slice_header_bits);
    bits_put(out, 1, picture->pic_fields.bits.sign_data_hiding_enabled_flag);
    bits_put(out, 1, picture->slice_parsing_fields.bits.cabac_init_present_flag);
    bits_put_ue(out, picture->num_ref_idx_l0_default_active_minus1);
    bits_put_ue(out, picture->num_ref_idx_l1_default_active_minus1);
    bits_put_se(out, picture->init_qp_minus26);
    bits_put(out, 1, picture->pic_fields.bits.constrained_intra_pred_flag);
    bits_put(out, 1, picture->pic_fields.bits.transform_skip_enabled_flag);
    bits_put(out, 1, picture->pic_fields.bits.cu_qp_delta_enabled_flag);
    if (picture->pic_fields.bits.cu_qp_delta_enabled_flag)
        bits_put_ue(out, picture->diff_cu_qp_delta_depth);
    bits_put_se(out, picture->pps_cb_qp_offset);
    bits_put_se(out, picture->pps_cr_qp_offset);
    bits_put(out, 1, picture->slice_parsing_fields.bits.pps_slice_chroma_qp_offsets_present_flag);
    bits_put(out, 1, picture->pic_fields.bits.weighted_pred_flag);
    bits_put(out, 1, picture->pic_fields.bits.weighted_bipred_flag);
    bits_put(out, 1, picture->pic_fields.bits.transquant_bypass_enabled_flag);
    bits_put(out, 1, picture->pic_fields.bits.tiles_enabled_flag);
    bits_put(out, 1, picture->pic_fields.bits.entropy_coding_sync_enabled_flag);
    if (picture->pic_fields.bits.tiles_enabled_flag)
        put_tiles(out, picture);
    bits_put(out, 1, picture->pic_fields.bits.pps_loop_filter_across_slices_enabled_flag);
    put_deblocking(out, picture);
    put_scaling_lists(out, matrices);
    bits_put(out, 1, picture->slice_parsing_fields.bits.lists_modification_present_flag);
    bits_put_ue(out, picture->log2_parallel_merge_level_minus2);
    bits_put(out, 1,
             picture->slice_parsing_fields.bits.slice_segment_header_extension_present_flag);
    bits_put(out, 1, 0); /* pps_extension_present_flag */
}

static unsigned surfaces_of_hevc(const void *parameters, VASurfaceID surfaces[MAX_REFERENCES + 1])
{
    const VAPictureParameterBufferHEVC *picture = parameters;
    unsigned count = 0;
    surfaces[count++] = picture->CurrPic.picture_id;
    for (int i = 0; i < REFERENCES; i++) {
        const VAPictureHEVC *reference = &picture->ReferenceFrames[i];
        if (!(reference->flags & VA_PICTURE_HEVC_INVALID) &&
            reference->picture_id != VA_INVALID_SURFACE)
            surfaces[count++] = reference->picture_id;
    }
    return count;
}

/* After a seek no picture from before counts, which the decoder would not know else. */
static bool begins_anew(const struct coded_picture *coded)
{
    const VAPictureParameterBufferHEVC *picture = coded->parameters;
    VASurfaceID surfaces[MAX_REFERENCES + 1];
    return !coded->first && picture->slice_parsing_fields.bits.RapPicFlag &&
           surfaces_of_hevc(picture, surfaces) == 1;
}

static bool write_hevc(const struct coded_picture *coded, struct bit_writer *stream)
{
    const VAPictureParameterBufferHEVC *picture = coded->parameters;
    const uint8_t end_of_sequence[HEADER_BYTES] = {UNIT_END_OF_SEQUENCE << 1, 1};
    const unsigned depth = coded->profile == VAProfileHEVCMain10 ? 10 : 8;
    struct bit_writer payload = {0};

    if (picture->num_short_term_ref_pic_sets || picture->num_long_term_ref_pic_sps ||
        picture->pic_fields.bits.chroma_format_idc != 1 ||
        picture->bit_depth_luma_minus8 + 8u != depth ||
        picture->bit_depth_chroma_minus8 + 8u != depth)
        return false;
    if (begins_anew(coded))
        nal_put_whole(stream, end_of_sequence, sizeof(end_of_sequence));
    put_video_set(&payload, coded->profile, picture);
    put_unit(stream, UNIT_VIDEO_SET, &payload);
    put_sequence_set(&payload, coded->profile, picture);
    put_unit(stream, UNIT_SEQUENCE_SET, &payload);
    put_picture_set(&payload, picture, coded->matrices, picture_set_of(&coded->slices[0]));
    put_unit(stream, UNIT_PICTURE_SET, &payload);
    for (unsigned i = 0; i < coded->slice_count; i++)
        nal_put_whole(stream, coded->slices[i].data, coded->slices[i].size);
    return true;
}

const struct codec codec_hevc = {
    .decoder = "hevc",
    .parameters_size = sizeof(VAPictureParameterBufferHEVC),
    .matrices_size = sizeof(VAIQMatrixBufferHEVC),
    .slice_parameters_size = sizeof(VASliceParameterBufferHEVC),
    .write = write_hevc,
    .surfaces = surfaces_of_hevc,
};
