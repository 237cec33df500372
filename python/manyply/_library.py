"""The shared library as cffi sees it (ABI mode: nothing is compiled). tests/test_library.py compares these declarations with
include/manyply/manyply.h and game.h."""
from __future__ import annotations

import os
import pathlib
from typing import Any

import cffi

ffi = cffi.FFI()

# The game's table is declared as far as it is used here; it is only ever seen through a pointer.
ffi.cdef("""
typedef uint64_t mp_move;
typedef int32_t mp_value;
struct mp_error { char text[512]; int code; };
struct mp_evaluation { const char *name; const char *summary; void *evaluate; void *children; };
struct mp_game {
    uint32_t abi_version; uint32_t struct_size, evaluation_size, option_size;
    const char *name; const char *summary; const char *players[2];
    uint32_t state_size; uint32_t flags; int scoring; int32_t margin_max; int32_t units_per_point; int32_t symmetry_count;
    const struct mp_evaluation *evaluations; const void *options; int32_t option[8];
    void *initial; void *list; void *play; void *margin; void *side; void *key; void *parse_position; void *print_position;
    void *print_move; void *chances; void *drawn; void *history_key; void *parse_move; void *is_pass;
    int (*draw)(const struct mp_game *game, const void *state, char *text, size_t size);
    void *transform;
    int (*print_record_move)(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size);
};
struct mp_svg {
    uint32_t struct_size; bool flipped; int width; int arrow_count; const mp_move *arrows; const char *const *colours;
};
struct mp_counters {
    uint64_t nodes; uint64_t leaves; uint64_t alpha_cuts; uint64_t beta_cuts; uint64_t table_probes; uint64_t table_hits;
    uint64_t tasks_created; uint64_t tasks_local; uint64_t tasks_stolen; uint64_t tasks_cancelled; uint64_t wasted_nodes;
    uint64_t leaf_plies; int max_ply; uint64_t alternatives; uint64_t alternative_plies; uint64_t iterations;
    uint64_t playouts; uint64_t reserved[8];
};
struct mp_result {
    uint32_t struct_size; mp_move move; mp_value value; bool exact; bool stopped; bool complete; int depth; int line; int bound;
    int threads; double seconds; struct mp_counters counters; int pv_length; mp_move pv[256]; double standard_error;
    double busy_seconds[256]; double effort;
};
struct mp_limits {
    uint32_t struct_size; int depth; uint64_t nodes; double seconds; const mp_move *moves; int move_count; int lines;
    bool bounds;
};
struct mp_info { uint32_t struct_size; const char *name; const char *summary; bool exact; };
struct mp_key_info {
    uint32_t struct_size; const char *name; const char *summary; const char *initial; const char *const *words;
    int64_t least, most; char values[128]; char algorithms[128]; char schemes[128];
};
struct mp_position; struct mp_strategy; struct mp_search;
typedef void (*mp_progress)(const struct mp_result *so_far, void *context);
typedef void (*mp_perft_progress)(double share, void *context);

const char *mp_version(void);
int mp_cpu_count(void);
const char *mp_game_name(int index);
struct mp_game *mp_game_open(const char *name, struct mp_error *error);
void mp_game_close(struct mp_game *game);
struct mp_position *mp_position_new(const struct mp_game *game, const char *text, struct mp_error *error);
struct mp_position *mp_position_copy(const struct mp_position *position, struct mp_error *error);
void mp_position_free(struct mp_position *position);
const void *mp_position_state(const struct mp_position *position);
const mp_move *mp_position_played(const struct mp_position *position, size_t *count);
bool mp_position_play(struct mp_position *position, mp_move move, struct mp_error *error);
bool mp_position_play_text(struct mp_position *position, const char *record, struct mp_error *error);
int mp_position_moves(const struct mp_position *position, mp_move *moves, uint32_t *weights, int capacity);
bool mp_position_is_chance(const struct mp_position *position);
bool mp_position_drawn(const struct mp_position *position);
bool mp_position_is_over(const struct mp_position *position);
int mp_position_margin(const struct mp_position *position);
int mp_position_svg(const struct mp_position *position, const struct mp_svg *how, char *text, size_t size);
int mp_position_side(const struct mp_position *position);
int mp_position_text(const struct mp_position *position, char *text, size_t size);
int mp_position_move_text(const struct mp_position *position, mp_move move, char *text, size_t size);
bool mp_position_evaluate(const struct mp_position *position, const char *evaluation, mp_value *value,
                          struct mp_error *error);
int mp_value_text(const struct mp_game *game, mp_value value, char *text, size_t size);
bool mp_position_parse_move(const struct mp_position *position, const char *text, mp_move *move, struct mp_error *error);
mp_move mp_position_throw(const struct mp_position *position, uint64_t seed, uint64_t game, uint64_t throws_before);
struct mp_strategy *mp_strategy_new(const struct mp_game *game, const char *text, struct mp_error *error);
void mp_strategy_free(struct mp_strategy *strategy);
bool mp_strategy_set(struct mp_strategy *strategy, const char *key, const char *value, struct mp_error *error);
const char *mp_strategy_text(const struct mp_strategy *strategy);
struct mp_search *mp_search_with(const struct mp_strategy *strategy, struct mp_error *error);
void mp_search_free(struct mp_search *search);
const char *mp_search_strategy(const struct mp_search *search);
bool mp_search_run(struct mp_search *search, const struct mp_position *position, mp_progress progress, void *context,
                   struct mp_result *result, struct mp_error *error);
bool mp_search_run_within(struct mp_search *search, const struct mp_position *position, const struct mp_limits *limits,
                          mp_progress progress, void *context, struct mp_result *result, struct mp_error *error);
void mp_search_forget(struct mp_search *search);
void mp_search_stop(struct mp_search *search);
void mp_search_clear_stop(struct mp_search *search);
bool mp_search_follow(struct mp_search *search, int slices, struct mp_error *error);
bool mp_search_write_trace(const struct mp_search *search, const char *path, struct mp_error *error);
bool mp_perft(const struct mp_position *position, int depth, int threads, bool drop_finished, mp_perft_progress progress,
              void *context, uint64_t *leaves, struct mp_error *error);
bool mp_algorithm_at(int index, struct mp_info *info);
bool mp_scheme_at(int index, struct mp_info *info);
bool mp_key_at(int index, struct mp_key_info *info);
""")

