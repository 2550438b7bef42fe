// Scatter, line and bar charts of many designs on a canvas.
import { headingOf, shownValue, type Column } from "../state/candidates.ts";
import * as format from "../state/format.ts";
import { groupsOf, meanOf } from "../state/groups.ts";
import { COLORS } from "../state/shades.ts";
import { designPlot as texts } from "../texts/designs.ts";
import { chartIn, optionsOf, type Look } from "./echarts.ts";
import type { Layer } from "./layers.ts";

/** Characters of a name at an axis. */
const LONGEST_NAME = 40;

/** What is drawn: the first axis goes across, the others up. */
export interface Plotted {
  kind: "scatter" | "line" | "bar";
  axes: readonly Column[];
  color: Column | undefined;
  layers: readonly Layer[];
  /** Place of the chosen candidate; -1 without one. */
  chosen: number;
}

export class DesignPlot {
  private readonly chart;

  /** Draw in an element; a click on a design tells its place. */
  constructor(place: HTMLElement, clicked: (place: number) => void) {
    this.chart = chartIn(place);
    this.chart.on("click", ({ value }) => {
      const found = Array.isArray(value) ? value[2] : undefined;
      if (typeof found === "number" && found >= 0) clicked(found);
    });
  }

  draw(plotted: Plotted, look: Look): void {
    this.chart.setOption({ animation: false, ...(plotted.kind === "scatter" ? scatter(plotted, look) : means(plotted, look)) } as never, { notMerge: true });
  }

  resize(): void {
    this.chart.resize();
  }

  dispose(): void {
    this.chart.dispose();
  }
}

function nameOf(column: Column): string {
  const text = headingOf(column);
  return text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME - 1)}…`;
}

function axisOf(column: Column, options: object): object {
  const { categories } = column;
  if (categories === null) return { ...options, type: "value", scale: true, name: nameOf(column) };
  return { ...options, type: "category", data: categories.map((_, place) => shownValue(column, place)), name: nameOf(column) };
}

function scatter({ axes, color, layers, chosen }: Plotted, look: Look): object {
  const [x, y] = [axes[0]!, axes[1]!];
  const { words, axis, tooltip } = optionsOf(look);
  const shown = [x, y, ...(color === undefined ? [] : [color])];
  const points = (places: readonly number[]) => places.map((place) => [x.numbers[place]!, y.numbers[place]!, place]).filter(([across, up]) => !Number.isNaN(across! + up!));
  const size = layers.reduce((sum, { places }) => sum + places.length, 0) > 500 ? 6 : 9;
  return {
    grid: { left: 8, right: 24, top: 32, bottom: 28, containLabel: true },
    tooltip: { ...tooltip, trigger: "item", formatter: ({ value }: { value: number[] }) => shown.map((one) => `${nameOf(one)}: ${shownValue(one, one.numbers[value[2]!]!)}`).join("\n") },
    xAxis: { ...axisOf(x, axis), nameLocation: "middle", nameGap: 26 },
    yAxis: { ...axisOf(y, axis), nameTextStyle: { ...words, align: "left" } },
    series: [
      ...layers.map(({ kind, color: ink, places }) => ({
        type: "scatter",
        data: points(places),
        symbolSize: size,
        silent: kind === "miss",
        itemStyle: kind === "infeasible" ? { color: "transparent", borderColor: ink, borderWidth: 1, opacity: 0.45 } : { color: ink, opacity: kind === "miss" ? 0.08 : 0.85 },
      })),
      { type: "scatter", data: chosen < 0 ? [] : points([chosen]), symbolSize: size + 6, silent: true, itemStyle: { color: "transparent", borderColor: look.text, borderWidth: 2 } },
    ],
  };
}

/** The mean of each further column over the values of the first one, of all designs that are shown. */
function means({ kind, axes, layers }: Plotted, look: Look): object {
  const [x, ...others] = [axes[0]!, ...axes.slice(1)];
  const { words, axis, tooltip } = optionsOf(look);
  const shown = new Set(layers.filter((one) => one.kind !== "miss").flatMap(({ places }) => places));
  const groups = groupsOf(x, (place) => shown.has(place));
  const isNumeric = kind === "line" && x.categories === null;
  const data = (column: Column) => groups.flatMap(({ at, label, places }) => {
    const mean = meanOf(column, places);
    return mean === null ? [] : [[isNumeric ? at : label, mean, places.length === 1 ? places[0]! : -1]];
  });
  return {
    color: [...COLORS],
    grid: { left: 8, right: 24, top: others.length > 1 ? 40 : 32, bottom: 28, containLabel: true },
    legend: { show: others.length > 1, type: "scroll", top: 0, textStyle: words, inactiveColor: look.line },
    tooltip: { ...tooltip, trigger: "axis", valueFormatter: (value: unknown) => (typeof value === "number" ? format.number(value) : "–") },
    xAxis: { ...axis, type: isNumeric ? "value" : "category", ...(isNumeric ? {} : { data: groups.map(({ label }) => label) }), scale: true, name: nameOf(x), nameLocation: "middle", nameGap: 26 },
    yAxis: { ...axis, type: "value", scale: kind === "line", name: others.length === 1 ? texts.meanOf(nameOf(others[0]!)) : texts.mean, nameTextStyle: { ...words, align: "left" } },
    series: others.map((column) => ({ type: kind, name: nameOf(column), data: data(column), symbolSize: 7, showSymbol: groups.length <= 60 })),
  };
}
