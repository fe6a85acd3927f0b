import { Path2D } from '@napi-rs/canvas';
import { drawingOf } from '../figures/figures.ts';
import type { Figure } from '../model/scene.ts';

/** Measures how far a figure reaches to both sides of its middle, and above its foot, in world units. */
export function reachOf(figure: Figure): { readonly half: number; readonly rise: number } {
  const boxes = drawingOf(figure).parts.map(({ path }) => new Path2D(path).getBounds());
  const half = Math.max(20, ...boxes.map(([left, , right]) => Math.max(50 - left, right - 50)));
  const rise = Math.max(100, ...boxes.map(([, top]) => 100 - top));
  return { half: (half / 100) * figure.size, rise: (rise / 100) * figure.size };
}
