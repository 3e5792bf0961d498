/* FAR_API marks what the shared library exports; everything else is hidden. */
#ifndef FARSIGHT_EXPORT_H
#define FARSIGHT_EXPORT_H

#if defined(__GNUC__)
#define FAR_API __attribute__((visibility("default")))
#else
#define FAR_API
#endif

#endif
