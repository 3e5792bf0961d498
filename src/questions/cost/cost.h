/* The cost of a study: what its parts share. */
#ifndef FAR_QUESTIONS_COST_COST_H
#define FAR_QUESTIONS_COST_COST_H

#include "farsight/cost.h"

/* Measures cells[i].rate of all cells by trials. Fails with MEMORY and CANCELLED. */
far_status far__cost_trials(far_cost *cost, far_error *error);

#endif
