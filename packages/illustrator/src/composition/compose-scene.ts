import { figureKind } from '../figures/figures.ts';
import { choosePalette } from '../model/palette.ts';
import { createRandom, type Random } from '../model/random.ts';
import {
  CAMERA_MOVES,
  type CameraMove,
  type Scene,
  STYLES,
  type StyleName,
  TIMES,
  type TimeName,
} from '../model/scene.ts';
import { readPrompt } from '../prompt/read-prompt.ts';
import type { Reading } from '../prompt/reading.ts';
import { choosePlace, preparePlace } from './choose-place.ts';
import { CALM, chooseLight, chooseWeather } from './choose-weather.ts';
import type { Place } from './place.ts';
import { placeFigures } from './place-figures.ts';

export interface SceneOptions {
  readonly prompt: string;
  readonly negativePrompt?: string | null;
  readonly seed: number;
  /** A style's name or any words for one; takes precedence over the prompt's. */
  readonly style?: string | null;
  readonly camera?: string | null;
  /** `low`, `medium`, `high`, or a number from 0 to 2. */
  readonly motion?: string | number | null;
  /** Colours of the reference pictures, `#rrggbb`. */
  readonly colours?: readonly string[];
  /** The hour if the prompt names none. */
  readonly light?: TimeName | null;
  /**
   * `backdrop` makes reference pictures fill the frame, as a film's first frame must. By default they do so if the
   * prompt names nothing to paint.
   */
  readonly referenceUse?: Scene['referenceUse'] | null;
}

/** Turns a prompt into a scene. A pure function: the seed decides everything that the prompt does not. */
export function composeScene(wishes: SceneOptions): Scene {
  const reading = without(readPrompt(wishes.prompt), readPrompt(wishes.negativePrompt ?? ''));
  const random = createRandom(wishes.seed, 'scene');
  const placeName = choosePlace(reading, random);
  const place = preparePlace(placeName, reading);
  const style = chooseStyle(wishes.style ?? null, reading);
  const later = reading.times.slice(1).find((each): each is TimeName => isTime(each));
  const time = chooseTime(reading, style, wishes.light ?? (place.world === 'studio' ? 'day' : null), random);
  const weather = placeName === null ? CALM : chooseWeather(reading, time, random);
  const horizon = frameHorizon(place, reading) + random.between(-0.035, 0.035);
  const paletteFor = (hour: TimeName, sky: Scene['weather']): Scene['palette'] =>
    choosePalette(
      { time: hour, weather: sky, season: reading.seasons[0] ?? null, moods: reading.moods, colours, land: place.land },
      createRandom(wishes.seed, 'palette'),
    );
  const colours = [...reading.colours, ...(wishes.colours ?? [])];
  return {
    version: 1,
    seed: wishes.seed,
    prompt: wishes.prompt,
    world: place.world,
    style,
    time,
    palette: paletteFor(time, weather),
    horizon,
    ground: place.ground,
    shore: place.shore,
    backdrops: place.backdrops,
    growth: place.growth,
    light: chooseLight(reading, time, random),
    weather,
    figures: placeFigures(reading, place, wishes.seed),
    ...(later === undefined || placeName === null
      ? {}
      : { becomes: turnInto(later, reading, wishes.seed, paletteFor) }),
    lettering: reading.lettering,
    camera: chooseCamera(wishes.camera ?? null, reading, random),
    motion: chooseMotion(wishes.motion ?? null),
    detail: 1,
    referenceUse:
      wishes.referenceUse ?? (reading.subjects.length > 0 || reading.places.length > 0 ? 'framed' : 'backdrop'),
  };
}

/** Moves the horizon for views from above and from below. */
function frameHorizon(place: Place, { framings }: Reading): number {
  if (place.world !== 'land') return place.horizon;
  if (framings.includes('above')) return Math.min(place.horizon, 0.3);
  if (framings.includes('low')) return Math.max(place.horizon, 0.82);
  return place.horizon;
}

