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
FATE_VMAFX_HIP_API = $(addprefix fate-vmafx-hip-drm-, nv12 nv12-separate p010 p010-separate refused)
fate-vmafx-hip-drm-nv12:          CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) nv12 composed 178 146 4
fate-vmafx-hip-drm-nv12-separate: CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) nv12 separate 178 146 4
fate-vmafx-hip-drm-p010:          CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) p010le composed 178 146 4
fate-vmafx-hip-drm-p010-separate: CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) p010le separate 178 146 4

# Descriptors that say something wrong: each gets an error.
fate-vmafx-hip-drm-refused:       CMD = run $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF) nv12 refused 178 146 5

FATE_VMAFX_HIP-$(call ALLYES, VMAFX_HIP_FILTER LIBDRM) += $(FATE_VMAFX_HIP_API)
$(FATE_VMAFX_HIP_API): $(APITESTSDIR)/api-vmafx-hip-test$(EXESUF)

FATE-yes += $(FATE_VMAFX_HIP-yes)
fate-vmafx-hip: $(FATE_VMAFX_HIP-yes)
