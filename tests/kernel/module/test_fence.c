/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A kernel module with fences that a test signals, with an error if it likes: no driver of Debian's
 * kernel fails on request. Each open of /dev/test_fence is one pending fence. Its ioctl gives a
 * sync_file of the fence; writing a 32-bit error number, 0 for none, signals it.
 */
#include <linux/dma-fence.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sync_file.h>
#include <linux/uaccess.h>

#define TEST_FENCE_EXPORT _IO('V', 0)

struct test_fence {
    struct dma_fence base; /* first: what frees it frees the whole */
    spinlock_t lock;
};

static const char *test_fence_name(struct dma_fence *fence)
{
    return "test";
}

static const struct dma_fence_ops test_fence_ops = {
    .get_driver_name = test_fence_name,
    .get_timeline_name = test_fence_name,
};

static int test_fence_open(struct inode *inode, struct file *file)
{
    struct test_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL);

    if (!fence)
        return -ENOMEM;
    spin_lock_init(&fence->lock);
    dma_fence_init(&fence->base, &test_fence_ops, &fence->lock, dma_fence_context_alloc(1), 1);
    file->private_data = fence;
    return 0;
}

static int test_fence_release(struct inode *inode, struct file *file)
{
    struct test_fence *fence = file->private_data;

    dma_fence_put(&fence->base);
    return 0;
}

static long test_fence_ioctl(struct file *file, unsigned int request, unsigned long unused)
{
    struct test_fence *fence = file->private_data;
    struct sync_file *sync_file;
    int fd;

    if (request != TEST_FENCE_EXPORT)
        return -ENOTTY;
    fd = get_unused_fd_flags(O_CLOEXEC);
    if (fd < 0)
        return fd;
    sync_file = sync_file_create(&fence->base);
    if (!sync_file) {
        put_unused_fd(fd);
        return -ENOMEM;
    }
    fd_install(fd, sync_file->file);
    return fd;
}

static ssize_t test_fence_write(struct file *file, const char __user *from, size_t bytes,
                                loff_t *at)
{
    struct test_fence *fence = file->private_data;
    s32 error;

    if (bytes != sizeof(error))
        return -EINVAL;
    if (copy_from_user(&error, from, sizeof(error)))
        return -EFAULT;
    if (dma_fence_is_signaled(&fence->base))
        return -EBUSY;
    if (error)
        dma_fence_set_error(&fence->base, error);
    dma_fence_signal(&fence->base);
    return bytes;
}

static const struct file_operations test_fence_operations = {
    .owner = THIS_MODULE,
    .open = test_fence_open,
    .release = test_fence_release,
    .unlocked_ioctl = test_fence_ioctl,
    .write = test_fence_write,
};

static struct miscdevice test_fence_device = {
    .minor = MISC_DYNAMIC_MINOR,
    .name = "test_fence",
    .fops = &test_fence_operations,
};

module_misc_device(test_fence_device);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("Fences that a test signals, with an error if it likes");
