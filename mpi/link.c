#include "link.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fail.h"

static const double SHORT_NAP = 50e-6, WAITING_NAP = 1e-3;

double far__link_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double far__nap_after(double nap, double most) {
  const double longer = nap > 0 ? 2 * nap : SHORT_NAP;
  return longer < most ? longer : most;
}

void far__link_sleep(far__link *link, double seconds) {
  const time_t whole = (time_t)seconds;
  const struct timespec time = {whole, (long)(1e9 * (seconds - (double)whole))};
  link->traffic.naps += 1;
  nanosleep(&time, NULL);
}

/* A failure inside MPI ends the job (MPI_ERRORS_ARE_FATAL, its default): results are in the store. */
far_status far__link_open(far__link *link, far_error *error) {
  int level = MPI_THREAD_SINGLE;
  *link = (far__link){0};
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &link->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &link->size);
  if (gethostname(link->host, sizeof link->host - 1) != 0) strcpy(link->host, "an unnamed host");
  if (level >= MPI_THREAD_FUNNELED) return FAR_OK;
  MPI_Finalize();
  return far__rank_fail(error, FAR_STATUS_ABSENT, "this MPI does not allow threads");
}

void far__link_close(far__link *link) {
  (void)link;
  MPI_Finalize();
}

void far__link_abort(const far__link *link, const char *reason) {
  fprintf(stderr, "farsight: rank %d on %s: %s\n", link->rank, link->host, reason);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* MPI makes progress only inside its functions: looks again and again, with naps, until waiting for the
 * request takes no time. */
static void nap_until_done(far__link *link, MPI_Request request) {
  int done = 0;
  double nap = 0;
  for (;;) {
    MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    nap = far__nap_after(nap, WAITING_NAP);
    far__link_sleep(link, nap);
  }
}

far_status far__link_send(far__link *link, int to, far__tag tag, const void *bytes, size_t size,
                          far_error *error) {
  MPI_Request request;
  if (size > INT_MAX)
    return far__rank_fail(error, FAR_STATUS_RANGE,
                          "a message of %zu bytes is too long for MPI: fewer cells or shorter "
                          "curves are needed",
                          size);
  MPI_Isend(bytes, (int)size, MPI_BYTE, to, (int)tag, MPI_COMM_WORLD, &request);
  nap_until_done(link, request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  link->traffic.sent += 1;
  link->traffic.bytes_sent += size;
  return FAR_OK;
}

far_status far__link_poll(far__link *link, far__message *message, bool *got, far_error *error) {
  MPI_Status status;
  int there = 0, size = 0;
  *got = false;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (!there) return FAR_OK;
  MPI_Get_count(&status, MPI_BYTE, &size);
  *message = (far__message){status.MPI_SOURCE, (far__tag)status.MPI_TAG, (size_t)size, NULL};
  message->bytes = malloc(message->size + 1);
  if (message->bytes == NULL)
    return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for a message of %d bytes", size);
  MPI_Recv(message->bytes, size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  link->traffic.received += 1;
  link->traffic.bytes_received += message->size;
  *got = true;
  return FAR_OK;
}

void far__link_broadcast(far__link *link, void *bytes, size_t size) {
  MPI_Request request;
  MPI_Ibcast(bytes, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  nap_until_done(link, request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const bool sender = link->rank == 0;
  link->traffic.bytes_sent += sender ? size : 0;
  link->traffic.bytes_received += sender ? 0 : size;
}
