import { abstractLayers } from './paint-abstract.ts';
import { figureLayers, landLayers } from './paint-landscape.ts';
import { paintLettering } from './paint-lettering.ts';
import { backdropReference, framedReferences } from './paint-references.ts';
import { roomLayers } from './paint-room.ts';
import { spaceLayers } from './paint-space.ts';
import { studioLayers } from './paint-studio.ts';
import { underwaterLayers } from './paint-underwater.ts';
import { weatherLayers } from './paint-weather.ts';
import type { World } from './scene.ts';
import type { Box, Brush, Stage } from './stage.ts';

/** A part of a picture, from far to near. */
export interface Layer {
  /** How far it follows the camera: 0 at infinity, 1 next to it. */
  readonly depth: number;
  /** Whether it looks different at another time; what does not is painted once for a whole film. */
  readonly moving: boolean;
  /** Printed rather than cut: throws no shadow where pictures are made of paper. */
  readonly flat?: true;
  /** Paints in world units. What lies beyond `seen` need not be painted. */
  readonly draw: (brush: Brush, time: number, seen: Box) => void;
}

const WORLD_LAYERS: Readonly<Record<World, (stage: Stage) => Layer[]>> = {
  land: landLayers,
  space: spaceLayers,
  underwater: underwaterLayers,
  room: roomLayers,
  studio: studioLayers,
  abstract: abstractLayers,
};

/** What a scene's picture is made of, from far to near: the world, reference pictures, lettering. */
export function layersOf(stage: Stage): Layer[] {
  const { scene, references } = stage;
  const [first, ...others] = references;
  const filled = first !== undefined && scene.referenceUse === 'backdrop';
  const world = filled
    ? [backdropReference(stage, first), ...figureLayers(stage), ...weatherLayers(stage)]
    : WORLD_LAYERS[scene.world](stage);
  const layers = [...world, ...framedReferences(stage, filled ? others : references)];
  const text = scene.lettering;
  if (text !== null) layers.push({ depth: 0.3, moving: false, draw: (brush) => paintLettering(brush, stage, text) });
  return layers;
}
