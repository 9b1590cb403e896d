/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a metric gives to the core: a description of itself and a plan.
 *
 * One plan per metric and context serves all option sets ("instances") asked for, so that they
 * share loads and intermediate results, also those of features that are one metric under two names.
 * The core calls, in this order: add_instance() for each distinct option set; prepare() at the
 * first frame; enqueue() per frame, in submission order; collect() per frame and instance once the
 * frame's results are on the host, in frame order; finish() per instance at the end of the stream.
 *
 * A context with several lanes makes and prepares a plan for each of them, whose enqueue() sees
 * some of the frames, while the others' work on the device goes on. All other calls go to the first
 * plan: enqueue() leaves nothing behind on the host that another call reads.
 */
#ifndef VMAFX_FEATURES_FEATURE_H
#define VMAFX_FEATURES_FEATURE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "features/colour_tags.h"
#include "features/options.h"

namespace vmafx
{

enum class Chroma { k400, k420, k422, k444 };

/** What all frames of a context have in common. */
struct PictureFormat {
    uint32_t width = 0;  /* luma samples */
    uint32_t height = 0; /* luma rows */
    uint32_t bits = 0;   /* 8..16; samples are bytes for 8, else 16-bit words with the value low */
    Chroma chroma = Chroma::k420;

    uint32_t sample_bytes() const { return bits > 8 ? 2 : 1; }
    uint32_t plane_width(uint32_t plane) const
    {
        const bool half = plane > 0 && (chroma == Chroma::k420 || chroma == Chroma::k422);
        return half ? (width + 1) / 2 : width;
    }
    uint32_t plane_height(uint32_t plane) const
    {
        return plane > 0 && chroma == Chroma::k420 ? (height + 1) / 2 : height;
    }
    uint32_t plane_count() const { return chroma == Chroma::k400 ? 1 : 3; }
};

/** One plane of samples on the device. */
struct PlaneView {
    const void *data = nullptr; /* device address of the first sample, any alignment */
    uint64_t pitch = 0;         /* bytes between rows, any value >= the row's bytes */
};

struct PictureView {
    PlaneView plane[3];
    ColourTags colour;
};

/** A kernel of the device's code object; owned by the device. */
struct Kernel;

/** Device memory that a plan keeps for its scratch planes; freed with the object. */
class DeviceBuffer;

/** What a plan needs of the device. Implemented by the core; failures are thrown. */
class PlanDevice
{
  public:
    virtual ~PlanDevice() = default;
    /** true: kernels were compiled with the CPU's tile shapes. */
    virtual bool cpu_tiles() const = 0;
    /** Compute units, multiprocessors, CPUs: for choices that change no result. */
    virtual uint32_t multiprocessors() const = 0;
    virtual const Kernel *kernel(const char *name) = 0;
    /** Some kernels are there for some GPUs only. */
    virtual bool has_kernel(const char *name)
    {
        (void)name;
        return false;
    }
    /** Uninitialised device memory, 256-byte aligned, valid until the plan is destroyed. */
    virtual void *allocate(size_t bytes) = 0;
    /** As allocate(), filled with a copy of host data before any launch. */
    virtual void *upload(const void *data, size_t bytes) = 0;
};

struct Grid {
    uint32_t x = 1, y = 1, z = 1; /* work-groups */
    uint32_t threads = 1;         /* of a work-group; ignored by the CPU */
};

/** Work-groups, or other parts, for a number of items; the last one may be smaller. */
constexpr uint32_t groups_for(uint32_t items, uint32_t per_group)
{
    return (items + per_group - 1) / per_group;
}

/** Rows of a GPU's tile, least..most: the more, the less is computed twice, but a device should get
 *  the work-groups that keep it busy. strips: rows of the picture times tiles side by side. */
constexpr uint32_t rows_for(uint32_t strips, uint32_t wanted_groups, uint32_t least, uint32_t most)
{
    const uint32_t rows = strips / (wanted_groups > 0 ? wanted_groups : 1);
    return rows < least ? least : rows > most ? most : rows;
}

/** One frame's work, in the order of one stream. */
class PlanStream
{
  public:
    virtual ~PlanStream() = default;
    /** args is the kernel's one argument struct; it is copied. */
    virtual void launch(const Kernel *kernel, const Grid &grid, const void *args, size_t size) = 0;
    virtual void clear(void *device, size_t bytes) = 0; /* to zero; 8-byte words */

