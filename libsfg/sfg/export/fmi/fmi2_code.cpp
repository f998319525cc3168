#include "sfg/export/fmi/fmi2_code.hpp"

namespace sfg {

const char* const fmi2_code = R"(
/* ---- FMI 2.0 for co-simulation. Value references: inputs, outputs, parameters, each in the order of the tables above,
   then the calculated parameters. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;
typedef struct {
  void (*logger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
  void *(*allocateMemory)(size_t, size_t);
  void (*freeMemory)(void *);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

#if defined(_WIN32)
#define FMI2_API __declspec(dllexport)
#else
#define FMI2_API __attribute__((visibility("default")))
#endif

enum { INPUTS = $inputs0, OUTPUTS = $outputs0, PARAMETERS = $parameters0, STATES = $states0 };
enum { INSTANTIATED, INITIALIZING, STEPPING, TERMINATED };

/* What a state of the FMU consists of. */
typedef struct {
  double u[$inputs1], p[$parameters1], x[$states1], time, start;
  long samples; /* that have passed since the start, of a model in z */
  int phase;
} Values;

typedef struct {
  Values now;
  double held, E[$states1 * $states1], F[$states1 * $inputs1]; /* exp(A held) - 1 and its integral, where held is not 0 */
  fmi2CallbackFunctions functions;
  int logging;
  char *name;
} Instance;

static void set_start(Values *v) {
  int k;
  memset(v, 0, sizeof *v);
  for (k = 0; k < PARAMETERS; ++k) v->p[k] = $N_values[k];
}

static void *allocated(const fmi2CallbackFunctions *f, size_t size) {
  return f->allocateMemory ? f->allocateMemory(1, size) : calloc(1, size);
}

static void released(const fmi2CallbackFunctions *f, void *memory) {
  if (f->freeMemory)
    f->freeMemory(memory);
  else
    free(memory);
}

/* Says what is wrong, and is it. */
static fmi2Status wrong(const Instance *i, fmi2Status status, const char *text) {
  if (i && i->functions.logger)
    i->functions.logger(i->functions.componentEnvironment, i->name, status, status == fmi2Error ? "logStatusError" : "logStatusDiscard", text);
  return status;
}

FMI2_API const char *fmi2GetTypesPlatform(void) { return "default"; }
FMI2_API const char *fmi2GetVersion(void) { return "2.0"; }

FMI2_API fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                       const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging) {
  static const fmi2CallbackFunctions none = {NULL, NULL, NULL, NULL, NULL};
  Instance report, *i;
  (void)resources;
  (void)visible;
  memset(&report, 0, sizeof report);
  report.functions = functions ? *functions : none;
  report.name = "$N";
  if (!name || !*name) return wrong(&report, fmi2Error, "the instance has no name"), NULL;
  if (type != fmi2CoSimulation) return wrong(&report, fmi2Error, "this is an FMU for co-simulation"), NULL;
  if (!guid || strcmp(guid, "$GUID") != 0) return wrong(&report, fmi2Error, "the GUID is that of another FMU"), NULL;
  i = (Instance *)allocated(&report.functions, sizeof *i);
  if (!i) return NULL;
  memset(i, 0, sizeof *i);
  i->functions = report.functions;
  i->logging = logging;
  i->name = (char *)allocated(&report.functions, strlen(name) + 1);
  if (!i->name) {
    released(&report.functions, i);
    return NULL;
  }
  memcpy(i->name, name, strlen(name) + 1);
  set_start(&i->now);
  return i;
}

FMI2_API void fmi2FreeInstance(fmi2Component c) {
  Instance *i = (Instance *)c;
  fmi2CallbackFunctions functions;
  if (!i) return;
  functions = i->functions;
  released(&functions, i->name);
  released(&functions, i);
}

FMI2_API fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[]) {
  (void)n;
  (void)categories;
  if (!c) return fmi2Error;
  ((Instance *)c)->logging = on;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                                        fmi2Boolean has_stop, fmi2Real stop) {
  Instance *i = (Instance *)c;
  (void)has_tolerance;
  (void)tolerance;
  if (!i) return fmi2Error;
  if (i->now.phase != INSTANTIATED) return wrong(i, fmi2Error, "fmi2SetupExperiment comes before the initialization");
  if (has_stop && stop < start) return wrong(i, fmi2Error, "the experiment ends before it starts");
  i->now.time = i->now.start = start;
  return fmi2OK;
}