/** Removes everything that the negative prompt names. The place that a removed subject implied stays. */
function without(reading: Reading, unwanted: Reading): Reading {
  const kinds = new Set(unwanted.subjects.map((each) => each.kind));
  const minus = (list: readonly string[], other: readonly string[]): string[] =>
    list.filter((each) => !other.includes(each));
  return {
    ...reading,
    subjects: reading.subjects.filter((each) => !kinds.has(each.kind)),
    places: minus(reading.places, unwanted.places),
    times: minus(reading.times, unwanted.times),
    weather: [...minus(reading.weather, unwanted.weather), ...(unwanted.weather.includes('clouds') ? ['clear'] : [])],
    styles: minus(reading.styles, unwanted.styles),
    colours: minus(reading.colours, unwanted.colours),
    lettering: /\b(text|letters|words|lettering)\b/.test(unwanted.lines.join(' ')) ? null : reading.lettering,
  };
}

/** Prepares the second hour that a prompt names: films end in it. */
function turnInto(
  time: TimeName,
  reading: Reading,
  seed: number,
  paletteFor: (time: TimeName, weather: Scene['weather']) => Scene['palette'],
): NonNullable<Scene['becomes']> {
  const weather = chooseWeather(reading, time, createRandom(seed, 'later weather'));
  return {
    time,
    weather,
    palette: paletteFor(time, weather),
    light: chooseLight(reading, time, createRandom(seed, 'later light')),
  };
}

function isTime(name: string): boolean {
  return (TIMES as readonly string[]).includes(name);
}

function chooseTime(reading: Reading, style: StyleName, light: TimeName | null, random: Random): TimeName {
  const named = reading.times.find((each): each is TimeName => isTime(each));
  if (named !== undefined) return named;
  if (reading.weather.includes('stars') || reading.weather.includes('aurora')) return 'night';
  const ownHour = reading.subjects
    .map(({ kind }) => figureKind(kind).habitat.timeOfDay)
    .find((each) => each !== undefined);
  if (ownHour !== undefined) return ownHour;
  if (reading.weather.includes('clear') || reading.weather.includes('rainbow'))
    return random.pick(['morning', 'day', 'day']);
  if (style === 'neon' || style === 'film_noir') return 'night';
  if (reading.weather.includes('storm')) return 'dusk';
  if (reading.moods.includes('dark')) return random.pick(['dusk', 'night']);
  return light ?? random.pick(['dawn', 'morning', 'day', 'afternoon', 'afternoon', 'sunset']);
}

function chooseStyle(requested: string | null, reading: Reading): StyleName {
  const isStyle = (name: string | undefined): name is StyleName =>
    (STYLES as readonly (string | undefined)[]).includes(name);
  const wished =
    requested === null
      ? undefined
      : [requested.toLowerCase().replaceAll(/[\s-]+/g, '_'), ...readPrompt(requested).styles].find(isStyle);
  return (
    wished ??
    reading.styles.find((each): each is StyleName => isStyle(each) && each !== 'illustration') ??
    'illustration'
  );
}

function chooseCamera(requested: string | null, reading: Reading, random: Random): CameraMove {
  const isMove = (name: string | undefined): name is CameraMove =>
    (CAMERA_MOVES as readonly (string | undefined)[]).includes(name);
  const named =
    requested === null
      ? reading.cameras
      : [requested.toLowerCase().replaceAll(/[\s-]+/g, '_'), ...readPrompt(requested).cameras];
  return named.find(isMove) ?? random.pick(['push_in', 'pan_right', 'pan_left', 'drift', 'pull_out']);
}

function chooseMotion(requested: string | number | null): number {
  if (typeof requested === 'number' && Number.isFinite(requested)) return Math.max(0, Math.min(2, requested));
  return (
    { none: 0, low: 0.5, subtle: 0.5, small: 0.5, medium: 1, high: 1.7, large: 1.7, strong: 1.7 }[
      String(requested).toLowerCase()
    ] ?? 1
  );
}
