/* SPDX-License-Identifier: BSD-2-Clause */
#include "gpu/vulkan_memory.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <dlfcn.h>

namespace gpu_test
{

namespace
{

constexpr uint64_t kWaitNs = UINT64_C(20'000'000'000);
constexpr uint32_t kGarbage = 0xa5a5a5a5;
constexpr auto kOpaque = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr VkBufferUsageFlags kExportedUsage =
    VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;

void must(VkResult result, const char *call)
{
    if (result != VK_SUCCESS)
        throw std::runtime_error(std::string(call) + ": VkResult " + std::to_string(result));
}

template <class T> T info(VkStructureType type)
{
    T made = {};
    made.sType = type;
    return made;
}

} // namespace

VulkanDevice::VulkanDevice(const VmafxDeviceInfo &wanted)
{
    create_instance();
    uint32_t count = 0;
    must(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> devices(count);
    must(vkEnumeratePhysicalDevices(instance_, &count, devices.data()),
         "vkEnumeratePhysicalDevices");
    const auto found = std::find_if(devices.begin(), devices.end(), [&](VkPhysicalDevice device) {
        return is_wanted(device, wanted);
    });
    if (found == devices.end())
        throw NoVulkan("none of " + std::to_string(count) + " Vulkan devices is the " +
                       wanted.name);
    physical_ = *found;
    check_export();
    create_device();
}

VulkanDevice::~VulkanDevice()
{
    if (pool_)
        vkDestroyCommandPool(device_, pool_, nullptr);
    if (device_)
        vkDestroyDevice(device_, nullptr);
    if (instance_)
        vkDestroyInstance(instance_, nullptr);
    /* The loader stays: drivers do not all outlive an unloading. */
}

void VulkanDevice::create_instance()
{
    loader_ = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!loader_)
        throw NoVulkan(dlerror());
    const auto get =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(loader_, "vkGetInstanceProcAddr"));
    const auto create =
        get ? reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance")) : nullptr;
    if (!create)
        throw NoVulkan("libvulkan.so.1 has no vkCreateInstance");
    auto application = info<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.apiVersion = VK_API_VERSION_1_1;
    auto desc = info<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    desc.pApplicationInfo = &application;
    if (const VkResult result = create(&desc, nullptr, &instance_); result != VK_SUCCESS)
        throw NoVulkan("vkCreateInstance: VkResult " + std::to_string(result));
#define X(call) call = reinterpret_cast<PFN_##call>(get(instance_, #call));
    GPU_TEST_INSTANCE_CALLS(X)
#undef X
}

bool VulkanDevice::is_wanted(VkPhysicalDevice device, const VmafxDeviceInfo &wanted)
{
    uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
    const auto has = [&](const char *name) {
        return std::any_of(extensions.begin(), extensions.end(),
                           [&](const auto &e) { return !std::strcmp(e.extensionName, name); });
    };
    const bool has_address = has(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME);
    auto address = info<VkPhysicalDevicePCIBusInfoPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT);
    auto properties =
        info<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    if (has_address)
        properties.pNext = &address;
    vkGetPhysicalDeviceProperties2(device, &properties);
    name_ = properties.properties.deviceName;
    if (!has(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME))
        return false;
    if (wanted.runtime == VMAFX_RUNTIME_CPU)
        return properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    return has_address && address.pciDomain == wanted.pci_domain &&
           address.pciBus == wanted.pci_bus && address.pciDevice == wanted.pci_device &&
           address.pciFunction == wanted.pci_function;
}

void VulkanDevice::check_export() const
{
    auto asked = info<VkPhysicalDeviceExternalBufferInfo>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO);
    asked.usage = kExportedUsage;
    asked.handleType = kOpaque;
    auto answer = info<VkExternalBufferProperties>(VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES);
    vkGetPhysicalDeviceExternalBufferProperties(physical_, &asked, &answer);
    const auto features = answer.externalMemoryProperties.externalMemoryFeatures;
    if (!(features & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT))
        throw NoVulkan(name_ + " does not export buffers as opaque descriptors");
    if (features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT)
        throw NoVulkan(name_ + " exports dedicated memory alone");
}

void VulkanDevice::create_device()
{
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
    const auto family =
        std::find_if(families.begin(), families.end(), [](const VkQueueFamilyProperties &f) {
            return f.queueFlags &
                   (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT);
        });
    if (family == families.end())
        throw NoVulkan(name_ + " has no queue that copies");
    family_ = static_cast<uint32_t>(family - families.begin());

    const float priority = 1;
    auto queue = info<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue.queueFamilyIndex = family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    const char *const extension = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
    auto desc = info<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    desc.queueCreateInfoCount = 1;
    desc.pQueueCreateInfos = &queue;
    desc.enabledExtensionCount = 1;
    desc.ppEnabledExtensionNames = &extension;
    must(vkCreateDevice(physical_, &desc, nullptr, &device_), "vkCreateDevice");
#define X(call) call = reinterpret_cast<PFN_##call>(vkGetDeviceProcAddr(device_, #call));
    GPU_TEST_DEVICE_CALLS(X)
#undef X
    vkGetDeviceQueue(device_, family_, 0, &queue_);
    auto pool = info<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool.queueFamilyIndex = family_;
    must(vkCreateCommandPool(device_, &pool, nullptr, &pool_), "vkCreateCommandPool");
}

