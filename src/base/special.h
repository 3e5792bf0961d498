/* Special functions from + - * / sqrt, far_log and far_exp alone: the same bits everywhere. Their
 * accuracy is measured against 40-digit references in tests/unit/special.c. */
#ifndef FAR_BASE_SPECIAL_H
#define FAR_BASE_SPECIAL_H

/* ln(1 + x) for x >= 0; the relative error is below 5e-16. */
double far__log1p(double x);

/* gamma(a + 1/2) / gamma(a) for a > 0; the relative error is below 2e-15. Unlike a difference of
 * two log-gammas it loses nothing at large a. */
double far__gamma_ratio(double a);

/* Degrees of freedom above which Student's t and the normal distribution differ by less than a rounding: relatively by
 * t^4 / (4 degrees). */
#define FAR__NORMAL 1e20

/* P(T > z) for Student's t with nu > 0 degrees of freedom (else NAN), which need not be whole; INFINITY is the normal
 * distribution. By a series or a continued fraction of at most some hundred terms whatever z and nu. The relative error
 * is below 1e-14 while the result exceeds 1e-10, and below 1e-13 as far as it exceeds 1e-290. */
double far__student_tail(double z, double nu);

/* E[max(0, T - z)], nu > 1, never negative. The relative error is below 1e-12 while the result exceeds 1e-30. */
double far__student_excess(double z, double nu);

#endif
