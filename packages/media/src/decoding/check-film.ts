import type { FilmLimits } from '../media-limits.ts';
import { FileWindow } from './file-window.ts';
import { FilmCount } from './film-count.ts';
import type { FilmFormat } from './recognize.ts';
import { walkBoxes } from './walk-boxes.ts';
import { walkElements } from './walk-elements.ts';

/**
 * Checks the size of a video's structure in one pass. Without limits, mediabunny's time grows with the square of the
 * number of tracks, and its memory with the number of samples in the tables.
 * @throws MediaFault
 */
export function checkFilm(path: string, format: FilmFormat, limits: FilmLimits): void {
  if (format !== 'mp4' && format !== 'matroska') return;
  using file = new FileWindow(path);
  const count = new FilmCount(limits);
  if (format === 'mp4') walkBoxes(file, count);
  else walkElements(file, count);
}
