import { lightness, toRgb } from '../model/colour.ts';
import type { TimeName } from '../model/scene.ts';

/** Perceived lightness: below the first it is night, below the second dusk, above the third no low sun. */
const NIGHT = 0.43;
const DUSK = 0.55;
const HIGH_SUN = 0.7;
/** How much more red than blue a low sun gives, of 255. */
const WARM = 40;

/**
 * Guesses the hour that pictures show from their mean colours (`#rrggbb`); null without colours.
 * The bounds are where the illustrator's own pictures of each hour lie.
 */
export function lightOfPictures(colours: readonly string[]): TimeName | null {
  if (colours.length === 0) return null;
  const mean = (read: (colour: string) => number) =>
    colours.reduce((sum, colour) => sum + read(colour), 0) / colours.length;
  const light = mean(lightness);
  const warmth = mean((colour) => toRgb(colour)[0] - toRgb(colour)[2]);
  if (light < NIGHT) return 'night';
  if (warmth > WARM && light < HIGH_SUN) return 'sunset';
  if (light < DUSK) return 'dusk';
  return warmth < 0 ? 'day' : 'afternoon';
}
