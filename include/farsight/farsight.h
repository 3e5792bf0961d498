/* Farsight: exploration with guarantees in finite Markov decision processes.
 * This header includes all others but those of the laboratory (farsight/lab.h). Each can also be included
 * alone; docs/api.md describes what is where, and what may change between versions. */
#ifndef FARSIGHT_H
#define FARSIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/agent.h"
#include "farsight/audit.h"
#include "farsight/clock.h"
#include "farsight/csr.h"
#include "farsight/device.h"
#include "farsight/file.h"
#include "farsight/growth.h"
#include "farsight/hash.h"
#include "farsight/json.h"
#include "farsight/layout.h"
#include "farsight/math.h"
#include "farsight/mdp.h"
#include "farsight/measures.h"
#include "farsight/memory.h"
#include "farsight/metric.h"
#include "farsight/number.h"
#include "farsight/param.h"
#include "farsight/plugin.h"
#include "farsight/random.h"
#include "farsight/ranking.h"
#include "farsight/run.h"
#include "farsight/shape.h"
#include "farsight/simulator.h"
#include "farsight/sink.h"
#include "farsight/solve.h"
#include "farsight/spec.h"
#include "farsight/statistics.h"
#include "farsight/status.h"
#include "farsight/theory.h"
#include "farsight/version.h"
#include "farsight/worlds.h"

#endif
