import type { Canvas } from '@napi-rs/canvas';

/**
 * Gives a painted picture the look of its style.
 * @param painted of the stage's size; may be changed.
 * @param shown where the finished picture stands afterwards, in every pixel; may be `painted` itself.
 */
export type Finish = (painted: Canvas, shown: Canvas, time: number) => void;
