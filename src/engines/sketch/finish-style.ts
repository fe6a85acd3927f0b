import type { Canvas } from '@napi-rs/canvas';
import type { Stage } from './stage.ts';

/** Gives a painted picture the look of its style. */
export function finishStyle(_canvas: Canvas, _stage: Stage, _time: number): void {}
