/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Entries that libva insists on, of things that the driver does not have.
 */
#include "driver.h"

#define MISSING(name, ...)                                                                         \
    static VAStatus name(VADriverContextP va, ##__VA_ARGS__)                                       \
    {                                                                                              \
        return VA_STATUS_ERROR_UNIMPLEMENTED;                                                      \
    }

MISSING(set_image_palette, VAImageID image, unsigned char *palette)
MISSING(create_subpicture, VAImageID image, VASubpictureID *subpicture)
MISSING(destroy_subpicture, VASubpictureID subpicture)
MISSING(set_subpicture_image, VASubpictureID subpicture, VAImageID image)
MISSING(set_subpicture_chromakey, VASubpictureID subpicture, unsigned least, unsigned most,
        unsigned mask)
MISSING(set_subpicture_global_alpha, VASubpictureID subpicture, float alpha)
MISSING(associate_subpicture, VASubpictureID subpicture, VASurfaceID *surfaces, int count,
        short from_x, short from_y, unsigned short from_width, unsigned short from_height,
        short to_x, short to_y, unsigned short to_width, unsigned short to_height, unsigned flags)
MISSING(deassociate_subpicture, VASubpictureID subpicture, VASurfaceID *surfaces, int count)
MISSING(get_display_attributes, VADisplayAttribute *list, int count)
MISSING(set_display_attributes, VADisplayAttribute *list, int count)

static VAStatus query_subpicture_formats(VADriverContextP va, VAImageFormat *list, unsigned *flags,
                                         unsigned *count)
{
    *count = 0;
    return VA_STATUS_SUCCESS;
}

static VAStatus query_display_attributes(VADriverContextP va, VADisplayAttribute *list, int *count)
{
    *count = 0;
    return VA_STATUS_SUCCESS;
}

void missing_entries(struct VADriverVTable *table)
{
    table->vaSetImagePalette = set_image_palette;
    table->vaQuerySubpictureFormats = query_subpicture_formats;
    table->vaCreateSubpicture = create_subpicture;
    table->vaDestroySubpicture = destroy_subpicture;
    table->vaSetSubpictureImage = set_subpicture_image;
    table->vaSetSubpictureChromakey = set_subpicture_chromakey;
    table->vaSetSubpictureGlobalAlpha = set_subpicture_global_alpha;
    table->vaAssociateSubpicture = associate_subpicture;
    table->vaDeassociateSubpicture = deassociate_subpicture;
    table->vaQueryDisplayAttributes = query_display_attributes;
    table->vaGetDisplayAttributes = get_display_attributes;
    table->vaSetDisplayAttributes = set_display_attributes;
}
