/* The laboratory: experiments at scale. Links with libfarsight-lab, which needs SQLite, libyaml and
 * NLopt; libfarsight itself, with all agents, models, solvers and runs, needs none of them.
 * This header and farsight.h are the supported includes. */
#ifndef FARSIGHT_LAB_H
#define FARSIGHT_LAB_H

#include "farsight/farsight.h"

#include "farsight/audit-report.h"
#include "farsight/benchmark.h"
#include "farsight/changes.h"
#include "farsight/comparison.h"
#include "farsight/cost.h"
#include "farsight/curves.h"
#include "farsight/dependencies.h"
#include "farsight/drawing.h"
#include "farsight/figure.h"
#include "farsight/findings.h"
#include "farsight/growth-curves.h"
#include "farsight/guarantees.h"
#include "farsight/hardness.h"
#include "farsight/label.h"
#include "farsight/layout-figure.h"
#include "farsight/learning.h"
#include "farsight/listing.h"
#include "farsight/model-solution.h"
#include "farsight/page.h"
#include "farsight/pairwise.h"
#include "farsight/paper-story.h"
#include "farsight/paper-tables.h"
#include "farsight/player.h"
#include "farsight/plot.h"
#include "farsight/recipes.h"
#include "farsight/profiles.h"
#include "farsight/report.h"
#include "farsight/results.h"
#include "farsight/scaling.h"
#include "farsight/sensitivity.h"
#include "farsight/store-progress.h"
#include "farsight/store-report.h"
#include "farsight/store.h"
#include "farsight/study.h"
#include "farsight/tune.h"
#include "farsight/tuned-comparison.h"
#include "farsight/web.h"

#endif
