// The base of elements that draw on a canvas: again when they change, are resized, or the theme changes, once a frame.
import { LightElement } from "./light.ts";

export abstract class DrawnElement extends LightElement {
  private frame = 0;
  private readonly sizes = new ResizeObserver(() => this.redraw());
  private readonly theme = matchMedia("(prefers-color-scheme: dark)");
  private readonly recolor = () => this.redraw();

  /** Draw what the element shows now. */
  protected abstract draw(): void;

  /** Draw with the next frame. */
  protected redraw(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (this.isConnected) this.draw();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.theme.addEventListener("change", this.recolor);
    this.sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.theme.removeEventListener("change", this.recolor);
    this.sizes.disconnect();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }
}
