/* The laboratory: experiments at scale. Links with libfarsight-lab, which needs SQLite, libyaml and
 * NLopt; libfarsight itself, with all agents, models, solvers and runs, needs none of them.
 * This header and farsight.h are the supported includes. */
#ifndef FARSIGHT_LAB_H
#define FARSIGHT_LAB_H

#include "farsight/farsight.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "farsight/label.h"
#include "farsight/store.h"
#include "farsight/study.h"
#include "farsight/tune.h"

#ifdef __cplusplus
}
#endif

#endif
