"""Small plots as SVG, so that a notebook needs nothing else to show a curve."""
from __future__ import annotations

import math
from html import escape
from typing import Optional, Sequence

#: Colours that can be told apart by most people, also by those who see fewer (Okabe and Ito).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


class Svg(str):
    """A drawing that a notebook shows."""

    def _repr_svg_(self) -> str:
        return str(self)


def _ticks(low: float, high: float, log: bool) -> list[float]:
    if log:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        step = max(1, (last - first) // 6)
        return [10.0 ** power for power in range(first, last + 1, step)]
    step = 10 ** math.floor(math.log10((high - low) / 4 or 1))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6)
    return [step * i for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _label(number: float) -> str:
    if number and (abs(number) >= 1e5 or abs(number) < 1e-3):
        return f"{number:.0e}".replace("e+0", "e").replace("e-0", "e-")
    return f"{number:g}"


def plot(series: dict[str, Sequence[tuple[float, float]]], title: str = "", x: str = "", y: str = "", log_x: bool = False,
         log_y: bool = False, ideal: bool = False, width: int = 560, height: int = 340) -> Svg:
    """Curves over common axes: `plot({"ybwc": [(1, 1.0), (2, 1.9)]}, x="threads", y="speed-up", ideal=True)`. ideal adds the
    dotted line y = x; on a logarithmic axis numbers must be positive."""
    points = [point for curve in series.values() for point in curve]
    if not points:
        raise ValueError("a plot without points, expected at least one")
    left, right, top, bottom = 64, 16, 34, 52
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    if ideal:
        ys = ys + xs
    x_low, x_high, y_low, y_high = min(xs), max(xs), min(ys), max(ys)
    if not log_y:
        y_low = min(0.0, y_low)
    x_ticks, y_ticks = _ticks(x_low, x_high, log_x), _ticks(y_low, y_high or 1, log_y)
    if not log_x and all(float(value).is_integer() for value in xs):  # there is no half of a thread
        x_ticks = sorted({round(tick) for tick in x_ticks})
    if log_y:
        y_low, y_high = min(y_low, y_ticks[0]), max(y_high, y_ticks[-1])
    at = lambda value, low, high, log: ((math.log(value / low) / (math.log(high / low) or 1)) if log
                                        else (value - low) / ((high - low) or 1))
    px = lambda value: left + at(value, x_low, x_high, log_x) * (width - left - right)
    py = lambda value: height - bottom - at(value, y_low, y_high, log_y) * (height - top - bottom)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img" '
           f'font-family="system-ui,sans-serif" font-size="12"><title>{escape(title)}</title>'
           f'<rect width="{width}" height="{height}" fill="#fff"/>'
           f'<text x="{left}" y="20" font-size="14" font-weight="600">{escape(title)}</text>']
    for tick in y_ticks:
        out.append(f'<path d="M{left} {py(tick):.1f}H{width - right}" stroke="#d9e1e8"/><text x="{left - 6}" '
                   f'y="{py(tick) + 4:.1f}" text-anchor="end" fill="#5b6a77">{_label(tick)}</text>')
    for tick in x_ticks:
        if x_low - 1e-9 <= tick <= x_high + 1e-9:
            out.append(f'<text x="{px(tick):.1f}" y="{height - bottom + 18}" text-anchor="middle" '
                       f'fill="#5b6a77">{_label(tick)}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 12}" text-anchor="middle">{escape(x)}</text>'
               f'<text transform="translate(16 {(top + height - bottom) / 2}) rotate(-90)" '
               f'text-anchor="middle">{escape(y)}</text>')
    if ideal:
        out.append(f'<path d="M{px(x_low):.1f} {py(x_low):.1f}L{px(x_high):.1f} {py(x_high):.1f}" stroke="#5b6a77" '
                   f'stroke-dasharray="3 4" fill="none"/>')
    for number, (name, curve) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = "L".join(f"{px(a):.1f} {py(b):.1f}" for a, b in curve)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{px(a):.1f}" cy="{py(b):.1f}" r="3.5" fill="{colour}"/>' for a, b in curve]
        out.append(f'<rect x="{left + 10}" y="{top + 4 + 17 * number}" width="10" height="10" fill="{colour}"/>'
                   f'<text x="{left + 26}" y="{top + 13 + 17 * number}">{escape(name)}</text>')
    return Svg("\n".join(out) + "</svg>")


class Table(list):
    """Rows (dicts) that a notebook shows as a table; for a data frame: `pandas.DataFrame(table)`."""

    def _repr_html_(self) -> str:
        names = list(self[0]) if self else []
        cell = lambda value: f"{value:,.3g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value
        rows = ("".join(f"<td>{escape(str(cell(row.get(name, ''))))}</td>" for name in names) for row in self)
        head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
        return f"<table><tr>{head}</tr>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"

    def __repr__(self) -> str:
        return "\n".join(str(row) for row in self)


def board(position, arrows: Sequence[str] = (), caption: Optional[str] = None, width: int = 320) -> Svg:
    """A board with arrows, as a drawing."""
    drawing = position.svg(arrows=arrows, width=width)
    return Svg(drawing if not caption else drawing.replace("role=\"img\">", f'role="img"><title>{escape(caption)}</title>', 1))
