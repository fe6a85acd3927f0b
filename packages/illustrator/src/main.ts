/*
 * Paints in child processes, and loads neither the canvas nor the figures. Two parts have entries of their own:
 * - `prompt`: reading a prompt needs all figures and the words of four languages.
 * - `painting`: painting in this process, with the canvas and mediabunny; for pages and tests.
 */
export { PainterFault, PaintFault, type PaintJob, type PaintMedia, type PaintResult } from './jobs/paint-job.ts';
export { createPainterPool, type PainterPool } from './jobs/painter-pool.ts';
export { startPainterProcess } from './jobs/painter-process.ts';
export { STYLES, type StyleName } from './model/scene.ts';
