// One chart on a canvas, by ECharts with the parts that the platform's charts need.
import { BarChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { number } from "../state/format.ts";
import type { Drawing } from "../state/chart.ts";

echarts.use([BarChart, LineChart, ScatterChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
}

// The library empties its place by `innerHTML = ""`, which the page's policy lets pass by this rule alone: no other text is markup.
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("default", {
  createHTML: (text) => {
    if (text !== "") throw new TypeError("The page makes no markup of texts.");
    return text;
  },
});

/** Colours of series in order, told apart in both themes and by most people with a colour deficiency (Okabe and Ito, 2008). */
const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];

/** The page's colours of a chart. */
export interface Look {
  text: string;
  line: string;
  ground: string;
}

export class Plot {
  private readonly chart: echarts.ECharts;

  constructor(place: HTMLElement) {
    this.chart = echarts.init(place, null, { renderer: "canvas" });
  }

  /** Draw at once, in place of what is there. */
  draw(drawing: Drawing, look: Look): void {
    const words = { color: look.text, fontSize: 12 };
    const axis = { nameTextStyle: words, axisLabel: { ...words, hideOverlap: true, formatter: (value: number | string) => (typeof value === "number" ? number(value) : value) }, axisLine: { lineStyle: { color: look.line } }, splitLine: { lineStyle: { color: look.line } } };
    this.chart.setOption(
      {
        animation: false,
        color: COLORS,
        grid: { left: 8, right: 16, top: drawing.series.length > 1 ? 36 : 28, bottom: 28, containLabel: true },
        legend: { show: drawing.series.length > 1, type: "scroll", top: 0, textStyle: words, inactiveColor: look.line },
        // The page's policy allows no styles in markup: tooltips are drawn on the canvas.
        tooltip: { trigger: drawing.kind === "scatter" ? "item" : "axis", renderMode: "richText", confine: true, backgroundColor: look.ground, borderColor: look.line, textStyle: words },
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
