import { lightness, mix, rotateHue, saturate, underLight } from './colour.ts';
import type { Random } from './random.ts';
import type { Palette, TimeName, Weather } from './scene.ts';

interface Light {
  readonly sky: Palette['sky'];
  readonly sun: string;
  readonly haze: string;
  readonly shadow: string;
  readonly ambient: string;
}

const LIGHTS: Readonly<Record<TimeName, Light>> = {
  dawn: {
    sky: ['#3f5c95', '#9d8cb8', '#f0b3a4', '#ffe1b8'],
    sun: '#fff1d2',
    haze: '#e7b7b0',
    shadow: '#3a3866',
    ambient: '#e2c3c6',
  },
  morning: {
    sky: ['#4d97d1', '#8dc3e3', '#cfe6e6', '#fff1d0'],
    sun: '#fffbea',
    haze: '#cfe1e4',
    shadow: '#33557a',
    ambient: '#fff4e2',
  },
  day: {
    sky: ['#2577c2', '#56a7de', '#9fd3ee', '#dcf0f2'],
    sun: '#fffef5',
    haze: '#b4d9ea',
    shadow: '#274c7c',
    ambient: '#ffffff',
  },
  afternoon: {
    sky: ['#4f83b9', '#9fb9c2', '#f0d09c', '#ffdc92'],
    sun: '#fff2c4',
    haze: '#eecd9f',
    shadow: '#57466a',
    ambient: '#ffe2b4',
  },
  sunset: {
    sky: ['#2b2d6a', '#8b4988', '#ee6f5a', '#ffc268'],
    sun: '#ffe48f',
    haze: '#e4836f',
    shadow: '#35234f',
    ambient: '#e6a191',
  },
  dusk: {
    sky: ['#131b46', '#3a3d7e', '#8a5f96', '#eaa086'],
    sun: '#ffd9b0',
    haze: '#75649b',
    shadow: '#171a3f',
    ambient: '#9088bb',
  },
  night: {
    sky: ['#050a20', '#0d1a40', '#1b2f61', '#33517f'],
    sun: '#f6f2dc',
    haze: '#2a4273',
    shadow: '#050918',
    ambient: '#5a72a8',
  },
};

interface PaletteRequest {
  readonly time: TimeName;
  readonly weather: Weather;
  readonly season: string | null;
  readonly moods: readonly string[];
  /** Colours that the prompt names for the whole picture, or those of reference pictures. */
  readonly colours: readonly string[];
  readonly land: string;
}

/**
 * Chooses the colours of a scene: the light of the hour, dulled by weather, changed by mood and by requested colours,
 * and slightly different for each seed.
 */
export function choosePalette(wishes: PaletteRequest, random: Random): Palette {
  const light = LIGHTS[wishes.time];
  const turn = random.between(-9, 9);
  const grey = Math.min(
    0.85,
    wishes.weather.rain * 0.5 +
      wishes.weather.fog * 0.35 +
      wishes.weather.lightning * 0.35 +
      Math.max(0, wishes.weather.clouds - 0.5) * 0.6,
  );
  const chroma =
    (wishes.moods.includes('vivid') ? 1.35 : wishes.moods.includes('calm') ? 0.85 : 1) * random.between(0.94, 1.08);
  const adjust = (colour: string, share = 1): string => {
    const dulled = mix(
      colour,
      mix('#84919e', light.shadow, 0.35 + wishes.weather.lightning * 0.5),
      grey * 0.75 * share,
    );
    return moodOf(saturate(rotateHue(dulled, turn * share), chroma), wishes.moods);
  };
  const sky = light.sky.map((colour) => adjust(colour)) as [string, string, string, string];
  const foliage =
    wishes.season === 'autumn'
      ? '#c9702b'
      : wishes.season === 'spring'
        ? '#7fb24a'
        : wishes.season === 'winter'
          ? '#5d7d74'
          : '#4d8647';
  const water = mix(mix('#1f7f9a', sky[1], 0.5), light.shadow, wishes.time === 'night' ? 0.45 : 0.12);
  const [first, second] = wishes.colours;
  const palette: Palette = {
    sky,
    sun: adjust(light.sun, 0.5),
    haze: adjust(light.haze),
    shadow: adjust(light.shadow, 0.6),
    ambient: mix(light.ambient, '#8a94a2', grey * 0.5),
    land: rotateHue(wishes.land, turn * 0.6),
    foliage: rotateHue(foliage, turn * 0.8),
    water: adjust(water, 0.6),
    accent: second ?? first ?? rotateHue('#d8503c', turn * 3),
  };
  return first === undefined ? palette : tint(palette, first, second ?? first);
}

/** Tints the lower sky, the haze and the land with a named colour, as light of that colour would. */
function tint(palette: Palette, colour: string, second: string): Palette {
  const keepLightness = (from: string, to: string, share: number): string => {
    const target = mix(
      to,
      lightness(from) > lightness(to) ? '#ffffff' : '#05060f',
      Math.min(0.6, Math.abs(lightness(from) - lightness(to)) * 0.8),
    );
    return mix(from, target, share);
  };
  return {
    ...palette,
    sky: [
      keepLightness(palette.sky[0], second, 0.5),
      keepLightness(palette.sky[1], second, 0.6),
      keepLightness(palette.sky[2], colour, 0.72),
      keepLightness(palette.sky[3], colour, 0.55),
    ],
    haze: keepLightness(palette.haze, colour, 0.6),
    land: keepLightness(palette.land, second, 0.45),
    foliage: keepLightness(palette.foliage, colour, 0.45),
    water: keepLightness(palette.water, colour, 0.5),
  };
}

function moodOf(colour: string, moods: readonly string[]): string {
  let result = colour;
  if (moods.includes('warm')) result = mix(result, '#ffb36b', 0.14);
  if (moods.includes('cold')) result = mix(result, '#5b86b8', 0.2);
  if (moods.includes('dark')) result = mix(result, '#0d1018', 0.38);
  if (moods.includes('dramatic')) result = saturate(mix(result, '#120d1e', 0.1), 1.15);
  return result;
}

/**
 * Returns a surface's visible colour: its own under the scene's light, fading into haze with distance (0 near, 1 at the
 * horizon).
 */
export function seenColour(palette: Palette, colour: string, distance: number): string {
  return mix(underLight(colour, palette.ambient), palette.haze, distance);
}
