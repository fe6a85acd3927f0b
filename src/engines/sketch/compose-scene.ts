import { CALM, chooseLight, chooseWeather } from './choose-weather.ts';
import { HABITATS } from './habitats.ts';
import { choosePalette } from './palette.ts';
import { placeFigures } from './place-figures.ts';
import { PLACES, type Place, USUAL_PLACES } from './places.ts';
import { createRandom, type Random } from './random.ts';
import { type Reading, readPrompt } from './read-prompt.ts';
import { CAMERA_MOVES, type CameraMove, type Scene, STYLES, type StyleName, TIMES, type TimeName } from './scene.ts';

export interface SceneWishes {
  readonly prompt: string;
  readonly negativePrompt?: string | null;
  readonly seed: number;
  /** A style's name or any words for one; wins over the prompt's. */
  readonly style?: string | null;
  readonly camera?: string | null;
  /** `low`, `medium`, `high`, or a number from 0 to 2. */
  readonly motion?: string | number | null;
  /** What reference pictures are made of, `#rrggbb`. */
  readonly colours?: readonly string[];
  /** The hour where the prompt leaves it open. */
  readonly light?: TimeName | null;
  /** `backdrop` makes reference pictures fill the frame, as a film's first frame has to. By default they do where the prompt names nothing to paint. */
  readonly referenceUse?: Scene['referenceUse'] | null;
}

/** What a prompt becomes: a pure function of the wishes. The seed decides everything that the prompt leaves open. */
export function composeScene(wishes: SceneWishes): Scene {
  const reading = without(readPrompt(wishes.prompt), readPrompt(wishes.negativePrompt ?? ''));
  const random = createRandom(wishes.seed, 'scene');
  const placeName = choosePlace(reading, random);
  const place = placeName === null ? ABSTRACT : dressForSeason(furnish(placeName, reading), reading);
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

/** Seen from above, the ground fills the picture; from below, the sky. */
function frameHorizon(place: Place, { framings }: Reading): number {
  if (place.world !== 'land') return place.horizon;
  if (framings.includes('above')) return Math.min(place.horizon, 0.3);
  if (framings.includes('low')) return Math.max(place.horizon, 0.82);
  return place.horizon;
}

const ABSTRACT: Place = {
  world: 'abstract',
  ground: 'floor',
  shore: null,
  backdrops: [],
  growth: [],
  horizon: 0.6,
  land: '#8a8f98',
};

/** What the negative prompt names is left out; a subject taken out leaves its place. */
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

/** What a badge shows that is named after a place, and the colour of a backdrop. */
function furnish(name: string, reading: Reading): Place {
  const place = PLACES[name] as Place;
  if (name === 'plain') return { ...place, land: reading.backdrop ?? place.land };
  if (name !== 'emblem') return place;
  const shown = reading.places.map((each) => PLACES[each]).find((each) => each?.world === 'land');
  if (shown === undefined || reading.subjects.length > 0) return place;
  return { ...place, backdrops: shown.backdrops.length > 0 ? shown.backdrops : ['islands'], land: shown.land };
}

/** What no room holds. */
const OUTDOORS =
  /^(house|castle|lighthouse|tower|church|windmill|tent|pagoda|pyramid|tree|pine|palm|blossom|picnic|car|bus|truck|train|cafe|skyscraper|eiffel|treehouse|campfire|fence|lantern|bench|bicycle|stall|liberty|big_ben|colosseum|taj_mahal|great_wall|pisa|opera_house)$/;

/** The last place named that is a ground to stand on; a mountain named beside a lake is the lake's backdrop. Null when the prompt says nothing of a world. */
function choosePlace(reading: Reading, random: Random): string | null {
  const rank = [
    'emblem',
    'kitchen',
    'library',
    'bathroom',
    'bedroom',
    'living_room',
    'office',
    'room',
    'underwater',
    'clouds',
    'canal',
    'stadium',
    'space',
    'moon_surface',
    'beach',
    'lake',
    'river',
    'cliffs',
    'sea',
    'island',
    'market',
    'old_town',
    'city',
    'village',
    'savanna',
    'bamboo_forest',
    'jungle',
    'desert',
    'snowfield',
    'volcano',
    'road',
    'garden',
    'forest',
    'meadow',
    'mountains',
    'peaks',
    'hills',
    'sky',
  ];
  const named = rank.find((each) => reading.places.includes(each));
  const subjects = reading.subjects.filter(({ relation }, order) => order === 0 || relation !== 'wearing');
  const homes = subjects.map((each) => HABITATS[each.kind]?.lives ?? 'land');
  if (named === 'sea' && homes[0] === 'under' && reading.subjects[0]?.kind !== 'whale') return 'underwater';
  if (named === 'sea' && homes.includes('land') && !homes.includes('water')) return 'beach';
  if (named !== undefined) return named;
  if (reading.places.includes('plain')) return reading.subjects.some(({ kind }) => kind === 'table') ? 'room' : 'plain';
  if (reading.subjects[0]?.kind === 'portrait') return 'plain';
  if (
    (reading.seasons.includes('winter') || reading.subjects.some(({ kind }) => kind === 'skier')) &&
    homes.every((each) => each === 'land' || each === 'air')
  )
    return reading.subjects.length > 0 || random.chance(0.5) ? 'snowfield' : 'mountains';
  if (homes.includes('water') && homes.includes('land')) {
    const afloat = reading.subjects.find((each) => HABITATS[each.kind]?.lives === 'water');
    return random.pick(HABITATS[afloat?.kind ?? '']?.home ?? ['lake', 'beach']);
  }
  if (homes.includes('inside') && !reading.subjects.some((each) => OUTDOORS.test(each.kind))) return 'room';
  if (reading.subjects.some((each) => each.kind === 'rocket' && each.action !== null)) return 'desert';
  const home = reading.subjects.map((each) => HABITATS[each.kind]?.home).find((each) => each !== undefined);
  if (home !== undefined) return random.pick(home);
  const first = homes.find((each) => each !== 'air') ?? homes[0];
  if (first !== undefined) return random.pick(USUAL_PLACES[first]);
  if (reading.times.length + reading.weather.length + reading.seasons.length > 0)
    return random.pick(['lake', 'mountains', 'sea', 'hills', 'forest']);
  return null;
}

function dressForSeason(named: Place, reading: Reading): Place {
  const place = reading.seasons.includes('autumn')
    ? { ...named, growth: named.growth.map((each) => (each.kind === 'pine' ? { ...each, kind: 'tree' } : each)) }
    : named;
  const white = reading.seasons.includes('winter') || reading.weather.includes('snow');
  if (!white || !['meadow', 'earth', 'rock'].includes(place.ground)) {
    return white && place.shore === 'meadow' ? { ...place, shore: 'snow', land: '#e6eef5', growth: [] } : place;
  }
  return {
    ...place,
    ground: 'snow',
    land: '#e6eef5',
    growth: place.growth.filter((each) => each.kind !== 'grass' && each.kind !== 'flower'),
  };
}

/** The hour named second: films end in it. */
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
  if (reading.subjects.some(({ kind }) => kind === 'firework')) return 'night';
  if (reading.weather.includes('clear') || reading.weather.includes('rainbow'))
    return random.pick(['morning', 'day', 'day']);
  if (style === 'neon' || style === 'film_noir') return 'night';
  if (reading.weather.includes('storm')) return 'dusk';
  if (reading.moods.includes('dark')) return random.pick(['dusk', 'night']);
  return light ?? random.pick(['dawn', 'morning', 'day', 'afternoon', 'afternoon', 'sunset']);
}

