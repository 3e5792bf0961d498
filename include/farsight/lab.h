/* The laboratory: stored results, studies, comparisons, reports. Links with libfarsight-lab, which needs SQLite, libyaml and
 * NLopt; libfarsight itself, with all agents, models, solvers and runs, needs none of them.
 *
 *     far_store *store;
 *     if (far_store_open(&store, "", FAR_STORE_MEMORY, &error)) return puts(error.message);
 *     far_store_close(store);
 */
#ifndef FARSIGHT_LAB_H
#define FARSIGHT_LAB_H

#include "farsight/farsight.h"

#include "farsight/comparison.h"
#include "farsight/report.h"
#include "farsight/store.h"
#include "farsight/study.h"

#endif
