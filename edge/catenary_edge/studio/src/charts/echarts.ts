// ECharts with the parts that the platform's charts need, under the page's policy.
import { BarChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { number } from "../state/format.ts";

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

/** The page's colours of a chart. */
export interface Look {
  text: string;
  line: string;
  ground: string;
  accent: string;
}

/** Return the options of words, axes and tips in the page's colours. */
export function optionsOf(look: Look) {
  const words = { color: look.text, fontSize: 12 };
  const axisLabel = { ...words, hideOverlap: true, formatter: (value: number | string) => (typeof value === "number" ? number(value) : value) };
  const axis = { nameTextStyle: words, axisLabel, axisLine: { lineStyle: { color: look.line } }, splitLine: { lineStyle: { color: look.line } } };
  // The page's policy allows no styles in markup: tooltips are drawn on the canvas.
  const tooltip = { renderMode: "richText", confine: true, backgroundColor: look.ground, borderColor: look.line, textStyle: words } as const;
  return { words, axis, tooltip };
}

export function chartIn(place: HTMLElement): echarts.ECharts {
  return echarts.init(place, null, { renderer: "canvas" });
}

export type { ECharts } from "echarts/core";
