#include "transport.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fail.h"
#include "ranks.h"

static const double SHORT_NAP = 50e-6, WAITING_NAP = 1e-3;

double far__nap_after(double nap, double most) {
  const double longer = nap > 0 ? 2 * nap : SHORT_NAP;
  return longer < most ? longer : most;
}

void far__transport_sleep(far__transport *transport, double seconds) {
  const time_t whole = (time_t)seconds;
  const struct timespec time = {whole, (long)(1e9 * (seconds - (double)whole))};
  transport->traffic.naps += 1;
  nanosleep(&time, NULL);
}

/* Messages that are being received, at most one of each sender. A long message comes in pieces, between which its
 * sender sleeps; a blocking receive of MPI would spin all that time. */
struct far__inbox {
  size_t count, room;
  struct {
    MPI_Request request;
    far__message message;
  } * items;
};

static int local_rank(void) {
  MPI_Comm machine;
  int rank = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_rank(machine, &rank);
  MPI_Comm_free(&machine);
  return rank;
}

/* A failure inside MPI ends the job (MPI_ERRORS_ARE_FATAL, its default): results are in the store. */
far_status far__transport_open(far__transport *transport, far_error *error) {
  int level = MPI_THREAD_SINGLE;
  *transport = (far__transport){.inbox = calloc(1, sizeof *transport->inbox)};
  if (transport->inbox == NULL)
    return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for messages");
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &transport->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &transport->size);
  transport->local = local_rank();
  if (gethostname(transport->host, sizeof transport->host - 1) != 0)
    strcpy(transport->host, "an unnamed host");
  if (level >= MPI_THREAD_FUNNELED) return FAR_OK;
  far__transport_close(transport);
  return far__rank_fail(error, FAR_STATUS_ABSENT, "this MPI does not allow threads");
}

void far__transport_close(far__transport *transport) {
  MPI_Finalize();
  free(transport->inbox->items);
  free(transport->inbox);
}

void far__transport_abort(const far__transport *transport, const char *reason) {
  fprintf(stderr, "farsight: rank %d on %s: %s\n", transport->rank, transport->host, reason);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Waits for a request by polling, with sleeps in between: MPI makes progress only inside its functions. MPI_Wait
 * then takes no time. */
static void nap_until_done(far__transport *transport, MPI_Request request) {
  int done = 0;
  double nap = 0;
  for (;;) {
    MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    nap = far__nap_after(nap, WAITING_NAP);
    far__transport_sleep(transport, nap);
  }
}

far_status far__transport_send(far__transport *transport, int to, far__tag tag, const void *bytes,
                               size_t size, far_error *error) {
  MPI_Request request;
  if (size > INT_MAX)
    return far__rank_fail(error, FAR_STATUS_RANGE,
                          "a message of %zu bytes is too long for MPI: fewer cells or shorter "
                          "curves are needed",
                          size);
  MPI_Isend(bytes, (int)size, MPI_BYTE, to, (int)tag, MPI_COMM_WORLD, &request);
  nap_until_done(transport, request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  transport->traffic.sent += 1;
  transport->traffic.bytes_sent += size;
  return FAR_OK;
}

/* ---- receiving ---- */

static bool grow_inbox(struct far__inbox *inbox) {
  if (inbox->count < inbox->room) return true;
  const size_t room = 2 * inbox->room + 16;
  void *items = realloc(inbox->items, room * sizeof *inbox->items);
  if (items == NULL) return false;
  inbox->items = items;
  inbox->room = room;
  return true;
}

/* Takes item k if it is complete. */
static bool take_item(far__transport *transport, size_t k, far__message *message) {
  struct far__inbox *inbox = transport->inbox;
  int done = 0;
  MPI_Test(&inbox->items[k].request, &done, MPI_STATUS_IGNORE);
  if (!done) return false;
  *message = inbox->items[k].message;
  inbox->items[k] = inbox->items[--inbox->count];
  transport->traffic.received += 1;
  transport->traffic.bytes_received += message->size;
  return true;
}

static bool awaits(const struct far__inbox *inbox, int from) {
  bool found = false;
  for (size_t k = 0; k < inbox->count && !found; ++k) found = inbox->items[k].message.from == from;
  return found;
}

/* Begins to receive a message that a probe has found. */
static far_status accept(struct far__inbox *inbox, const MPI_Status *status, far_error *error) {
  int size = 0;
  MPI_Get_count(status, MPI_BYTE, &size);
  far__message m = {status->MPI_SOURCE, (far__tag)status->MPI_TAG, (size_t)size, NULL};
  m.bytes = malloc(m.size + 1);
  if (m.bytes == NULL || !grow_inbox(inbox)) {
    free(m.bytes);
    return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for a message of %d bytes", size);
  }
  inbox->items[inbox->count].message = m;
  MPI_Irecv(m.bytes, size, MPI_BYTE, m.from, (int)m.tag, MPI_COMM_WORLD,
            &inbox->items[inbox->count].request);
  inbox->count += 1;
  return FAR_OK; /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker): the request is waited for later */
}

far_status far__transport_poll(far__transport *transport, far__message *message, bool *got,
                               far_error *error) {
  struct far__inbox *inbox = transport->inbox;
  MPI_Status status;
  int there = 0;
  *got = false;
  for (size_t k = 0; k < inbox->count && !*got; ++k) *got = take_item(transport, k, message);
  if (*got) return FAR_OK;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (!there || awaits(inbox, status.MPI_SOURCE)) return FAR_OK;
  const far_status accepted = accept(inbox, &status, error);
  /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): requests in a list are waited for later */
  if (accepted == FAR_OK) *got = take_item(transport, inbox->count - 1, message);
  return accepted;
}

void far__transport_broadcast(far__transport *transport, void *bytes, size_t size) {
  MPI_Request request;
  MPI_Ibcast(bytes, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  nap_until_done(transport, request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const bool sender = transport->rank == 0;
  transport->traffic.bytes_sent += sender ? size : 0;
  transport->traffic.bytes_received += sender ? 0 : size;
}

/* The first words of "Open MPI v4.1.4, package: ...". MPI_Get_library_version may be called before MPI_Init. */
void far_ranks_version(char *built, char *running, size_t size) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length;
  MPI_Get_library_version(text, &length);
  text[strcspn(text, ",\n")] = '\0';
  snprintf(built, size, "MPI %d.%d", MPI_VERSION, MPI_SUBVERSION);
  snprintf(running, size, "%.70s", text);
}
