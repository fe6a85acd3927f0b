import { figureKind } from '../../figures/figures.ts';
import { lighten, lightness, mix, underLight } from '../../model/colour.ts';
import type { Drawing, Tone } from '../../model/drawing.ts';
import { chanceAt } from '../../model/random.ts';
import type { Figure } from '../../model/scene.ts';
import { type Stage, worldX } from '../../model/stage.ts';
import { lightPlace } from '../sky/paint-sky.ts';

interface Shaded {
  readonly plain: string;
  readonly lit: string;
  readonly dim: string;
}

export type Tones = Readonly<Record<Tone, Shaded>> & { readonly litFromLeft: boolean };

/**
 * Returns a figure's colours in the scene's light, paler with distance. Lamps and fire keep their own light. Woodcut
 * prints figures in full light, so that they stand out from the land.
 */
export function tonesOf(stage: Stage, figure: Figure, drawing: Drawing): Tones {
  const { palette, style, time, world } = stage.scene;
  const main = figure.colour ?? (figureKind(figure.kind).followsFoliage ? palette.foliage : drawing.main);
  const accent = drawing.accent ?? palette.accent;
  const isPrinted = style === 'woodcut';
  const distance = isPrinted ? 0 : figure.where === 'air' ? 0.14 : Math.max(0, 0.3 - figure.y * 0.4);
  const ambient = mix(
    palette.ambient,
    '#ffffff',
    isPrinted ? 0.85 : world === 'space' ? 0.6 : time === 'night' ? 0.16 : 0.1,
  );
  const place = lightPlace(stage);
  const sun = place === null ? '#ffffff' : palette.sun;
  const shaded = (colour: string): Shaded => {
    const plain = mix(underLight(colour, ambient), palette.haze, distance);
    return { plain, lit: mix(plain, sun, 0.16), dim: mix(plain, palette.shadow, 0.24) };
  };
  const shining = (colour: string): Shaded => ({ plain: colour, lit: lighten(colour, 0.3), dim: colour });
  const dark = isDark(stage);
  return {
    main: shaded(main),
    shade: shaded(mix(lighten(main, -0.16), palette.shadow, 0.14)),
    deep: shaded(mix(lighten(main, -0.38), palette.shadow, 0.22)),
    light: shaded(lighten(main, lightness(main) > 0.85 ? 0.5 : 0.2)),
    pale: shaded(lighten(main, 0.62)),
    accent: shaded(accent),
    accentShade: shaded(mix(lighten(accent, -0.2), palette.shadow, 0.16)),
    white: shaded('#f7f4ec'),
    grey: shaded('#b3b9c0'),
    ink: shaded('#22252e'),
    skin: shaded(['#f0c8a4', '#d9a57c', '#a8714c', '#7a4e36'][Math.floor(chanceAt(figure.seed, 'skin') * 4)] as string),
    lip: shaded('#c25050'),
    wood: shaded('#6e4a32'),
    leaf: shaded(palette.foliage),
    leafShade: shaded(lighten(palette.foliage, -0.2)),
    glass: dark ? shining('#cfe3ee') : shaded('#a9cfe2'),
    metal: shaded('#868e99'),
    lamp: dark ? shining('#ffd98a') : shaded('#ffe6ae'),
    fire: shining('#ff9a3c'),
    glow: shining(main),
    accentGlow: shining(accent),
    litFromLeft: (place?.x ?? -1) < worldX(stage, figure.x) !== figure.flip,
  };
}

/** Returns whether lamps are lit. */
export function isDark(stage: Stage): boolean {
  return lightness(stage.scene.palette.ambient) < 0.72 || stage.scene.world === 'space';
}
