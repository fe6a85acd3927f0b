import type { Layer } from '../model/layer.ts';
import type { World } from '../model/scene.ts';
import type { Stage } from '../model/stage.ts';
import { paintLettering } from './paint-lettering.ts';
import { backdropReference, framedReferences } from './paint-references.ts';
import { abstractLayers } from './worlds/paint-abstract.ts';
import { figureLayers, landLayers } from './worlds/paint-landscape.ts';
import { roomLayers } from './worlds/paint-room.ts';
import { spaceLayers } from './worlds/paint-space.ts';
import { studioLayers } from './worlds/paint-studio.ts';
import { underwaterLayers } from './worlds/paint-underwater.ts';
import { weatherLayers } from './worlds/paint-weather.ts';

const WORLD_LAYERS: Readonly<Record<World, (stage: Stage) => Layer[]>> = {
  land: landLayers,
  space: spaceLayers,
  underwater: underwaterLayers,
  room: roomLayers,
  studio: studioLayers,
  abstract: abstractLayers,
};

/** Lists the layers of a scene from far to near: the world, reference pictures, lettering. */
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
