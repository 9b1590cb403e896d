# Tests of the vmafx_hip filter. The scores are exact, so that the references are compared as text.

# Metadata of frames from lavfi sources: on the CPU runtime, which every machine has.
VMAFX_HIP_SOURCE = testsrc2=size=300x200:rate=1:duration=5

VMAFX_HIP_GRAPH = $(VMAFX_HIP_SOURCE),format=$(1),split[ref][tmp];[tmp]avgblur=4[enc];[enc][ref]vmafx_hip=runtime=cpu:$(2),metadata=print:file=-

# The command is unquoted once by FATE, once by the graph's parser, once by the option's.
FATE_VMAFX_HIP_CLI = $(addprefix fate-vmafx-hip-, yuv420p yuv422p10 gray subsample models)
fate-vmafx-hip-yuv420p: CMD = ffmpeg -lavfi "$(call VMAFX_HIP_GRAPH,yuv420p,feature=name=psnr)" -f null /dev/null
fate-vmafx-hip-yuv422p10: CMD = ffmpeg -auto_conversion_filters -lavfi "$(call VMAFX_HIP_GRAPH,yuv422p10le,feature=name=psnr)" -f null /dev/null
fate-vmafx-hip-gray: CMD = ffmpeg -auto_conversion_filters -lavfi "$(call VMAFX_HIP_GRAPH,gray,metadata=model)" -f null /dev/null
fate-vmafx-hip-subsample: CMD = ffmpeg -lavfi "$(call VMAFX_HIP_GRAPH,yuv420p,n_subsample=2)" -f null /dev/null
fate-vmafx-hip-models: CMD = ffmpeg -lavfi "$(call VMAFX_HIP_GRAPH,yuv420p,metadata=model:model=version=vmaf_v0.6.1\\\\:name=first|version=vmaf_v0.6.1neg\\\\:name=second)" -f null /dev/null

FATE_VMAFX_HIP-$(call ALLYES, FFMPEG VMAFX_HIP_FILTER TESTSRC2_FILTER FORMAT_FILTER SPLIT_FILTER \
                 AVGBLUR_FILTER METADATA_FILTER SCALE_FILTER LAVFI_INDEV                        \
                 WRAPPED_AVFRAME_ENCODER NULL_MUXER FILE_PROTOCOL PIPE_PROTOCOL) += $(FATE_VMAFX_HIP_CLI)
$(FATE_VMAFX_HIP_CLI): ffmpeg$(PROGSSUF)$(EXESUF)

# DRM-PRIME frames: import in place, download and host upload of the same pixels.
FATE_VMAFX_HIP_API = $(addprefix fate-vmafx-hip-drm-, nv12 nv12-separate p010 p010-separate refused refused-host)
fate-vmafx-hip-drm-nv12:          CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) nv12 composed 178 146 4
fate-vmafx-hip-drm-nv12-separate: CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) nv12 separate 178 146 4
fate-vmafx-hip-drm-p010:          CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) p010le composed 178 146 4
fate-vmafx-hip-drm-p010-separate: CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) p010le separate 178 146 4

# Descriptors that say something wrong: each gets an error.
fate-vmafx-hip-drm-refused:       CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) nv12 refused 178 146 5
fate-vmafx-hip-drm-refused-host:  CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) nv12 refused-host 178 146 5

FATE_VMAFX_HIP-$(call ALLYES, VMAFX_HIP_FILTER LIBDRM) += $(FATE_VMAFX_HIP_API)
$(FATE_VMAFX_HIP_API): $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF)

# Software frames, VAAPI surfaces, and DRM-PRIME frames mapped from these: scores that have to be equal.
VMAFX_HIP_FRAMES = . $$base/vmafx-hip/frames.sh; vmafx_hip_frames

FATE_VMAFX_HIP_SOFTWARE = $(addprefix fate-vmafx-hip-software-, nv12 p010)
FATE_VMAFX_HIP_UPLOAD   = $(addprefix fate-vmafx-hip-vaapi-, nv12 p010 drm-nv12 drm-p010)
fate-vmafx-hip-software-nv12:  CMD = $(VMAFX_HIP_FRAMES) software nv12
fate-vmafx-hip-software-p010:  CMD = $(VMAFX_HIP_FRAMES) software p010le
fate-vmafx-hip-vaapi-nv12:     CMD = $(VMAFX_HIP_FRAMES) vaapi nv12
fate-vmafx-hip-vaapi-p010:     CMD = $(VMAFX_HIP_FRAMES) vaapi p010le
fate-vmafx-hip-vaapi-drm-nv12: CMD = $(VMAFX_HIP_FRAMES) drm nv12
fate-vmafx-hip-vaapi-drm-p010: CMD = $(VMAFX_HIP_FRAMES) drm p010le

