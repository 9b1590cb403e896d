/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The objects of one kind that callers hold handles of. A handle is an address that is looked up,
 * never followed, so that a stale or invented one is only "not found".
 */
#ifndef VMAFX_CPU_HANDLES_H
#define VMAFX_CPU_HANDLES_H

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>

namespace vmafx::cpu
{

template <class T> class Handles
{
  public:
    void insert(std::shared_ptr<T> object)
    {
        const void *handle = object.get();
        std::unique_lock lock(mutex_);
        objects_[handle] = std::move(object);
    }

    std::shared_ptr<T> find(const void *handle) const
    {
        std::shared_lock lock(mutex_);
        const auto at = objects_.find(handle);
        return at == objects_.end() ? nullptr : at->second;
    }

    /** Removes the object; null when there is none. */
    std::shared_ptr<T> take(const void *handle)
    {
        std::unique_lock lock(mutex_);
        const auto at = objects_.find(handle);
        if (at == objects_.end())
            return nullptr;
        std::shared_ptr<T> object = std::move(at->second);
        objects_.erase(at);
        return object;
    }

    size_t size() const
    {
        std::shared_lock lock(mutex_);
        return objects_.size();
    }

    void clear()
    {
        std::map<const void *, std::shared_ptr<T>> objects;
        std::unique_lock lock(mutex_);
        objects.swap(objects_);
        lock.unlock();
    }

  private:
    mutable std::shared_mutex mutex_;
    std::map<const void *, std::shared_ptr<T>> objects_;
};

} // namespace vmafx::cpu

#endif