uint32_t VulkanDevice::memory_type(uint32_t allowed, VkMemoryPropertyFlags wanted) const
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical_, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        const bool has = (memory.memoryTypes[i].propertyFlags & wanted) == wanted;
        if (has && (allowed & 1u << i))
            return i;
    }
    throw std::runtime_error(name_ + " has no memory of the wanted properties");
}

template <class Record> void VulkanDevice::run(Record record)
{
    auto wanted = info<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    wanted.commandPool = pool_;
    wanted.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    wanted.commandBufferCount = 1;
    VkCommandBuffer commands = nullptr;
    must(vkAllocateCommandBuffers(device_, &wanted, &commands), "vkAllocateCommandBuffers");
    auto begin = info<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    record(commands);
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");

    const auto unsignalled = info<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
    VkFence fence = nullptr;
    must(vkCreateFence(device_, &unsignalled, nullptr, &fence), "vkCreateFence");
    auto submission = info<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    submission.commandBufferCount = 1;
    submission.pCommandBuffers = &commands;
    must(vkQueueSubmit(queue_, 1, &submission, fence), "vkQueueSubmit");
    must(vkWaitForFences(device_, 1, &fence, VK_TRUE, kWaitNs), "vkWaitForFences");
    vkDestroyFence(device_, fence, nullptr);
    vkFreeCommandBuffers(device_, pool_, 1, &commands);
}

/* ---- buffers */

VulkanBuffer::VulkanBuffer(VulkanDevice &vulkan, uint64_t bytes) : vulkan_(vulkan)
{
    bytes = (bytes + 3) / 4 * 4; /* fills are of words */
    device_ = allocate(bytes, kExportedUsage, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, true);
    bytes_ = device_.bytes;
    host_ =
        allocate(bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                 VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, false);
    void *mapped = nullptr;
    must(vulkan.vkMapMemory(vulkan.device_, host_.memory, 0, VK_WHOLE_SIZE, 0, &mapped),
         "vkMapMemory");
    mapped_ = static_cast<uint8_t *>(mapped);
}

VulkanBuffer::~VulkanBuffer()
{
    free(device_);
    free(host_);
}

void VulkanBuffer::free(const Memory &memory)
{
    vulkan_.vkDestroyBuffer(vulkan_.device_, memory.buffer, nullptr);
    vulkan_.vkFreeMemory(vulkan_.device_, memory.memory, nullptr);
}

VulkanBuffer::Memory VulkanBuffer::allocate(uint64_t bytes, VkBufferUsageFlags usage,
                                            VkMemoryPropertyFlags properties, bool exported)
{
    Memory made;
    auto external = info<VkExternalMemoryBufferCreateInfo>(
        VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    external.handleTypes = kOpaque;
    auto desc = info<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    desc.pNext = exported ? &external : nullptr;
    desc.size = bytes;
    desc.usage = usage;
    must(vulkan_.vkCreateBuffer(vulkan_.device_, &desc, nullptr, &made.buffer), "vkCreateBuffer");
    VkMemoryRequirements needs;
    vulkan_.vkGetBufferMemoryRequirements(vulkan_.device_, made.buffer, &needs);

    auto exporting =
        info<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    exporting.handleTypes = kOpaque;
    auto wanted = info<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    wanted.pNext = exported ? &exporting : nullptr;
    wanted.allocationSize = needs.size;
    wanted.memoryTypeIndex = vulkan_.memory_type(needs.memoryTypeBits, properties);
    must(vulkan_.vkAllocateMemory(vulkan_.device_, &wanted, nullptr, &made.memory),
         "vkAllocateMemory");
    must(vulkan_.vkBindBufferMemory(vulkan_.device_, made.buffer, made.memory, 0),
         "vkBindBufferMemory");
    made.bytes = needs.size;
    return made;
}

void VulkanBuffer::write(std::span<const uint8_t> contents)
{
    std::memcpy(mapped_, contents.data(), contents.size());
    auto barrier = info<VkBufferMemoryBarrier>(VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER);
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.buffer = device_.buffer;
    barrier.size = VK_WHOLE_SIZE;
    const auto order = [&](VkCommandBuffer commands, VkPipelineStageFlags before, uint32_t to) {
        barrier.srcQueueFamilyIndex = to == VK_QUEUE_FAMILY_IGNORED ? to : vulkan_.family_;
        barrier.dstQueueFamilyIndex = to;
        barrier.dstAccessMask =
            before == VK_PIPELINE_STAGE_TRANSFER_BIT ? VK_ACCESS_TRANSFER_WRITE_BIT : 0;
        vulkan_.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, before, 0, 0,
                                     nullptr, 1, &barrier, 0, nullptr);
    };
    vulkan_.run([&](VkCommandBuffer commands) {
        vulkan_.vkCmdFillBuffer(commands, device_.buffer, 0, VK_WHOLE_SIZE, kGarbage);
        order(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_QUEUE_FAMILY_IGNORED);
        const VkBufferCopy all = {0, 0, contents.size()};
        vulkan_.vkCmdCopyBuffer(commands, host_.buffer, device_.buffer, 1, &all);
        order(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, VK_QUEUE_FAMILY_EXTERNAL);
    });
}

support::Descriptor VulkanBuffer::export_descriptor() const
{
    auto wanted = info<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
    wanted.memory = device_.memory;
    wanted.handleType = kOpaque;
    int fd = -1;
    must(vulkan_.vkGetMemoryFdKHR(vulkan_.device_, &wanted, &fd), "vkGetMemoryFdKHR");
    return support::Descriptor(fd);
}

} // namespace gpu_test
