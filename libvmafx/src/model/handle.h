/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VMAFX_MODEL_HANDLE_H
#define VMAFX_MODEL_HANDLE_H

#include <memory>

#include <libvmafx/model.h>

#include "model/model.h"

/** The public handle. A context that uses the model holds a copy of the pointer; while it does, the
 *  model's options cannot change. */
struct VmafxModel {
    std::shared_ptr<vmafx::Model> model;
};

#endif
