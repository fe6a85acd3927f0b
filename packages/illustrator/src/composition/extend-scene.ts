import type { Figure, Scene } from '../model/scene.ts';
import { createStage, type View } from '../model/stage.ts';
import { readPrompt } from '../prompt/read-prompt.ts';
import { composeScene } from './compose-scene.ts';

/**
 * Extends a scene beyond its frame with the figures that another prompt names. World and light stay the same unless the
 * prompt says otherwise, and new figures stand outside the old frame.
 */
export function extendScene(scene: Scene, prompt: string, view: View): Scene {
  const reading = readPrompt(prompt);
  const wished = composeScene({ prompt, seed: scene.seed, style: scene.style, camera: scene.camera });
  const elsewhere = reading.places.length > 0 && wished.world !== 'abstract';
  const otherLight = reading.times.length > 0 || reading.weather.length > 0 || reading.colours.length > 0;
  const known = new Set(scene.figures.map((figure) => figure.kind));
  const added = wished.figures.filter((figure) => !known.has(figure.kind));
  const { world, ground, shore, backdrops, growth, horizon } = elsewhere ? wished : scene;
  const { palette, time, light, weather } = otherLight ? wished : scene;
  return {
    ...scene,
    prompt,
    world,
    ground,
    shore,
    backdrops,
    growth,
    horizon,
    palette,
    time,
    light,
    weather,
    lettering: scene.lettering ?? wished.lettering,
    figures: [...scene.figures, ...added.map((figure, index) => outside(scene, figure, index, view))],
  };
}

/** Moves a figure to the part of a view beyond the frame: to the wider side, or above. */
function outside(scene: Scene, figure: Figure, index: number, view: View): Figure {
  const left = -view.x;
  const right = view.x + view.width - 1;
  const { frame } = createStage(scene, { width: 1000 * view.frameRatio, height: 1000 });
  if (Math.max(left, right) < 0.12)
    return figure.where === 'air' && view.y < 0 ? { ...figure, y: view.y * 0.6 } : figure;
  const turn = index % 2 === 0 ? right >= left : right < left;
  const toRight = turn || left < 0.12;
  const room = toRight ? right : left;
  const share = 0.5 + 0.22 * ((index * 0.618) % 1);
  // The figure is no wider than the available room.
  const size = Math.min(figure.size, room * 2 * frame.right * 0.9);
  return { ...figure, size, x: (toRight ? 1 : -1) * (1 + room * 2 * share) };
}
