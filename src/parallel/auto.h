/* auto.h - which scheme split=auto stands for. */
#ifndef PARALLEL_AUTO_H
#define PARALLEL_AUTO_H

#include "parallel/crew.h"

const struct scheme *auto_scheme(const struct mp_game *game, const struct settings *settings, bool table);

#endif
