/* An agent inside a program of your own: a thermostat with five temperatures and three settings
 * learns to keep the room at temperature 2. (Every third hour brings a draught that it cannot see
 * coming, so two hours in three is the best there is.) */
#include <farsight/farsight.h>
#include <stdio.h>

enum { TEMPERATURES = 5, SETTINGS = 3, COMFORT = 2 };

/* The world: heating (2) warms, cooling (0) cools, off (1) drifts down now and then. */
static uint32_t react(uint32_t temperature, uint32_t setting, unsigned hour) {
  const int drift = setting == 1 && hour % 3 == 0 ? -1 : 0;
  const int next = (int)temperature + (int)setting - 1 + drift;
  return (uint32_t)(next < 0 ? 0 : next >= TEMPERATURES ? TEMPERATURES - 1 : next);
}

int main(void) {
  far_shape shape = far_shape_default(TEMPERATURES, SETTINGS); /* rewards in [0, 1] */
  far_agent *agent;
  far_error error;
  if (far_agent_create(&agent, "directed-delayed-q:gamma=0.9,m=10", &shape, 1, 0, &error) !=
      FAR_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  uint32_t temperature = 0;
  unsigned comfortable = 0;
  for (unsigned hour = 0; hour < 20000; ++hour) {
    const uint32_t setting = far_agent_act(agent, temperature);
    const uint32_t next = react(temperature, setting, hour);
    const double reward = next == COMFORT ? 1 : 0;
    if (hour >= 19000) comfortable += next == COMFORT;
    far_transition step = {temperature, setting, reward, next, false, false};
    if (far_agent_observe(agent, &step, &error) != FAR_OK) {
      fprintf(stderr, "%s\n", error.message);
      return 1;
    }
    temperature = next;
  }
  printf("comfortable in %u of the last 1000 hours\n", comfortable);
  far_agent_free(agent);
  return 0;
}
