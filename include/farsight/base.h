/* What all headers share: version, errors, memory, random numbers, hashes, text, and the grammar of specs.
 *
 *     far_rng rng;
 *     far_rng_init(&rng, 1, 0, FAR_PURPOSE_AGENT); // seed 1, replicate 0: the same numbers on every machine
 *     printf("farsight %s: %.17g\n", far_version(), far_rng_uniform(&rng));
 *
 * Every call that can fail returns a far_status and takes a far_error as its last argument.
 */
#ifndef FARSIGHT_BASE_H
#define FARSIGHT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FAR_API marks what the shared library exports; everything else is hidden. FAR_DEVICE marks inline functions
 * that CUDA programs may call on the device as well. */

#if defined(__GNUC__)
#define FAR_API __attribute__((visibility("default")))
#else
#define FAR_API
#endif

#if defined(__CUDACC__)
#define FAR_DEVICE __host__ __device__ __attribute__((always_inline))
#else
#define FAR_DEVICE
#endif

/* The version of these headers, for the preprocessor. far_version() is that of the library which a
 * program runs with; docs/api.md describes which of them are compatible.
 *
 *     #if FAR_VERSION_NUMBER >= FAR_VERSION_OF(1, 1, 0)
 */

/* The one place of the version: CMake and the Python package read it here. */
#define FAR_VERSION_MAJOR 2
#define FAR_VERSION_MINOR 0
#define FAR_VERSION_PATCH 0

/* A version as one number that grows with it; minor and patch are below 1000. */
#define FAR_VERSION_OF(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define FAR_VERSION_NUMBER FAR_VERSION_OF(FAR_VERSION_MAJOR, FAR_VERSION_MINOR, FAR_VERSION_PATCH)

/* The same as text: "2.0.0". */
#define FAR_VERSION_TEXT                                                                           \
  FAR_VERSION_QUOTE(FAR_VERSION_MAJOR)                                                             \
  "." FAR_VERSION_QUOTE(FAR_VERSION_MINOR) "." FAR_VERSION_QUOTE(FAR_VERSION_PATCH)
#define FAR_VERSION_QUOTE(number) FAR_VERSION_QUOTE_EXPANDED(number)
#define FAR_VERSION_QUOTE_EXPANDED(number) #number

/* The library's version, e.g. "2.0.0". Static; never NULL. */
FAR_API const char *far_version(void);

/* Errors are values: every call that can fail returns a far_status and fills a far_error.
 *
 * The error pointer is always the last argument and may be NULL. On success it is left untouched.
 * The library never prints, never exits and keeps no global state, with two exceptions: the list of
 * agents that the program has registered (far_agent_register), since a spec is a string and has to
 * mean the same to every thread; and the limits of the process (far_limits_set).
 */

/* The numbers never change; new codes go last. */
typedef enum far_status {
  FAR_STATUS_OK = 0,
  FAR_STATUS_SYNTAX = 1,    /* the text does not follow the grammar */
  FAR_STATUS_UNKNOWN = 2,   /* there is nothing of that name */
  FAR_STATUS_RANGE = 3,     /* a value is outside its bounds */
  FAR_STATUS_CONFLICT = 4,  /* values that do not go together */
  FAR_STATUS_MEMORY = 5,    /* out of memory, or a size too large for this machine */
  FAR_STATUS_IO = 6,        /* the system could not read or write */
  FAR_STATUS_FORMAT = 7,    /* the file is damaged or is not of this kind */
  FAR_STATUS_MISMATCH = 8,  /* the file belongs to another algorithm, shape or parameter set */
  FAR_STATUS_CANCELLED = 9, /* stopped on request */
  FAR_STATUS_ABSENT = 10,   /* this build was made without it */
} far_status;

#define FAR_OK FAR_STATUS_OK

typedef struct far_error {
  far_status code;
  int position;      /* byte offset into the offending text, or -1 when there is none */
  char message[480]; /* what is wrong, and what would be right; no trailing newline */
} far_error;

