import type { Canvas } from '@napi-rs/canvas';

/**
 * Gives a painted picture the look of its style.
 * @param painted of the stage's size; may be changed.
 * @param shown the canvas that receives the finished picture; every pixel is overwritten. May be `painted`.
 */
export type Finish = (painted: Canvas, shown: Canvas, time: number) => void;