static fmi2Status move_on(Instance *i, int from, int to, const char *text) {
  if (!i) return fmi2Error;
  if (i->now.phase != from) return wrong(i, fmi2Error, text);
  i->now.phase = to;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return move_on((Instance *)c, INSTANTIATED, INITIALIZING, "the initialization has begun already");
}
FMI2_API fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return move_on((Instance *)c, INITIALIZING, STEPPING, "the initialization has not begun");
}
FMI2_API fmi2Status fmi2Terminate(fmi2Component c) {
  return move_on((Instance *)c, STEPPING, TERMINATED, "the simulation is not running");
}

FMI2_API fmi2Status fmi2Reset(fmi2Component c) {
  Instance *i = (Instance *)c;
  if (!i) return fmi2Error;
  set_start(&i->now);
  i->held = 0.0;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
  Instance *i = (Instance *)c;
  double y[$outputs1];
  size_t k;
  int known = 0;
  if (!i) return fmi2Error;
  for (k = 0; k < n; ++k) {
    if (r[k] < INPUTS) {
      v[k] = i->now.u[r[k]];
    } else if (r[k] < INPUTS + OUTPUTS) {
      if (!known) $N_output(i->now.p, i->now.x, i->now.u, y);
      known = 1;
      v[k] = y[r[k] - INPUTS];
    } else if (r[k] < INPUTS + OUTPUTS + PARAMETERS) {
      v[k] = i->now.p[r[k] - INPUTS - OUTPUTS];
$calculated    } else {
      return wrong(i, fmi2Error, "fmi2GetReal: there is no such value reference");
    }
  }
  return fmi2OK;
}

FMI2_API fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) {
  Instance *i = (Instance *)c;
  size_t k;
  if (!i) return fmi2Error;
  if (i->now.phase == TERMINATED) return wrong(i, fmi2Error, "fmi2SetReal: the simulation has ended");
  for (k = 0; k < n; ++k) {
    if (r[k] < INPUTS) {
      i->now.u[r[k]] = v[k];
    } else if (r[k] < INPUTS + OUTPUTS) {
      return wrong(i, fmi2Error, "fmi2SetReal: an output cannot be set");
    } else if (r[k] < INPUTS + OUTPUTS + PARAMETERS) {
      i->now.p[r[k] - INPUTS - OUTPUTS] = v[k];
      i->held = 0.0;
    } else {
      return wrong(i, fmi2Error, "fmi2SetReal: there is no such parameter; a calculated one follows those that it is made of");
    }
  }
  return fmi2OK;
}

/* There are no variables but reals. */
#define NO_VARIABLES(Type, Name)                                                                           \
  FMI2_API fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference r[], size_t n, Type v[]) {      \
    (void)r;                                                                                               \
    (void)v;                                                                                               \
    return n == 0 ? fmi2OK : wrong((Instance *)c, fmi2Error, "fmi2Get" #Name ": all variables are reals"); \
  }                                                                                                        \
  FMI2_API fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference r[], size_t n, const Type v[]) { \
    (void)r;                                                                                               \
    (void)v;                                                                                               \
    return n == 0 ? fmi2OK : wrong((Instance *)c, fmi2Error, "fmi2Set" #Name ": all variables are reals"); \
  }
NO_VARIABLES(fmi2Integer, Integer)
NO_VARIABLES(fmi2Boolean, Boolean)
NO_VARIABLES(fmi2String, String)

FMI2_API fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *s) {
  Instance *i = (Instance *)c;
  if (!i || !s) return fmi2Error;
  if (!*s) *s = allocated(&i->functions, sizeof(Values));
  if (!*s) return wrong(i, fmi2Error, "there is no memory for the state");
  memcpy(*s, &i->now, sizeof(Values));
  return fmi2OK;
}
FMI2_API fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s) {
  Instance *i = (Instance *)c;
  if (!i) return fmi2Error;
  if (!s) return wrong(i, fmi2Error, "fmi2SetFMUstate: there is no state");
  memcpy(&i->now, s, sizeof(Values));
  i->held = 0.0;
  return fmi2OK;
}
FMI2_API fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *s) {
  Instance *i = (Instance *)c;
  if (!i) return fmi2Error;
  if (s && *s) {
    released(&i->functions, *s);
    *s = NULL;
  }
  return fmi2OK;
}
FMI2_API fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate s, size_t *n) {
  if (!c || !s || !n) return wrong((Instance *)c, fmi2Error, "fmi2SerializedFMUstateSize: there is no state");
  *n = sizeof(Values);
  return fmi2OK;
}
FMI2_API fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate s, fmi2Byte bytes[], size_t n) {
  if (!c || !s || n < sizeof(Values)) return wrong((Instance *)c, fmi2Error, "fmi2SerializeFMUstate: there is no room for it");
  memcpy(bytes, s, sizeof(Values));
  return fmi2OK;
}
FMI2_API fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t n, fmi2FMUstate *s) {
  Instance *i = (Instance *)c;
  if (!i || !s || n != sizeof(Values)) return wrong(i, fmi2Error, "fmi2DeSerializeFMUstate: that is no state of this FMU");
  if (!*s) *s = allocated(&i->functions, sizeof(Values));
  if (!*s) return wrong(i, fmi2Error, "there is no memory for the state");
  memcpy(*s, bytes, sizeof(Values));
  return fmi2OK;
}

