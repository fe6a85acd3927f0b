import type { StyleName } from '../model/scene.ts';
import type { Stage } from '../model/stage.ts';
import type { Finish } from './styles/finish.ts';
import { finishBlueprint, finishInk, finishNeon, finishWoodcut } from './styles/line-styles.ts';
import { finishLowPoly } from './styles/low-poly.ts';
import { finishPaperCut } from './styles/paper.ts';
import { finishPixelArt } from './styles/pixel-art.ts';
import { layOver } from './styles/pixels.ts';
import { finishStainedGlass } from './styles/stained-glass.ts';
import { finishFilmNoir, finishPastel, finishWatercolour } from './styles/wash-styles.ts';

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** Prepares the finish of a style, once for all frames of a film. */
export function prepareFinish(stage: Stage, shown: Sides): Finish {
  return FINISHES[stage.scene.style](stage, shown);
}

/**
 * Returns the longer side at which a picture is painted before its finish: for a film's frames, no larger than their
 * style can show.
 */
export function paintedSide(style: StyleName, film: boolean): number {
  return film ? (FILM_SIDES[style] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

const FILM_SIDES: Readonly<Partial<Record<StyleName, number>>> = {
  watercolour: 960,
  ink: 960,
  pixel_art: 640,
  neon: 800,
  blueprint: 960,
  woodcut: 960,
  low_poly: 480,
  stained_glass: 480,
};

/** Finish of the house style, in which the layers are painted. */
const asPainted = (): Finish => (painted, shown) => {
  if (painted !== shown) layOver(shown, painted);
};

const FINISHES: Readonly<Record<StyleName, (stage: Stage, shown: Sides) => Finish>> = {
  illustration: asPainted,
  watercolour: finishWatercolour,
  ink: finishInk,
  pixel_art: finishPixelArt,
  neon: finishNeon,
  paper_cut: finishPaperCut,
  blueprint: finishBlueprint,
  woodcut: finishWoodcut,
  pastel: finishPastel,
  low_poly: finishLowPoly,
  film_noir: finishFilmNoir,
  stained_glass: finishStainedGlass,
};