    template <class Args> void launch(const Kernel *kernel, const Grid &grid, const Args &args)
    {
        launch(kernel, grid, &args, sizeof(args));
    }
};

struct FrameJob {
    PlanStream *stream = nullptr;
    uint64_t index = 0; /* frame number as submitted */
    PictureView reference;
    PictureView distorted;
    /** Pictures of one and two submissions earlier; data is null where there was none. */
    PictureView previous[2]; /* references */
    PictureView previous_distorted[2];
    /** The plan's block of result_words() 64-bit words on the device, zero when the frame starts.
     */
    uint64_t *results = nullptr;
};

/** Receives the scores of a plan. */
class ScoreSink
{
  public:
    virtual ~ScoreSink() = default;
    virtual void write(const std::string &name, uint64_t index, double value) = 0;
    virtual void write_aggregate(const std::string &name, double value) = 0;
};

/** Names of an instance's scores, in the order in which they are first written. */
struct ScoreNames {
    std::vector<std::string> prompt; /* written when the frame is collected */
    std::vector<std::string> late;   /* written when later frames are, or at the end */
};

class FeaturePlan
{
  public:
    virtual ~FeaturePlan() = default;

    /** Adds an option set (checked against the description's table) and returns its number, 0, 1, …
     *  OptionSet::is_of() tells which feature's it is, where several share the plan. */
    virtual size_t add_instance(const OptionSet &options) = 0;

    /** Bit p: plane p of the reference/distorted pictures is read. Valid after the last add. */
    virtual uint32_t reference_planes() const = 0;
    virtual uint32_t distorted_planes() const = 0;

    /** Earlier reference pictures read, 0..2, and earlier distorted ones. */
    virtual uint32_t history() const { return 0; }
    virtual uint32_t distorted_history() const { return 0; }
    /** true: sees every frame, also those that n_subsample skips. */
    virtual bool every_frame() const { return false; }

    /** Checks the format (throws E_RANGE/E_NOTSUP naming the limit), finds kernels, allocates. */
    virtual void prepare(PlanDevice &device, const PictureFormat &format) = 0;

    /** 64-bit words of results per frame. Valid after prepare(). */
    virtual size_t result_words() const = 0;

    /** Stored names of the instance's scores. Valid after prepare(). */
    virtual ScoreNames score_names(size_t instance) const = 0;

    /** Throws E_INVALID "index" for a frame that cannot follow those submitted; before any work of
     *  the frame is enqueued. sequence: count of submissions before it. */
    virtual void check_frame(uint64_t index, uint64_t sequence) const
    {
        (void)index;
        (void)sequence;
    }

    /** Throws E_INVALID or E_NOTSUP "reference", "distorted" for a picture whose colours the plan
     *  cannot convert; before any work of the frame is enqueued. */
    virtual void check_colours(const PictureFormat &format, const ColourTags &reference,
                               const ColourTags &distorted) const
    {
        (void)format;
        (void)reference;
        (void)distorted;
    }

    /** Enqueues a frame's work. It may be asked for again after later frames were enqueued, and
     *  not every frame is asked of the same plan: nothing may be kept from frame to frame but the
     *  job's pictures, neither on the device nor in the plan. */
    virtual void enqueue(const FrameJob &job) = 0;

    /** Turns a frame's results into scores. */
    virtual void collect(size_t instance, const uint64_t *results, uint64_t index,
                         ScoreSink &sink) = 0;

    /** true: the frame was collected, and late scores of it may still come. */
    virtual bool may_come(size_t instance, uint64_t index) const
    {
        (void)instance;
        (void)index;
        return false;
    }

    /** End of the stream. */
    virtual void finish(size_t instance, ScoreSink &sink)
    {
        (void)instance;
        (void)sink;
    }
};

using PlanMaker = std::unique_ptr<FeaturePlan> (*)();

/** A metric as it is registered. */
struct FeatureDescription {
    const char *name;                   /* extractor name: "vif" */
    const OptionTable *options;         /* known options; no two features have one table */
    std::vector<const char *> provided; /* full base names, as a model asks for them */
    PlanMaker create;                   /* features with the same one share a plan */
};

/** All metrics, in the order in which a feature's provider is looked up. */
const std::vector<const FeatureDescription *> &all_features();
const FeatureDescription *find_feature(const std::string &extractor);
const FeatureDescription *find_provider(const std::string &base_name);

} // namespace vmafx

#endif
