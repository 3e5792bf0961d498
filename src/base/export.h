/* FAR_LAB marks what libfarsight exports for libfarsight-lab alone, which is a library of its own. It is in no public header. */
#ifndef FAR_BASE_EXPORT_H
#define FAR_BASE_EXPORT_H

#include "farsight/base.h"

#define FAR_LAB FAR_API

#endif