/* Of the outputs by the inputs: the matrix D. */
FMI2_API fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t unknowns,
                                                 const fmi2ValueReference known[], size_t knowns, const fmi2Real dknown[],
                                                 fmi2Real dunknown[]) {
  Instance *i = (Instance *)c;
  double x[$states1], u[$inputs1], y[$outputs1];
  size_t k;
  if (!i) return fmi2Error;
  memset(x, 0, sizeof x);
  memset(u, 0, sizeof u);
  for (k = 0; k < knowns; ++k) {
    if (known[k] >= INPUTS) return wrong(i, fmi2Error, "derivatives are by inputs");
    u[known[k]] = dknown[k];
  }
  $N_output(i->now.p, x, u, y);
  for (k = 0; k < unknowns; ++k) {
    if (unknown[k] < INPUTS || unknown[k] >= INPUTS + OUTPUTS) return wrong(i, fmi2Error, "derivatives are of outputs");
    dunknown[k] = y[unknown[k] - INPUTS];
  }
  return fmi2OK;
}

FMI2_API fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer o[],
                                                const fmi2Real v[]) {
  (void)r;
  (void)o;
  (void)v;
  return n == 0 ? fmi2OK : wrong((Instance *)c, fmi2Error, "inputs are held over a step: they have no derivatives");
}
FMI2_API fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer o[],
                                                 fmi2Real v[]) {
  (void)r;
  (void)o;
  (void)v;
  return n == 0 ? fmi2OK : wrong((Instance *)c, fmi2Error, "derivatives of outputs are not known");
}

$moved
FMI2_API fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_state_before) {
  Instance *i = (Instance *)c;
  (void)no_set_state_before;
  if (!i) return fmi2Error;
  if (i->now.phase != STEPPING) return wrong(i, fmi2Error, "fmi2DoStep: the simulation is not running");
  if (!(h > 0.0) || !(h < 1e300)) return wrong(i, fmi2Error, "fmi2DoStep: the step is not positive");
  if (!(fabs(t - i->now.time) <= 1e-9 * (fabs(t) + h))) return wrong(i, fmi2Error, "fmi2DoStep: the last step did not end at this time");
  moved(i, t, h);
  i->now.time = t + h;
  return fmi2OK;
}

FMI2_API fmi2Status fmi2CancelStep(fmi2Component c) { return wrong((Instance *)c, fmi2Error, "no step is under way"); }
FMI2_API fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind k, fmi2Status *v) {
  (void)k;
  (void)v;
  return wrong((Instance *)c, fmi2Discard, "no step is under way");
}
FMI2_API fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind k, fmi2Real *v) {
  Instance *i = (Instance *)c;
  if (!i) return fmi2Error;
  if (k != fmi2LastSuccessfulTime) return wrong(i, fmi2Discard, "that is no real status");
  *v = i->now.time;
  return fmi2OK;
}
FMI2_API fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind k, fmi2Integer *v) {
  (void)k;
  (void)v;
  return wrong((Instance *)c, fmi2Discard, "there is no whole number that is a status");
}
FMI2_API fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind k, fmi2Boolean *v) {
  if (k != fmi2Terminated) return wrong((Instance *)c, fmi2Discard, "that is no status of yes or no");
  *v = 0;
  return c ? fmi2OK : fmi2Error;
}
FMI2_API fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind k, fmi2String *v) {
  (void)k;
  (void)v;
  return wrong((Instance *)c, fmi2Discard, "no step is under way");
}
)";

}  // namespace sfg
