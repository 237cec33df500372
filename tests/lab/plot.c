/* plot.c - drawings against golden files that were checked by eye, and what must hold for any plot. */
#include "tests/lab/golden.h"

#include "lab/plot.h"

#include <math.h>
#include <string.h>

static const double threads[] = {1, 2, 4, 8, 16};
static const double linear[] = {1, 1.93, 3.5, 6.3, 10.5};
static const double low[] = {0.98, 1.90, 3.3, 6.0, 9.5};
static const double high[] = {1.01, 1.95, 3.6, 6.5, 11.5};
static const double flat[] = {1, 1.5, NAN, 1.8, 1.7};

static const struct plot speed_up = {
    .title = "Speed-up on Othello",
    .x_label = "threads",
    .y_label = "speed-up",
    .log_x = true,
    .log_y = true,
    .ideal = true,
    .series_count = 2,
    .series = {{.name = "pvs,split=ybwc", .count = 5, .x = threads, .y = linear, .low = low, .high = high},
               {.name = "published <top> & more", .count = 5, .x = threads, .y = flat, .dashed = true}}};

static const double counts[] = {1, 2, 3, 4, 5, 6, 7, 8};
static const double seconds[] = {3.455, 1.872, 1.322, 1.126, 1.053, 0.979, 1.016, 0.989};
static const double negative[] = {-2, 0, 1, 2, 2.5, 3, 3, 3};

static const struct plot times = {.title = "Seconds",
                                  .x_label = "threads",
                                  .y_label = "s",
                                  .series_count = 1,
                                  .series = {{.name = "top level", .count = 8, .x = counts, .y = seconds}}};

static const struct plot below_zero = {
    .title = "Below zero",
    .x_label = "x",
    .y_label = "y",
    .series_count = 1,
    .series = {{.name = "values", .count = 8, .x = counts, .y = negative}}};

/* What is printed, until the next call. */
static const char *printed(const struct plot *plot, int columns, bool unicode, bool svg)
{
    static char text[1 << 16];
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text, "w");
    if (svg)
        plot_svg(plot, out);
    else
        plot_print(plot, out, columns, unicode);
    fclose(out);
    return text;
}

static void is_drawn_as_before(void **state)
{
    (void)state;
    check_golden("speed_up.txt", printed(&speed_up, 80, true, false));
    check_golden("speed_up.ascii.txt", printed(&speed_up, 80, false, false));
    check_golden("speed_up.svg", printed(&speed_up, 0, false, true));
    check_golden("times.txt", printed(&times, 60, true, false));
    check_golden("times.svg", printed(&times, 0, false, true));
    check_golden("below_zero.txt", printed(&below_zero, 60, false, false));
}

/* Nothing, one point, and points that cannot be shown are drawn without a fault. */
static void odd_plots_are_drawn(void **state)
{
    (void)state;
    static const double zero[] = {0}, not_a_number[] = {NAN};
    struct plot plot = {.title = "t", .x_label = "x", .y_label = "y"};
    for (int logs = 0; logs < 4; logs++) {
        plot.log_x = logs & 1;
        plot.log_y = logs & 2;
        for (int i = 0; i < 4; i++) {
            plot.series_count = i > 0;
            plot.ideal = i == 3;
            plot.series[0] = (struct plot_series){
                .name = "s", .count = 1, .x = zero, .y = i == 1 ? zero : not_a_number};
            assert_non_null(strstr(printed(&plot, 10, true, false), "x"));
            const char *svg = printed(&plot, 0, false, true);
            assert_non_null(strstr(svg, "</svg>"));
            assert_null(strstr(svg, "nan"));
            assert_null(strstr(svg, "inf"));
        }
    }
}

static int longest_line(const char *text)
{
    int longest = 0;
    while (*text) {
        int columns = 0;
        for (; *text && *text != '\n'; text++)
            columns += (*text & 0xc0) != 0x80; /* bytes that begin a character */
        longest = columns > longest ? columns : longest;
        text += *text == '\n';
    }
    return longest;
}

static void fits_its_columns(void **state)
{
    (void)state;
    for (int columns = 40; columns <= 200; columns += 20)
        for (int unicode = 0; unicode < 2; unicode++) {
            const char *text = printed(&speed_up, columns, unicode, false);
            assert_in_range(longest_line(text), columns / 2, columns);
            for (const char *c = text; !unicode && *c; c++)
                assert_true(*c > 0);
        }
}

static void text_is_escaped_in_svg(void **state)
{
    (void)state;
    const char *svg = printed(&speed_up, 0, false, true);
    assert_non_null(strstr(svg, "published &lt;top&gt; &amp; more"));
    assert_null(strstr(svg, "<top>"));
    assert_non_null(strstr(svg, "role=\"img\""));
    assert_non_null(strstr(svg, "pvs,split=ybwc: 1 at 1, 1.93 at 2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_drawn_as_before),
        cmocka_unit_test(odd_plots_are_drawn),
        cmocka_unit_test(fits_its_columns),
        cmocka_unit_test(text_is_escaped_in_svg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
