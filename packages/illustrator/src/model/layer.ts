import type { Box, Brush } from './stage.ts';

/** A part of a picture, from far to near. */
export interface Layer {
  /** How far it follows the camera: 0 at infinity, 1 next to it. */
  readonly depth: number;
  /** True if it looks different at another time. All other layers are painted once for a whole film. */
  readonly moving: boolean;
  /** Printed rather than cut: throws no shadow where pictures are made of paper. */
  readonly flat?: true;
  /** Paints in world units. Anything outside `seen` may be left out. */
  readonly draw: (brush: Brush, time: number, seen: Box) => void;
}
