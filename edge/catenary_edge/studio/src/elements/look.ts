// The page's colours, for what draws by itself.
import type { Look } from "../charts/echarts.ts";

/** Return the colours of an element of the class `plot`. */
export function lookOf(plot: Element): Look {
  // Custom properties keep light-dark() unresolved: only a used colour tells the present one.
  const style = getComputedStyle(plot);
  return { text: style.color, line: style.borderTopColor, ground: style.backgroundColor, accent: style.caretColor };
}