/* The general meaning of a code, e.g. "a value is outside its bounds". Never NULL. */
FAR_API const char *far_status_text(far_status status);

/* Memory that the library hands out, how much there is, and how much may be used. */

/* Frees a block of memory that the library handed to the caller: every block that a header calls
 * "the caller's, to be freed by far_free". NULL is fine. Handles have a function of their own:
 * far_agent_free, far_mdp_free and so on.
 *
 * It is the C library's free of the machine that the library was built with, which need not be the
 * program's own: a Python extension or a program with another C run-time must call this one. */
FAR_API void far_free(void *block);

/* What this process may use at most; 0: no limit. They are for whoever takes models, specs or files from
 * others, and nothing that is read can raise them. */
typedef struct far_limits {
  /* bytes of memory in use, all together: what needs more fails with MEMORY before it is allocated,
   * from 1 MiB on */
  uint64_t memory;
  uint64_t states; /* of a model, and of what an agent is made for: more fail with RANGE */
} far_limits;

/* Sets the limits of the whole process, for what is made from now on. The memory in use is known on Linux; elsewhere
 * each model, agent and file is compared with the limit alone. May be called by any thread. */
FAR_API void far_limits_set(far_limits limits);
FAR_API far_limits far_limits_get(void);

/* Natural logarithm and exponential from + - * / alone, so that every compiler, optimisation level
 * and processor gives the same bits. Measured against 50-digit references (tests/unit/math.c):
 * the errors are below 0.63 (log) and 0.74 (exp) units in the last place. */

/* ln x; -inf at 0, NaN below 0, +inf at +inf. */
FAR_API double far_log(double x);

/* e^x; +inf above 709.78, 0 below -745.13, subnormal results included. */
FAR_API double far_exp(double x);

/* Random streams keyed by (seed, replicate, purpose), never by thread or order.
 *
 * The generator is xoshiro256++ (Blackman & Vigna 2019). The state of a stream is the SHA-256
 * digest of its three keys as little-endian 64-bit integers, read as four little-endian words: one
 * line in any language, and no two streams overlap in practice.
 */

/* The seeds that there are, for messages: any 64 bits. */
#define FAR_SEED_BOUNDS "a whole number from 0 to 18446744073709551615"

/* What a stream is for. The environment's streams do not depend on the agent, so all agents share
 * them (common random numbers). The numbers are part of the format: never renumber. */
typedef enum far_purpose {
  FAR_PURPOSE_TRANSITION = 1, /* one draw a step */
  FAR_PURPOSE_START = 2,      /* one draw an episode */
  FAR_PURPOSE_REWARD = 3,     /* reserved; rewards are part of a transition's outcome today */
  FAR_PURPOSE_AGENT = 4,      /* exploration and tie-breaking */
  FAR_PURPOSE_SEARCH = 5,     /* parameter search */
  FAR_PURPOSE_MODEL = 6,      /* random models, keyed by (their own seed, 0) */
  FAR_PURPOSE_ROLLOUT = 7,    /* a metric's look ahead, keyed by words of the agent's own stream */
  FAR_PURPOSE_BOOTSTRAP = 8,  /* resamples of results, keyed by (a seed, their number) */
  FAR_PURPOSE_SIGNS = 9, /* signs of differences in a test by permutation, keyed by (a seed, 0) */
} far_purpose;

typedef struct far_rng {
  uint64_t word[4];
} far_rng;

FAR_API void far_rng_init(far_rng *rng, uint64_t seed, uint64_t replicate, far_purpose purpose);

