import { lightness, toRgb } from '../model/colour.ts';
import type { TimeName } from '../model/scene.ts';

/** Bounds of perceived lightness: night below the first, dusk below the second, no low sun above the third. */
const NIGHT = 0.43;
const DUSK = 0.55;
const HIGH_SUN = 0.7;
/** Excess of red over blue in the light of a low sun, of 255. */
const WARM = 40;

/**
 * Guesses the hour that pictures show from their mean colours (`#rrggbb`); null without colours.
 * The bounds come from the illustrator's own pictures of each hour.
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
