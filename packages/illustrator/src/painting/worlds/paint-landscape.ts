import { FIGURES } from '../../figures/figures.ts';
import { mix, withAlpha } from '../../model/colour.ts';
import type { Layer } from '../../model/layer.ts';
import { chanceAt, deriveSeed } from '../../model/random.ts';
import type { BackdropName, Figure } from '../../model/scene.ts';
import { type Brush, fillBox, type Stage, vertical } from '../../model/stage.ts';
import { paintFigure } from '../figures/paint-figure.ts';
import { paintClouds } from '../sky/paint-clouds.ts';
import { paintAurora, paintLight, paintRainbow, paintSky, paintStars } from '../sky/paint-sky.ts';
import { grownFigures } from './growth.ts';
import { paintCliffs, paintIslands, paintSkyline, paintVillage, paintVolcano } from './paint-city.ts';
import { paintGround, paintShore } from './paint-ground.ts';
import { paintFlowers, paintGrass, paintRoad, paintTrunks } from './paint-growth.ts';
import { paintHills, paintMountains, paintTreeLine, type Ridge } from './paint-ridges.ts';
import { paintReflection, paintWater, paintWaves, reflectionOf } from './paint-water.ts';
import { paintFog, weatherLayers } from './paint-weather.ts';

/** Lists the layers of a landscape: sky, backdrops, ground or water, figures, and the weather in front. */
export function landLayers(stage: Stage): Layer[] {
  const sky = skyLayers(stage);
  const backdrops = backdropLayers(stage);
  const mist: Layer = {
    depth: 0.45,
    moving: stage.duration > 0,
    flat: true,
    draw: (brush, time) => paintFog(brush, stage, time, 1),
  };
  return [
    ...sky,
    ...backdrops,
    ...(stage.scene.backdrops.includes('cloud_banks') ? [] : groundLayers(stage, [...sky, ...backdrops])),
    ...(stage.scene.weather.fog > 0.02 ? [mist] : []),
    ...figureLayers(stage),
    ...weatherLayers(stage),
  ];
}

export function skyLayers(stage: Stage): Layer[] {
  const { weather } = stage.scene;
  const film = stage.duration > 0;
  const layers: Layer[] = [{ depth: 0, moving: false, draw: (brush) => paintSky(brush, stage) }];
  if (weather.stars > 0.05)
    layers.push({
      depth: 0,
      moving: film,
      flat: true,
      draw: (brush, time, seen) => paintStars(brush, stage, time, seen),
    });
  if (weather.aurora > 0)
    layers.push({ depth: 0, moving: film, flat: true, draw: (brush, time) => paintAurora(brush, stage, time) });
  layers.push({ depth: 0.02, moving: false, draw: (brush) => paintLight(brush, stage) });
  if (weather.rainbow > 0) layers.push({ depth: 0.05, moving: false, draw: (brush) => paintRainbow(brush, stage) });
  if (weather.clouds > 0.03)
    layers.push({ depth: 0.08, moving: film, draw: (brush, time, seen) => paintClouds(brush, stage, time, seen) });
  return layers;
}

function backdropLayers(stage: Stage): Layer[] {
  const { backdrops, seed } = stage.scene;
  return backdrops.map((kind, index) => {
    const distance = backdrops.length === 1 ? 0.55 : 1 - index / backdrops.length;
    const ridge: Ridge = { kind, distance, seed: deriveSeed(seed, 'ridge', index) };
    return {
      depth: 0.15 + (1 - distance) * 0.3,
      moving: false,
      draw: (brush: Brush) => BACKDROP_PAINTERS[kind](brush, stage, ridge),
    };
  });
}

const BACKDROP_PAINTERS: Readonly<Record<BackdropName, (brush: Brush, stage: Stage, ridge: Ridge) => void>> = {
  mountains: paintMountains,
  peaks: paintMountains,
  hills: paintHills,
  forest: paintTreeLine,
  dunes: paintHills,
  city: paintSkyline,
  village: paintVillage,
  volcano: paintVolcano,
  islands: paintIslands,
  cliffs: paintCliffs,
  cloud_banks: paintCloudBanks,
};

function groundLayers(stage: Stage, above: readonly Layer[]): Layer[] {
  if (stage.scene.ground !== 'water')
    return [{ depth: 0.6, moving: false, draw: (brush) => paintGround(brush, stage) }];
  const film = stage.duration > 0;
  const reflection = reflectionOf(stage, (brush) => {
    for (const layer of above) layer.draw(brush, 0, stage.seen);
  });
  const layers: Layer[] = [
    { depth: 0.5, moving: false, draw: (brush) => paintWater(brush, stage) },
    {
      depth: 0.5,
      moving: film,
      flat: true,
      draw: (brush, time, seen) => {
        if (reflection !== null) paintReflection(brush, stage, reflection, time);
        paintWaves(brush, stage, time, seen);
      },
    },
  ];
  return layers;
}

