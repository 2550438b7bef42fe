// The signs of the view's tools, drawn with lines of one width.
import { html, svg, type TemplateResult } from "lit";

const SIGNS = {
  view: svg`<path d="M10 2.5 16.5 6v8L10 17.5 3.5 14V6z M3.5 6 10 9.5 16.5 6 M10 9.5v8" />`,
  parts: svg`<path d="M10 3 17 6.5 10 10 3 6.5z M3 10l7 3.5 7-3.5 M3 13.5 10 17l7-3.5" />`,
  section: svg`<path d="M3.5 6 10 2.5 16.5 6v8L10 17.5 3.5 14z M2 15.5 18 4.5" />`,
  measure: svg`<path d="M2.5 13.5 13.5 2.5l4 4-11 11z M5.5 10.5l2 2 M8.5 7.5l1.5 1.5 M11.5 4.5l2 2" />`,
  views: svg`<path d="M5.5 2.5h9v15L10 13.5l-4.5 4z" />`,
  more: svg`<circle cx="4.5" cy="10" r="1" /><circle cx="10" cy="10" r="1" /><circle cx="15.5" cy="10" r="1" />`,
  fit: svg`<path d="M3 7V3h4 M13 3h4v4 M17 13v4h-4 M7 17H3v-4" />`,
  alone: svg`<path d="M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5z" /><circle cx="10" cy="10" r="2.2" />`,
  closer: svg`<circle cx="8.5" cy="8.5" r="5" /><path d="m12.5 12.5 4.5 4.5 M6 8.5h5 M8.5 6v5" />`,
  reset: svg`<path d="M4 4v4h4 M4.5 8A6.5 6.5 0 1 1 3.6 12" />`,
  home: svg`<path d="M3 9.5 10 3l7 6.5 M5 8v8.5h10V8 M8.5 16.5v-5h3v5" />`,
  close: svg`<path d="m5 5 10 10 M15 5 5 15" />`,
} as const;

export function icon(name: keyof typeof SIGNS): TemplateResult {
  return html`<svg class="sign-icon" viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true">${SIGNS[name]}</svg>`;
}