SONAME = "libmanyply.so.0.1"


def _candidates() -> list[str]:
    """Where the library may be: where MANYPLY_LIBRARY says, in the build of this source, where the system has it."""
    given = os.environ.get("MANYPLY_LIBRARY")
    if given:
        return [given]
    here = pathlib.Path(__file__).resolve()
    built = here.parents[2] / "build" / "libmanyply.so"
    return ([str(built)] if built.exists() else []) + [SONAME, "libmanyply.so"]


def _load() -> Any:
    reasons = []
    for name in _candidates():
        try:
            return ffi.dlopen(name)
        except OSError as error:
            reasons.append(str(error))
    raise ImportError("libmanyply is not to be found: install it (libmanyply0.1), run `make` in the source, or set "
                      "MANYPLY_LIBRARY to its file. " + "; ".join(reasons))


lib: Any = _load()


class Error(ValueError):
    """What the library says was wrong, in one sentence."""


def text_of(pointer: Any) -> str:
    """A C string."""
    return ffi.string(pointer).decode(errors="replace")


def printed(write: Any, *arguments: Any) -> str:
    """What a function prints that counts like snprintf."""
    room = 256
    while True:
        buffer = ffi.new("char[]", room)
        length = write(*arguments, buffer, room)
        if length < room:
            return text_of(buffer)
        room = length + 1


def new_error() -> Any:
    return ffi.new("struct mp_error *")


def check(done: Any, error: Any) -> Any:
    """What a function returned, or the error that it has written."""
    if not done:
        raise Error(text_of(error.text))
    return done


def owned(raw: Any, free: Any, *kept: Any) -> Any:
    """An object of the library that is freed with its last reference, and before what it refers to."""
    return ffi.gc(raw, lambda pointer, kept=kept: free(pointer))


def sized(kind: str) -> Any:
    """A struct that begins with its size."""
    struct = ffi.new(f"struct {kind} *")
    struct.struct_size = ffi.sizeof(f"struct {kind}")
    return struct
