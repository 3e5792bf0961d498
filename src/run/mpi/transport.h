/* Messages between the processes of an MPI job: the only code that calls MPI. Only the thread that opened the transport
 * may use it.
 *
 * MPI's own waiting spins, which would take the processor from the threads that compute. So nothing
 * here waits inside MPI: messages are polled for, with naps in between.
 */
#ifndef FARSIGHT_MPI_TRANSPORT_H
#define FARSIGHT_MPI_TRANSPORT_H

#include "ranks.h"

typedef enum far__tag {
  /* from rank 0 */
  FAR__TAG_BATCH, /* uint64: the size of the description, which is broadcast next */
  FAR__TAG_BLOCK, /* far__block_message */
  FAR__TAG_STOP,  /* stop computing: send back all blocks as they are */
  FAR__TAG_END,   /* the batch ends: blocks that are out are dropped */
  FAR__TAG_BYE,
  /* to rank 0 */
  FAR__TAG_READY,  /* far__ready_message; with a device, then the runs of a block of each cell */
  FAR__TAG_DONE,   /* the batch is over on this rank; far_device_info if devices were asked for */
  FAR__TAG_RESULT, /* far__block_message, then the values */
  FAR__TAG_ERROR,  /* far_error; nothing but DONE will follow */
} far__tag;

typedef struct far__block_message {
  uint64_t cell;
  int64_t first, runs;
  double seconds;
  uint64_t on_device;
} far__block_message;

typedef struct far__ready_message {
  uint64_t workers, room, device_room;
} far__ready_message;

typedef struct far__message {
  int from;
  far__tag tag;
  size_t size;
  void *bytes; /* malloc, the receiver's; NULL where size is 0 */
} far__message;

typedef struct far__transport {
  int rank, size;
  int local; /* the rank among those of this machine */
  char host[256];
  far_traffic traffic;
  struct far__inbox *inbox; /* messages that are on their way in */
} far__transport;

/* Starts MPI. */
far_status far__transport_open(far__transport *transport, far_error *error);
void far__transport_close(far__transport *transport);

/* Ends all processes of the job, after saying why. */
void far__transport_abort(const far__transport *transport, const char *reason);

far_status far__transport_send(far__transport *transport, int to, far__tag tag, const void *bytes,
                               size_t size, far_error *error);

/* Takes a message if one is there, without waiting. Messages of one sender arrive in order. */
far_status far__transport_poll(far__transport *transport, far__message *message, bool *got,
                               far_error *error);

/* Rank 0's bytes to all; every rank must call it with the same size. */
void far__transport_broadcast(far__transport *transport, void *bytes, size_t size);

/* The sleep that follows one of `nap` seconds (0: the first): sleeps double from 50 microseconds up to `most`
 * seconds. */
double far__nap_after(double nap, double most);
void far__transport_sleep(far__transport *transport, double seconds);

#endif