/* The next 64 uniform bits. */
static inline FAR_DEVICE uint64_t far_rng_next(far_rng *rng) {
  uint64_t *s = rng->word;
  const uint64_t sum = s[0] + s[3];
  const uint64_t result = ((sum << 23) | (sum >> 41)) + s[0];
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = (s[3] << 45) | (s[3] >> 19);
  return result;
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline FAR_DEVICE double far_rng_uniform(far_rng *rng) {
  return (double)(far_rng_next(rng) >> 11) * (1.0 / 9007199254740992.0); /* 2^-53 */
}

/* Uniform in {0, ..., n-1}; the bias is below n / 2^64. One draw. */
static inline FAR_DEVICE uint32_t far_rng_below(far_rng *rng, uint32_t n) {
  /* the high word of a 64 x 32 bit product, without a 128-bit type */
  const uint64_t x = far_rng_next(rng);
  const uint64_t low = (x & 0xffffffffu) * n;
  const uint64_t high = (x >> 32) * n + (low >> 32);
  return (uint32_t)(high >> 32);
}

/* SHA-256 (FIPS 180-4). It is the key of results, the checksum of saved agents and the seed of
 * random streams, so that all of them can be checked with standard tools. */

enum { FAR_HASH_BYTES = 32, FAR_HASH_TEXT = 65 };

/* The digest of data[0..length). */
FAR_API void far_hash(uint8_t out[FAR_HASH_BYTES], const void *data, size_t length);

/* The digest as 64 lower-case hexadecimal digits and a terminator. */
FAR_API void far_hash_text(char out[FAR_HASH_TEXT], const uint8_t digest[FAR_HASH_BYTES]);

/* Destinations of text: a file, memory, or a function of the caller.
 *
 *     far_buffer buffer = {0};
 *     far_report_render(report, &how, far_sink_buffer(&buffer), &error);
 *     ... buffer.bytes, buffer.length ...
 *     far_buffer_free(&buffer);
 */

/* Takes bytes in order. `write` returns false when it could not take them all. */
typedef struct far_sink {
  bool (*write)(void *user, const char *bytes, size_t length);
  void *user;
} far_sink;

/* Text in memory that grows; {0} to begin with. Once memory fails it stays failed, and what is added
 * is dropped, so that a writer may check once, at the end. */
typedef struct far_buffer {
  char *bytes; /* ended by a zero once there are any */
  size_t length, capacity;
  bool failed;
} far_buffer;

/* Appends bytes; false if memory has failed, now or before. */
FAR_API bool far_buffer_add(far_buffer *buffer, const char *bytes, size_t length);

/* Frees the bytes and makes the buffer empty. */
FAR_API void far_buffer_free(far_buffer *buffer);

/* Sinks into a buffer and into a stream, which must outlive them. */
FAR_API far_sink far_sink_buffer(far_buffer *buffer);
FAR_API far_sink far_sink_file(FILE *file);

/* Parameters as data. One table an algorithm or environment family feeds the spec parser, the help,
 * the JSON listings and the bindings alike.
 *
 * A spec is a string: a name, then optionally a colon and key=value pairs in any order:
 *
 *     directed-delayed-q:gamma_e=0.99,m=40
 */

enum {
  FAR_TEXT_SIZE = 512,
  FAR_SPEC_SIZE = 1024 /* room for any canonical spec and its terminator */
};

typedef enum far_param_kind {
  FAR_PARAM_REAL,    /* stored as double */
  FAR_PARAM_INTEGER, /* stored as int64_t */
  FAR_PARAM_CHOICE,  /* stored as int32_t, the index into choices */
  FAR_PARAM_TEXT,    /* stored as FAR_TEXT_SIZE characters, ended by a zero; no comma in it */
} far_param_kind;

typedef struct far_param {
  const char *name;
  far_param_kind kind;
  const char *fallback; /* the default as text; with derived, the rule that computes it */
  bool derived;         /* the default depends on other parameters or on the problem */
  double min, max;      /* numeric kinds: bounds ... */
  bool min_open;        /* ... which are excluded where these are set */
  bool max_open;
  const char *choices; /* FAR_PARAM_CHOICE: the words, separated by '|' */
  /* FAR_PARAM_REAL: a word that may stand in place of a number, whose value the type computes; or NULL */
  const char *word;
  const char *help;
  size_t offset; /* where the value lives; for the library's own use */
} far_param;

/* What `farsight list` shows of an algorithm or environment family. All strings are static. */
typedef struct far_type_info {
  const char *name;
  const char *summary;
  const char *reference;
  const char *guarantee; /* NULL where the notion does not apply */
  bool model_based;
  bool higher_is_better; /* metrics: a larger number is a better run */
  bool bare; /* the spec is NAME:VALUE, VALUE being all of its one parameter: file:models/a.mdp */
  const far_param *params;
  size_t n_params;
  bool baseline; /* an agent that never learns: a yardstick for those that do */
  /* an agent that plans for the horizon, or a metric of episodes: refused where there is none */
  bool finite_horizon;
  bool peeks; /* an agent that is told about the model: far_agent_create_on makes it (run.h) */
  /* an agent that is not the library's own: far_agent_register added it (agent.h) */
  bool registered;
  /* metrics whose number is a time, in steps: what a run has come to by then, as a participle ("learned"). A run
   * whose number is all of its steps had not come to it: it is censored. Else NULL */
  const char *event;
} far_type_info;

/* A list of types: far_agent_type, far_mdp_family, far_metric_type. NULL past the end. */
typedef const far_type_info *far_listing(size_t index);

/* ---- specs as text ---- */

/* The type that a spec names, that is what stands before the colon; NULL if the list has none such. */
FAR_API const far_type_info *far_spec_type(far_listing *listing, const char *spec);

/* The parameter of a type (which may be NULL) with the name key[0..length); NULL if there is none. */
FAR_API const far_param *far_type_param(const far_type_info *type, const char *key, size_t length);

/* The text that a spec gives to a key: a pointer into the spec, and its length; NULL, with *length as
 * it was, if the spec does not give it. Not for specs of a bare type. */
FAR_API const char *far_spec_value(const char *spec, const char *key, size_t *length);

/* The spec with key=value: in place of the value that it gives to the key, or at its end. `out` must
 * not overlap the others. RANGE if the result has more than FAR_SPEC_SIZE - 1 characters; nothing else
 * is checked. */
FAR_API far_status far_spec_with(char out[FAR_SPEC_SIZE], const char *spec, const char *key,
                                 const char *value, far_error *error);

/* The shape of a problem: all that an agent may know about it.
 *
 * A problem with a *horizon* is divided into episodes of that many steps, and what counts is the
 * reward of an episode; the best policy then depends on the step. An episode that has taken them
 * all is cut (far_transition.cut): that is no end of the world, and a state has no value of 0 there
 * for agents that take no notice of the horizon.
 *
 * Otherwise what counts is the sum of rewards discounted by the problem's `gamma`, or the average reward of a
 * step. The discount belongs to the problem: it is the same for all agents, and for all that is exact about it.
 *
 * A state is *live* if an agent may have to act in it. Terminal and unreachable states are not
 * live; they have numbers, too, and `absent` marks them. Without `absent` an agent takes them for
 * states that it has not visited yet, and an optimistic agent then explores for ever in search of
 * them.
 */

/* No episode has more steps than this. */
#define FAR_HORIZON_MAX 1000000000

/* The discount of a problem that names none. */
#define FAR_GAMMA_DEFAULT 0.95

typedef struct far_shape {
  uint32_t n_states;  /* at least 1 */
  uint32_t n_actions; /* at least 1 */
  double reward_min;  /* every reward lies in [reward_min, reward_max], and max > min */
  double reward_max;
  bool episodic; /* episodes can end; the range is then widened to contain 0 (terminal states) */
  const bool *absent; /* of n_states: true where a state is not live; NULL: all are. Borrowed: what
                         keeps a shape copies it, as agents do */
  int64_t horizon;    /* steps of an episode, at most FAR_HORIZON_MAX; 0: there is no horizon */
  double gamma; /* the problem's discount, in (0, 1); 0: FAR_GAMMA_DEFAULT, as nobody has said */
  bool average; /* what counts is the average reward of a step, and nothing is discounted */
  /* The length of the run that is to come, 0: not known. Where it ends by episodes, `steps` is the most that it may have. */
  int64_t steps, episodes;
} far_shape;

/* Rewards in [0, 1], episodes may end, every state is live, no horizon, no discount named, length unknown. */
FAR_API far_shape far_shape_default(uint32_t n_states, uint32_t n_actions);

/* The problem's discount. */
static inline double far_shape_gamma(const far_shape *shape) {
  return shape->gamma > 0 ? shape->gamma : FAR_GAMMA_DEFAULT;
}

/* The shape, told the length of the run: its steps, and the episodes after which it ends, if it does (0: not known). */
static inline far_shape far_shape_for(far_shape shape, int64_t steps, int64_t episodes) {
  shape.steps = steps;
  shape.episodes = episodes;
  return shape;
}

/* Is state s, below n_states, live? */
static inline bool far_shape_is_live(const far_shape *shape, uint32_t s) {
  return shape->absent == NULL || !shape->absent[s];
}

/* The number of live states: the S of every theorem. Counts them. */
FAR_API uint32_t far_shape_live(const far_shape *shape);

/* A spec as a value: its text is read once, and what it says is passed on.
 *
 *     far_spec *spec;
 *     far_status status = far_spec_of_agent(&spec, "r-max:m=5", &shape, &error);
 *     status = far_agent_from(&agent, spec, mdp, seed, replicate, &error);
 *     far_spec_free(spec);
 *
 * A value is immutable and may be shared by any number of threads. The functions that take a text instead
 * (far_mdp_create, far_agent_create, far_agent_check and so on) read it each time.
 */

typedef struct far_spec far_spec;

/* Reads the spec of an agent for the problems of a shape, whose marks of absent states must outlive it. Fails as
 * far_agent_resolve does. */
FAR_API far_status far_spec_of_agent(far_spec **out, const char *text, const far_shape *shape,
                                     far_error *error);

FAR_API void far_spec_free(far_spec *spec); /* NULL is fine */

FAR_API const far_type_info *far_spec_info(const far_spec *spec);
FAR_API const char *far_spec_typed(const far_spec *spec);     /* the text that was read */
FAR_API const char *far_spec_canonical(const far_spec *spec); /* every parameter written out */

/* The shortest spec found that means the same: "r-max:m=5" for "r-max:gamma=0.95,m=5,plan=full,tol=0.002,ties=random".
 * MEMORY is its only failure; `out` is then "". */
FAR_API far_status far_spec_label(char out[FAR_SPEC_SIZE], const far_spec *spec, far_error *error);

/* Who computes, the processors or a device: of batches see far_device_pool_create (run.h), of exact values far_solve_def.
 *
 * A device is driven by a backend, a shared object that is loaded when it is needed: the file that a definition
 * names, else the one that the environment variable FARSIGHT_GPU_LIBRARY names, else libfarsight-gpu.so in the
 * folder of this library (of the program, where it is linked statically) or in its neighbour lib, else where the
 * system finds it.
 */

typedef enum far_device {
  FAR_DEVICE_CPU, /* threads only */
  FAR_DEVICE_GPU, /* the device, for all that it takes */
  /* the device, for what it computes in less time than the threads. Of a batch both are measured on a few steps of each
   * cell; for less than a second of work no device is looked for */
  FAR_DEVICE_AUTO,
} far_device;

/* Is given one sentence, without a full stop. */
typedef void far_device_note_fn(void *user, const char *text);

enum { FAR_DEVICE_TEXT = 256 }; /* bytes of a name or a reason */

#ifdef __cplusplus
}
#endif

#endif