const ROW = 0.08;

/**
 * Lists the figures: first flying ones, then the others from the horizon forward among the plants. The shore is between
 * figures on the water and on land.
 */
export function figureLayers(stage: Stage): Layer[] {
  const film = stage.duration > 0;
  const { figures, shore } = stage.scene;
  const show = (figure: Figure): Layer => ({
    depth: figure.where === 'air' ? 0.4 : 0.5 + figure.y * 0.3,
    moving: film,
    draw: (brush, time) => paintFigure(brush, stage, figure, time),
  });
  // Flying figures are in front of the row of houses at the end of the street.
  const row = figures.filter((each) => each.where === 'ground' && each.y < ROW);
  const standing = figures.filter((each) => each.where === 'ground' && each.y >= ROW);
  const layers = [...row, ...figures.filter((each) => each.where === 'air')].map(show);
  const afloat = shore === null ? [] : standing.filter((each) => each.y < 0.7);
  layers.push(...afloat.map(show));
  if (shore !== null) layers.push({ depth: 0.75, moving: false, draw: (brush) => paintShore(brush, stage) });
  const ashore = standing.filter((each) => !afloat.includes(each));
  let from = shore === null ? 0 : 0.78;
  for (const figure of ashore) {
    layers.push(...growthLayers(stage, from, Math.max(from, figure.y)), show(figure));
    from = Math.max(from, figure.y);
  }
  return [...layers, ...growthLayers(stage, from, 9)];
}

/** Lists a layer with the plants between two depths of the ground; painted once. */
function growthLayers(stage: Stage, from: number, to: number): Layer[] {
  if (stage.scene.world !== 'land' || to <= from) return [];
  const density = (kind: string): number => stage.scene.growth.find((each) => each.kind === kind)?.density ?? 0;
  const flowers = stage.scene.growth.find(({ kind }) => FIGURES[kind]?.growth?.painted === 'flowers');
  const plants =
    stage.scene.ground === 'water' ? [] : grownFigures(stage).filter((each) => each.y >= from && each.y < to);
  plants.sort((a, b) => a.y - b.y);
  const draw = (brush: Brush): void => {
    if (from === 0 && density('road') > 0) paintRoad(brush, stage);
    if (from === 0 && density('trunks') > 0) paintTrunks(brush, stage, false);
    for (const plant of plants) paintFigure(brush, stage, plant, 0);
    if (density('grass') > 0) paintGrass(brush, stage, density('grass'), from, to);
    if (flowers !== undefined) paintFlowers(brush, stage, flowers.density, from, to);
    if (to > 1 && density('trunks') > 0) paintTrunks(brush, stage, true);
  };
  return [{ depth: to > 1 ? 0.85 : 0.6, moving: false, draw }];
}

const BANKS = 6;

/** Paints clouds seen from above: several banks, one in front of the other, down to the lower edge. */
function paintCloudBanks(brush: Brush, stage: Stage, { seed }: Ridge): void {
  const { palette } = stage.scene;
  for (let bank = 0; bank < BANKS; bank++) {
    const near = bank / (BANKS - 1);
    const y = stage.horizon + (stage.frame.bottom - stage.horizon) * near * 0.95;
    const radius = 0.035 + near * 0.11;
    const lit = mix(mix(palette.sky[3], palette.haze, 0.5 - near * 0.4), '#ffffff', 0.25 + near * 0.35);
    const under = mix(mix(lit, palette.haze, 0.55), palette.shadow, 0.1 + near * 0.12);
    brush.fillStyle = vertical(brush, y - radius * 1.3, y + radius * 2.2, [lit, under]);
    brush.beginPath();
    const step = radius * 1.05;
    for (let heap = Math.floor(stage.seen.left / step) - 2; heap * step < stage.seen.right + radius * 2; heap++) {
      const size = radius * (0.55 + 0.75 * chanceAt(seed, 'heap', bank, heap));
      const x = (heap + chanceAt(seed, 'x', bank, heap)) * step;
      brush.moveTo(x + size, y);
      brush.arc(x, y, size, 0, Math.PI * 2);
    }
    brush.rect(stage.seen.left, y, stage.seen.right - stage.seen.left, stage.seen.bottom - y);
    brush.fill();
  }
  brush.fillStyle = withAlpha(palette.sun, 0.08);
  fillBox(brush, { ...stage.seen, top: stage.horizon });
}
