#pragma once

// From here on, Ctrl-C and SIGTERM ask for a stop instead of ending the program, once: a second one ends it.
// A reader of standard output that goes away, or a limit on the size of files, is an error of the one write.
void catch_signals();

bool stop_requested();
