import type { Canvas } from '@napi-rs/canvas';

/**
 * Function that gives a painted picture the look of its style.
 * @param painted canvas of the stage's size; may be changed.
 * @param shown the canvas that receives the finished picture; every pixel is overwritten. May be `painted`.
 */
export type Finish = (painted: Canvas, shown: Canvas, time: number) => void;