function chooseStyle(wish: string | null, reading: Reading): StyleName {
  const isStyle = (name: string | undefined): name is StyleName =>
    (STYLES as readonly (string | undefined)[]).includes(name);
  const wished =
    wish === null
      ? undefined
      : [wish.toLowerCase().replaceAll(/[\s-]+/g, '_'), ...readPrompt(wish).styles].find(isStyle);
  return (
    wished ??
    reading.styles.find((each): each is StyleName => isStyle(each) && each !== 'illustration') ??
    'illustration'
  );
}

function chooseCamera(wish: string | null, reading: Reading, random: Random): CameraMove {
  const isMove = (name: string | undefined): name is CameraMove =>
    (CAMERA_MOVES as readonly (string | undefined)[]).includes(name);
  const named =
    wish === null ? reading.cameras : [wish.toLowerCase().replaceAll(/[\s-]+/g, '_'), ...readPrompt(wish).cameras];
  return named.find(isMove) ?? random.pick(['push_in', 'pan_right', 'pan_left', 'drift', 'pull_out']);
}

function chooseMotion(wish: string | number | null): number {
  if (typeof wish === 'number' && Number.isFinite(wish)) return Math.max(0, Math.min(2, wish));
  return (
    { none: 0, low: 0.5, subtle: 0.5, small: 0.5, medium: 1, high: 1.7, large: 1.7, strong: 1.7 }[
      String(wish).toLowerCase()
    ] ?? 1
  );
}
