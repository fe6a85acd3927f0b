import type { FirstTextFile } from '../language.ts';
import { frameTexts } from './frame.ts';
import { optionTexts } from './options.ts';
import { orderTexts } from './orders.ts';
import { studioTexts } from './studio.ts';

/** The German texts of the first page, as one part of the console. */
export const firstGerman: Readonly<Record<FirstTextFile, unknown>> = {
  frame: frameTexts,
  options: optionTexts,
  orders: orderTexts,
  studio: studioTexts,
};
