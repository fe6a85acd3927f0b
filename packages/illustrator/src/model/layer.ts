import type { Box, Brush } from './stage.ts';

/** A part of a picture, from far to near. */
export interface Layer {
  /** Share of the camera's movement that it follows: 0 at infinity, 1 next to the camera. */
  readonly depth: number;
  /** Whether it changes over time. All other layers are painted once for a whole film. */
  readonly moving: boolean;
  /** Whether it is printed instead of cut: it casts no shadow in pictures made of paper. */
  readonly flat?: true;
  /** Paints in world units. Anything outside `seen` may be omitted. */
  readonly draw: (brush: Brush, time: number, seen: Box) => void;
}
