// A canvas as sharp as the screen, in pixels of the page.

/** Fit a canvas to its place, empty it, and return its context; null while it is not in view. */
export function emptied(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return null;
  const sharpness = Math.min(devicePixelRatio, 2);
  const [across, down] = [Math.round(width * sharpness), Math.round(height * sharpness)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  const context = canvas.getContext("2d")!;
  context.setTransform(sharpness, 0, 0, sharpness, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
