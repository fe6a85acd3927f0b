import type { Canvas } from '@napi-rs/canvas';
import type { StyleName } from './scene.ts';
import type { Stage } from './stage.ts';
import { finishBlueprint, finishInk, finishNeon, finishWoodcut } from './styles/line-styles.ts';
import { finishLowPoly, finishPixelArt, finishStainedGlass } from './styles/shape-styles.ts';
import { finishFilmNoir, finishPastel, finishWatercolour } from './styles/wash-styles.ts';

const FINISHES: Readonly<Record<StyleName, (canvas: Canvas, stage: Stage, time: number) => void>> = {
  // The house style is what the layers are painted in.
  illustration: () => undefined,
  watercolour: finishWatercolour,
  ink: finishInk,
  pixel_art: finishPixelArt,
  neon: finishNeon,
  // Its shadows are cast while the layers are laid on one another.
  paper_cut: () => undefined,
  blueprint: finishBlueprint,
  woodcut: finishWoodcut,
  pastel: finishPastel,
  low_poly: finishLowPoly,
  film_noir: finishFilmNoir,
  stained_glass: finishStainedGlass,
};

/** Gives a painted picture the look of its style. */
export function finishStyle(canvas: Canvas, stage: Stage, time: number): void {
  FINISHES[stage.scene.style](canvas, stage, time);
}
