import { mix, rotateHue } from '../model/colour.ts';
import { createRandom, deriveSeed } from '../model/random.ts';
import type { Palette, Scene } from '../model/scene.ts';
import { composeScene, type SceneOptions } from './compose-scene.ts';

/**
 * Varies a scene. `subtle` keeps the composition and moves light, colours and figures a little; `strong` composes it
 * again with another seed. A new prompt is composed with the parent's seed, so that everything that both prompts leave
 * open stays the same.
 * @param given colours and light from reference pictures, for scenes that are composed again.
 */
export function varyScene(
  scene: Scene,
  seed: number,
  strength: 'subtle' | 'strong',
  prompt: string | null = null,
  given: Pick<SceneOptions, 'colours' | 'light'> = {},
): Scene {
  const kept = {
    ...given,
    prompt: prompt ?? scene.prompt,
    style: prompt === null || scene.style !== 'illustration' ? scene.style : null,
    camera: scene.camera,
    motion: scene.motion,
  };
  if (strength === 'strong')
    return {
      ...composeScene({ ...kept, seed: deriveSeed(scene.seed, 'strong', seed) }),
      referenceUse: scene.referenceUse,
    };
  return nudge(prompt === null ? scene : composeScene({ ...kept, seed: scene.seed }), seed);
}

function nudge(scene: Scene, seed: number): Scene {
  const random = createRandom(seed, 'nudge', scene.seed);
  const turn = random.between(-16, 16);
  const warmth = random.pick(['#ffb070', '#86a8e0', '#f0a0c0', '#90d0c0']);
  const shade = (colour: string, share = 0.1): string => mix(rotateHue(colour, turn), warmth, share);
  const palette: Palette = {
    ...scene.palette,
    sky: scene.palette.sky.map((colour) => shade(colour)) as unknown as Palette['sky'],
    haze: shade(scene.palette.haze),
    water: shade(scene.palette.water),
    land: shade(scene.palette.land, 0.05),
    foliage: shade(scene.palette.foliage, 0.05),
  };
  const clamp = (x: number): number => Math.max(-0.88, Math.min(0.88, x));
  const slide = random.between(-0.16, 0.16);
  return {
    ...scene,
    palette,
    horizon: scene.horizon > 1 ? scene.horizon : scene.horizon + random.between(-0.025, 0.025),
    light:
      scene.light === null
        ? null
        : {
            ...scene.light,
            x: clamp(scene.light.x + random.between(-0.2, 0.2)),
            size: scene.light.size * random.between(0.85, 1.25),
          },
    weather: { ...scene.weather, clouds: Math.max(0, Math.min(1, scene.weather.clouds + random.between(-0.12, 0.15))) },
    figures: scene.figures.map((figure) => ({
      ...figure,
      x: clamp(figure.x + slide),
      size: figure.size * random.between(0.93, 1.1),
    })),
  };
}
