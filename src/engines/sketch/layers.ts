import { abstractLayers } from './paint-abstract.ts';
import { landLayers } from './paint-landscape.ts';
import type { Brush, Stage } from './stage.ts';

/** A part of a picture, from far to near. */
export interface Layer {
  /** How far it follows the camera: 0 at infinity, 1 next to it. */
  readonly depth: number;
  /** Whether it looks different at another time; what does not is painted once for a whole film. */
  readonly moving: boolean;
  /** Paints in world units. */
  readonly draw: (brush: Brush, time: number) => void;
}

export function layersOf(stage: Stage): Layer[] {
  switch (stage.scene.world) {
    case 'abstract':
      return abstractLayers(stage);
    default:
      return landLayers(stage);
  }
}
