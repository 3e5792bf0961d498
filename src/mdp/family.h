/* What a family of environments implements. */
#ifndef FAR_MDP_FAMILY_H
#define FAR_MDP_FAMILY_H

#include "farsight/mdp.h"

typedef struct far__family {
  far_type_info info;
  /* builds a model from the family's own parameter struct */
  far_status (*build)(far_mdp **out, const void *params, far_error *error);
} far__family;

#define FAR_FAMILY(name) extern const far__family far__family_##name;
#include "mdp/families.def"
#undef FAR_FAMILY

#endif