FATE_VMAFX_HIP_H264  = $(addprefix fate-vmafx-hip-vaapi-, h264 drm-h264)
FATE_VMAFX_HIP_MPEG2 = $(addprefix fate-vmafx-hip-vaapi-, mpeg2 drm-mpeg2)
FATE_VMAFX_HIP_HEVC  = $(addprefix fate-vmafx-hip-vaapi-, hevc-10 drm-hevc-10)
FATE_VMAFX_HIP_VP9   = $(addprefix fate-vmafx-hip-vaapi-, vp9-10 drm-vp9-10)
fate-vmafx-hip-vaapi-h264:        CMD = $(VMAFX_HIP_FRAMES) vaapi nv12 h264.mkv
fate-vmafx-hip-vaapi-drm-h264:    CMD = $(VMAFX_HIP_FRAMES) drm nv12 h264.mkv
fate-vmafx-hip-vaapi-mpeg2:       CMD = $(VMAFX_HIP_FRAMES) vaapi nv12 mpeg2.mkv
fate-vmafx-hip-vaapi-drm-mpeg2:   CMD = $(VMAFX_HIP_FRAMES) drm nv12 mpeg2.mkv
fate-vmafx-hip-vaapi-hevc-10:     CMD = $(VMAFX_HIP_FRAMES) vaapi p010le hevc-10.mkv
fate-vmafx-hip-vaapi-drm-hevc-10: CMD = $(VMAFX_HIP_FRAMES) drm p010le hevc-10.mkv
fate-vmafx-hip-vaapi-vp9-10:      CMD = $(VMAFX_HIP_FRAMES) vaapi p010le vp9-10.mkv
fate-vmafx-hip-vaapi-drm-vp9-10:  CMD = $(VMAFX_HIP_FRAMES) drm p010le vp9-10.mkv

VMAFX_HIP_DEPS = FFMPEG VMAFX_HIP_FILTER NULL_FILTER METADATA_FILTER WRAPPED_AVFRAME_ENCODER NULL_MUXER FILE_PROTOCOL PIPE_PROTOCOL
VMAFX_HIP_MADE = $(VMAFX_HIP_DEPS) TESTSRC2_FILTER FORMAT_FILTER SPLIT_FILTER AVGBLUR_FILTER SCALE_FILTER LAVFI_INDEV
VMAFX_HIP_HW   = VAAPI LIBDRM HWUPLOAD_FILTER HWMAP_FILTER FORMAT_FILTER

FATE_VMAFX_HIP-$(call ALLYES, $(VMAFX_HIP_MADE)) += $(FATE_VMAFX_HIP_SOFTWARE)

# With hardware: they are skipped where there is no VA device, and where it lacks what they need.
FATE_VMAFX_HIP_HW-$(call ALLYES, $(VMAFX_HIP_MADE) $(VMAFX_HIP_HW)) += $(FATE_VMAFX_HIP_UPLOAD)
FATE_VMAFX_HIP_HW-$(call ALLYES, $(VMAFX_HIP_DEPS) $(VMAFX_HIP_HW) MATROSKA_DEMUXER H264_PARSER H264_DECODER H264_VAAPI_HWACCEL) += $(FATE_VMAFX_HIP_H264)
FATE_VMAFX_HIP_HW-$(call ALLYES, $(VMAFX_HIP_DEPS) $(VMAFX_HIP_HW) MATROSKA_DEMUXER MPEGVIDEO_PARSER MPEG2VIDEO_DECODER MPEG2_VAAPI_HWACCEL) += $(FATE_VMAFX_HIP_MPEG2)
FATE_VMAFX_HIP_HW-$(call ALLYES, $(VMAFX_HIP_DEPS) $(VMAFX_HIP_HW) MATROSKA_DEMUXER HEVC_PARSER HEVC_DECODER HEVC_VAAPI_HWACCEL) += $(FATE_VMAFX_HIP_HEVC)
FATE_VMAFX_HIP_HW-$(call ALLYES, $(VMAFX_HIP_DEPS) $(VMAFX_HIP_HW) MATROSKA_DEMUXER VP9_PARSER VP9_DECODER VP9_VAAPI_HWACCEL) += $(FATE_VMAFX_HIP_VP9)

$(FATE_VMAFX_HIP_SOFTWARE) $(FATE_VMAFX_HIP_HW-yes): ffmpeg$(PROGSSUF)$(EXESUF)

FATE-yes += $(FATE_VMAFX_HIP-yes)
FATE_HW-yes += $(FATE_VMAFX_HIP_HW-yes)
fate-vmafx-hip: $(FATE_VMAFX_HIP-yes) $(FATE_VMAFX_HIP_HW-yes)
