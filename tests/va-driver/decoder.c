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
    AVCodecContext *context;
    AVPacket *packet;
    AVFrame *output;
    AVFrame *current; /* the last one that decoding began */
};

/* The frame that is written to now, a second field's too. */
static int get_buffer(AVCodecContext *context, AVFrame *frame, int flags)
{
    struct decoder *decoder = context->opaque;
    int result = avcodec_default_get_buffer2(context, frame, flags);
    if (result < 0)
        return result;
    av_frame_unref(decoder->current);
    return av_frame_ref(decoder->current, frame);
}

struct decoder *decoder_open(VAProfile profile)
{
    struct decoder *decoder = calloc(1, sizeof(*decoder));
    const AVCodec *codec = avcodec_find_decoder(
        codec_of(profile) == &codec_h264 ? AV_CODEC_ID_H264 : AV_CODEC_ID_MPEG2VIDEO);

    if (!decoder || !codec) {
        free(decoder);
        return NULL;
    }
    av_log_set_level(AV_LOG_ERROR);
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

static void interleave(const AVFrame *frame, struct picture *picture)
{
    for (unsigned y = 0; y < picture->height; y++)
        memcpy(picture->rows[0] + y * picture->pitch[0], frame->data[0] + y * frame->linesize[0],
               picture->width);
    for (unsigned y = 0; y < plane_height(picture->height, 1); y++) {
        uint8_t *row = picture->rows[1] + y * picture->pitch[1];
        for (unsigned x = 0; x < plane_width(picture->width, 1); x++) {
            row[2 * x] = frame->data[1][y * frame->linesize[1] + x];
            row[2 * x + 1] = frame->data[2][y * frame->linesize[2] + x];
        }
    }
}

bool decoder_decode(struct decoder *decoder, const uint8_t *stream, size_t size,
                    struct picture *picture)
{
    if (av_new_packet(decoder->packet, (int)size) < 0)
        return false;
    memcpy(decoder->packet->data, stream, size);
    int result = avcodec_send_packet(decoder->context, decoder->packet);
    av_packet_unref(decoder->packet);
    while (avcodec_receive_frame(decoder->context, decoder->output) >= 0)
        av_frame_unref(decoder->output);
    const AVFrame *frame = decoder->current;
    if (result < 0 || !frame->data[0] || frame->format != AV_PIX_FMT_YUV420P)
        return false;
    picture_make(picture, format_of_fourcc(VA_FOURCC_NV12), (unsigned)frame->width,
                 (unsigned)frame->height);
    interleave(frame, picture);
    return true;
}
