// One chart of a model on a canvas.
import type { Drawing } from "../state/chart.ts";
import { COLORS } from "../state/shades.ts";
import { chartIn, optionsOf, type Look } from "./echarts.ts";

export class Plot {
  private readonly chart;

  constructor(place: HTMLElement) {
    this.chart = chartIn(place);
  }

  /** Draw at once, in place of what is there. */
  draw(drawing: Drawing, look: Look): void {
    const { words, axis, tooltip } = optionsOf(look);
    this.chart.setOption(
      {
        animation: false,
        color: [...COLORS],
        grid: { left: 8, right: 16, top: drawing.series.length > 1 ? 36 : 28, bottom: 28, containLabel: true },
        legend: { show: drawing.series.length > 1, type: "scroll", top: 0, textStyle: words, inactiveColor: look.line },
        tooltip: { ...tooltip, trigger: drawing.kind === "scatter" ? "item" : "axis" },
        xAxis: { ...axis, type: drawing.isNumeric ? "value" : "category", scale: true, name: drawing.x, nameLocation: "middle", nameGap: 26 },
        yAxis: { ...axis, type: "value", scale: drawing.kind !== "bar", name: drawing.y, nameTextStyle: { ...words, align: "left" } },
        series: drawing.series.map(({ name, points }) => ({ type: drawing.kind, name, data: points, symbolSize: drawing.kind === "line" ? 4 : 6, showSymbol: points.length <= 100 })),
      },
      { notMerge: true },
    );
  }

  resize(): void {
    this.chart.resize();
  }

  dispose(): void {
    this.chart.dispose();
  }
}
