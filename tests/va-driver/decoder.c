/* SPDX-License-Identifier: BSD-2-Clause
 *
 * FFmpeg's software decoders behind the driver.
 */
#include "decoder.h"

#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>

#include "coded_picture.h"

struct decoder {
    const struct codec *codec;
    AVCodecContext *context;
    AVPacket *packet;
    AVFrame *output;
    AVFrame *current; /* that the picture is written to */
};

/* The last frame before the picture's end is its own, even if it began with the picture before;
 * where there are no fields it is the first one, and others stand for missing references. */
static int get_buffer(AVCodecContext *context, AVFrame *frame, int flags)
{
    struct decoder *decoder = context->opaque;
    int result = avcodec_default_get_buffer2(context, frame, flags);
    if (result < 0 || (!decoder->codec->fields && decoder->current->data[0]))
        return result;
    av_frame_unref(decoder->current);
    return av_frame_ref(decoder->current, frame);
}

struct decoder *decoder_open(VAProfile profile)
{
    struct decoder *decoder = calloc(1, sizeof(*decoder));
    const AVCodec *codec = avcodec_find_decoder_by_name(codec_of(profile)->decoder);

    if (!decoder || !codec) {
        free(decoder);
        return NULL;
    }
    av_log_set_level(AV_LOG_ERROR);
    decoder->codec = codec_of(profile);
    decoder->context = avcodec_alloc_context3(codec);
    decoder->packet = av_packet_alloc();
    decoder->output = av_frame_alloc();
    decoder->current = av_frame_alloc();
    if (decoder->context && decoder->packet && decoder->output && decoder->current) {
        decoder->context->flags |= AV_CODEC_FLAG_LOW_DELAY;
        decoder->context->thread_count = 1;
        decoder->context->error_concealment = 0;
        decoder->context->opaque = decoder;
        decoder->context->get_buffer2 = get_buffer;
        if (avcodec_open2(decoder->context, codec, NULL) >= 0)
            return decoder;
    }
    decoder_close(decoder);
    return NULL;
}

void decoder_close(struct decoder *decoder)
{
    avcodec_free_context(&decoder->context);
    av_packet_free(&decoder->packet);
    av_frame_free(&decoder->output);
    av_frame_free(&decoder->current);
    free(decoder);
}

/* Samples of more than 8 bits fill the upper bits of 16. */
static void put_row(uint8_t *row, const uint8_t *samples, unsigned count, unsigned step, int shift)
{
    for (unsigned x = 0; x < count; x++)
        if (shift)
            ((uint16_t *)row)[x * step] =
                (uint16_t)(((const uint16_t *)(const void *)samples)[x] << shift);
        else
            row[x * step] = samples[x];
}

static void interleave(const AVFrame *frame, int shift, struct picture *picture)
{
    const size_t bytes = shift ? 2 : 1;
    for (unsigned y = 0; y < picture->height; y++)
        put_row(picture->rows[0] + y * picture->pitch[0], frame->data[0] + y * frame->linesize[0],
                picture->width, 1, shift);
    for (unsigned y = 0; y < plane_height(picture->height, 1); y++)
        for (unsigned i = 1; i < 3; i++)
            put_row(picture->rows[1] + y * picture->pitch[1] + (i - 1) * bytes,
                    frame->data[i] + y * frame->linesize[i], plane_width(picture->width, 1), 2,
                    shift);
}

bool decoder_decode(struct decoder *decoder, const uint8_t *stream, size_t size,
                    struct picture *picture)
{
    if (av_new_packet(decoder->packet, (int)size) < 0)
        return false;
    memcpy(decoder->packet->data, stream, size);
    if (!decoder->codec->fields)
        av_frame_unref(decoder->current);
    int result = avcodec_send_packet(decoder->context, decoder->packet);
    av_packet_unref(decoder->packet);
    while (avcodec_receive_frame(decoder->context, decoder->output) >= 0)
        av_frame_unref(decoder->output);
    const AVFrame *frame = decoder->current;
    const bool deep = frame->format == AV_PIX_FMT_YUV420P10;
    if (result < 0 || !frame->data[0] || (!deep && frame->format != AV_PIX_FMT_YUV420P))
        return false;
    picture_make(picture, format_of_fourcc(deep ? VA_FOURCC_P010 : VA_FOURCC_NV12),
                 (unsigned)frame->width, (unsigned)frame->height);
    interleave(frame, deep ? 16 - 10 : 0, picture);
    return true;
}
