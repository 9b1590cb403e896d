/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Vulkan as a producer: device memory that is filled by copies and exported as opaque descriptors.
 * The loader is opened at run time, so that a program runs where there is none.
 */
#ifndef TESTS_GPU_VULKAN_MEMORY_H
#define TESTS_GPU_VULKAN_MEMORY_H

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include <libvmafx/device.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include "support/shared_memory.h"

namespace gpu_test
{

/** There is no Vulkan, or none that can export memory of the device. */
struct NoVulkan : std::runtime_error {
    using std::runtime_error::runtime_error;
};

#define GPU_TEST_INSTANCE_CALLS(X)                                                                 \
    X(vkDestroyInstance)                                                                           \
    X(vkEnumeratePhysicalDevices)                                                                  \
    X(vkGetPhysicalDeviceProperties2)                                                              \
    X(vkGetPhysicalDeviceMemoryProperties)                                                         \
    X(vkGetPhysicalDeviceQueueFamilyProperties)                                                    \
    X(vkGetPhysicalDeviceExternalBufferProperties)                                                 \
    X(vkEnumerateDeviceExtensionProperties)                                                        \
    X(vkCreateDevice)                                                                              \
    X(vkGetDeviceProcAddr)

#define GPU_TEST_DEVICE_CALLS(X)                                                                   \
    X(vkDestroyDevice)                                                                             \
    X(vkGetDeviceQueue)                                                                            \
    X(vkCreateBuffer)                                                                              \
    X(vkDestroyBuffer)                                                                             \
    X(vkGetBufferMemoryRequirements)                                                               \
    X(vkAllocateMemory)                                                                            \
    X(vkFreeMemory)                                                                                \
    X(vkBindBufferMemory)                                                                          \
    X(vkMapMemory)                                                                                 \
    X(vkGetMemoryFdKHR)                                                                            \
    X(vkCreateCommandPool)                                                                         \
    X(vkDestroyCommandPool)                                                                        \
    X(vkAllocateCommandBuffers)                                                                    \
    X(vkFreeCommandBuffers)                                                                        \
    X(vkBeginCommandBuffer)                                                                        \
    X(vkEndCommandBuffer)                                                                          \
    X(vkCmdFillBuffer)                                                                             \
    X(vkCmdCopyBuffer)                                                                             \
    X(vkCmdPipelineBarrier)                                                                        \
    X(vkQueueSubmit)                                                                               \
    X(vkCreateFence)                                                                               \
    X(vkDestroyFence)                                                                              \
    X(vkWaitForFences)

/** The Vulkan device that is the given one: by PCI address, or a CPU for the CPU runtime. */
class VulkanDevice
{
  public:
    /** Throws NoVulkan. */
    explicit VulkanDevice(const VmafxDeviceInfo &wanted);
    ~VulkanDevice();
    VulkanDevice(const VulkanDevice &) = delete;
    VulkanDevice &operator=(const VulkanDevice &) = delete;

    const std::string &name() const { return name_; }

  private:
    friend class VulkanBuffer;

    void create_instance();
    bool is_wanted(VkPhysicalDevice device, const VmafxDeviceInfo &wanted);
    void check_export() const;
    void create_device();
    uint32_t memory_type(uint32_t allowed, VkMemoryPropertyFlags wanted) const;
    /** Runs what is recorded, and waits for it. */
    template <class Record> void run(Record record);

    void *loader_ = nullptr;
    VkInstance instance_ = nullptr;
    VkPhysicalDevice physical_ = nullptr;
    VkDevice device_ = nullptr;
    VkQueue queue_ = nullptr;
    VkCommandPool pool_ = nullptr;
    uint32_t family_ = 0;
    std::string name_;
#define X(call) PFN_##call call = nullptr;
    GPU_TEST_INSTANCE_CALLS(X)
    GPU_TEST_DEVICE_CALLS(X)
#undef X
};

/** Device memory, and memory of the host to fill it from. */
class VulkanBuffer
{
  public:
    VulkanBuffer(VulkanDevice &vulkan, uint64_t bytes);
    ~VulkanBuffer();
    VulkanBuffer(const VulkanBuffer &) = delete;
    VulkanBuffer &operator=(const VulkanBuffer &) = delete;

    /** Of the exported memory, at least what was asked for. */
    uint64_t bytes() const { return bytes_; }
    /** Fills the memory by a copy on the device, and with garbage behind the contents. */
    void write(std::span<const uint8_t> contents);
    /** A new descriptor of the memory. */
    support::Descriptor export_descriptor() const;

  private:
    struct Memory {
        VkBuffer buffer = nullptr;
        VkDeviceMemory memory = nullptr;
        uint64_t bytes = 0;
    };
    Memory allocate(uint64_t bytes, VkBufferUsageFlags usage, VkMemoryPropertyFlags properties,
                    bool exported);
    void free(const Memory &memory);

    VulkanDevice &vulkan_;
    uint64_t bytes_ = 0;
    Memory device_, host_;
    uint8_t *mapped_ = nullptr;
};

} // namespace gpu_test

#endif
