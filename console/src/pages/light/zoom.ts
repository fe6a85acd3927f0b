/** Which part of each picture is shown: the same of all. */
export interface Zoom {
  readonly scale: number;
  /** How far the picture is moved, in shares of its width and height. */
  readonly x: number;
  readonly y: number;
}

export const FIT: Zoom = { scale: 1, x: 0, y: 0 };
export const MOST_SCALE = 8;
const STEP = 1.5;

export function zoomTo(zoom: Zoom, scale: number): Zoom {
  return clamped({ ...zoom, scale: Math.min(MOST_SCALE, Math.max(1, scale)) });
}

export function zoomIn(zoom: Zoom): Zoom {
  return zoomTo(zoom, zoom.scale * STEP);
}

export function zoomOut(zoom: Zoom): Zoom {
  return zoomTo(zoom, zoom.scale / STEP);
}

/** Moves by shares of the visible part. */
export function pan(zoom: Zoom, x: number, y: number): Zoom {
  return clamped({ ...zoom, x: zoom.x + x / zoom.scale, y: zoom.y + y / zoom.scale });
}

export function zoomStyle({ scale, x, y }: Zoom): Record<`--${string}`, string> {
  return { '--zoom': String(scale), '--pan-x': `${x * 100}%`, '--pan-y': `${y * 100}%` };
}

/** Never shows what is beyond the edges. */
function clamped({ scale, x, y }: Zoom): Zoom {
  const most = (scale - 1) / (2 * scale);
  const limit = (value: number) => Math.min(most, Math.max(-most, value));
  return { scale, x: limit(x), y: limit(y) };
}
