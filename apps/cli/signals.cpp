#include "signals.h"

#include <atomic>
#include <csignal>

namespace {

std::atomic<bool> requested = false;  // a handler reaches nothing but globals
static_assert(std::atomic<bool>::is_always_lock_free);

void request_stop(int) { requested = true; }

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART | int(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // as for a job in the background
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool stop_requested() { return requested; }
