/* The same tests with the multiplication for compilers without integers of 128 bits. */
#define FAR__NO_INT128
#include "base/decimal.c"
#include "number.c"
