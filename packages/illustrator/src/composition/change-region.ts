import { deriveSeed } from '../model/random.ts';
import type { Figure, Scene } from '../model/scene.ts';
import { createStage, type Stage, type View } from '../model/stage.ts';
import { readPrompt } from '../prompt/read-prompt.ts';
import { composeScene } from './compose-scene.ts';
import type { Area } from './plan.ts';
import { reachOf } from './reach-of.ts';
import { varyScene } from './vary-scene.ts';

/** Share of a region that a figure fills. */
const FILLED = 0.82;

/**
 * Composes the new content of a region. A prompt that names only things puts them there, in the same land and light;
 * one that names a place, an hour or a weather shows another scene there; without a prompt, the same place is painted
 * with another seed.
 * @param region the changed area, in fractions of the view; null if it is not known.
 */
export function changeRegion(
  scene: Scene,
  prompt: string | null,
  seed: number,
  view: View,
  region: Area | null,
): Scene {
  if (prompt === null) return inSamePlace(scene, varyScene(scene, seed, 'strong'));
  const put = region === null ? null : putInRegion(scene, prompt, seed, view, region);
  return put ?? varyScene(scene, seed, 'subtle', prompt);
}

/**
 * Replaces the figures in a region by those that a prompt names; null if the prompt names no thing, or also names a
 * place, an hour or a weather.
 */
export function putInRegion(scene: Scene, prompt: string, seed: number, view: View, region: Area): Scene | null {
  const { places, times, weather, seasons, subjects } = readPrompt(prompt);
  if (places.length + times.length + weather.length + seasons.length > 0 || subjects.length === 0) return null;
  const named = new Set(subjects.map(({ kind }) => kind));
  const own = deriveSeed(scene.seed, 'region', seed);
  const wished = composeScene({ prompt, seed: own, style: scene.style }).figures.filter(({ kind }) => named.has(kind));
  const stage = createStage(scene, { width: 1000 * view.frameRatio, height: 1000 });
  const box = boxOf(stage, view, region);
  const kept = scene.figures.filter((figure) => !isWithin(stage, figure, box));
  return { ...scene, prompt, figures: [...kept, ...fitInto(stage, wished, box)] };
}

function inSamePlace(scene: Scene, varied: Scene): Scene {
  const { world, ground, shore, backdrops, growth, horizon, palette, time, light, weather } = scene;
  return { ...varied, world, ground, shore, backdrops, growth, horizon, palette, time, light, weather };
}

interface WorldBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns a region in world units; x counts from the middle of the frame. */
function boxOf({ frame }: Stage, view: View, region: Area): WorldBox {
  return {
    x: (view.x + region.x * view.width - 0.5) * 2 * frame.right,
    y: (view.y + region.y * view.height) * frame.bottom,
    width: region.width * view.width * 2 * frame.right,
    height: region.height * view.height * frame.bottom,
  };
}

function isWithin(stage: Stage, figure: Figure, box: WorldBox): boolean {
  const x = figure.x * stage.frame.right + (figure.shift ?? 0);
  const foot = stage.horizon + (stage.frame.bottom - stage.horizon) * figure.y - (figure.lift ?? 0);
  const y = figure.where === 'air' ? figure.y * stage.horizon : foot - figure.size / 2;
  return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
}

/** Scales figures together to the region, and stands them on its lower edge; flying ones stay in its middle. */
function fitInto(stage: Stage, figures: readonly Figure[], box: WorldBox): Figure[] {
  const apart = figures.every(({ carrier, lift }) => carrier === undefined && lift === undefined);
  const placed = figures.map((figure, index) => ({
    figure,
    // Unrelated figures move together.
    ...reachOf(figure),
    x: apart ? index * reachOf(figure).half * 2.1 : figure.x * stage.frame.right + (figure.shift ?? 0),
  }));
  const left = Math.min(...placed.map(({ half, x }) => x - half));
  const right = Math.max(...placed.map(({ half, x }) => x + half));
  const tall = Math.max(...placed.map(({ figure, rise }) => rise + (figure.lift ?? 0)));
  const scale = Math.min((box.width * FILLED) / (right - left), (box.height * FILLED) / tall);
  const deep = stage.frame.bottom - stage.horizon;
  const foot = box.y + box.height * (0.5 + FILLED / 2);
  const depth = (foot - stage.horizon) / deep;
  return placed.map(({ figure, x, rise }, index) => {
    const at = box.x + box.width / 2 + (x - (left + right) / 2) * scale;
    const size = figure.size * scale;
    const flies = figure.where === 'air' || depth < LEAST_DEPTH;
    const low = figure.where === 'air' ? box.y + (box.height + rise * scale) / 2 : foot;
    // Flying figures are in front of standing ones.
    const y = (flies ? FOREMOST : depth) + index * 0.001;
    const lift = (figure.lift ?? 0) * scale + (flies ? stage.horizon + deep * y - low : 0);
    const held = flies || figure.lift !== undefined ? { lift } : {};
    return { ...figure, where: 'ground', x: at / stage.frame.right, shift: 0, size, y, ...held };
  });
}

const FOREMOST = 0.93;
const LEAST_DEPTH = 0.02;
