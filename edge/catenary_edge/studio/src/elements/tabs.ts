// Tabs over panels of which one is shown.
import { html, type TemplateResult } from "lit";

export interface Tab<Name extends string> {
  name: Name;
  label: string;
  content: TemplateResult;
}

/** Render tabs with their panels; those that are not shown keep their state. */
export function tabsOf<Name extends string>(label: string, chosen: Name, tabs: readonly Tab<Name>[], choose: (name: Name) => void) {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = tabs[(tabs.findIndex((one) => one.name === chosen) + step + tabs.length) % tabs.length]!;
    choose(next.name);
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${label} @keydown=${move}>
      ${tabs.map(
        ({ name, label: text }) => html`<button role="tab" id="tab-${name}" aria-selected=${name === chosen} aria-controls="panel-${name}" tabindex=${name === chosen ? 0 : -1} @click=${() => choose(name)}>${text}</button>`,
      )}
    </div>
    ${tabs.map(({ name, content }) => html`<div role="tabpanel" id="panel-${name}" aria-labelledby="tab-${name}" ?hidden=${name !== chosen}>${content}</div>`)}`;
}
