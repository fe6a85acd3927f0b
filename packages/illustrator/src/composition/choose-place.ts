import { FIGURES, figureKind } from '../figures/figures.ts';
import type { Random } from '../model/random.ts';
import type { Reading } from '../prompt/reading.ts';
import { type Place, withFigures } from './place.ts';
import { PLACES, USUAL_PLACES } from './places.ts';

const ABSTRACT: Place = {
  world: 'abstract',
  ground: 'floor',
  shore: null,
  backdrops: [],
  growth: [],
  horizon: 0.6,
  land: '#8a8f98',
};

/**
 * Places by rank: if a prompt names several, the first in this list is the ground; a mountain named with a lake becomes
 * its backdrop.
 */
const RANKED_PLACES = [
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

/** Colours a plain background, and gives an emblem that names only a place the look of that place. */
function adaptStudio(name: string, reading: Reading): Place {
  const place = withFigures(name, PLACES[name] as Place);
  if (name === 'plain') return { ...place, land: reading.backdrop ?? place.land };
  if (name !== 'emblem') return place;
  const shown = reading.places.map((each) => PLACES[each]).find((each) => each?.world === 'land');
  if (shown === undefined || reading.subjects.length > 0) return place;
  return { ...place, backdrops: shown.backdrops.length > 0 ? shown.backdrops : ['islands'], land: shown.land };
}

/**
 * Chooses the place of a picture: the named place that ranks first, otherwise one where its subjects are usually found.
 * @returns the place's name, or null if the prompt names nothing that has a place.
 */
export function choosePlace(reading: Reading, random: Random): string | null {
  const kinds = reading.subjects.map(({ kind }) => figureKind(kind));
  const named = RANKED_PLACES.find((each) => reading.places.includes(each));
  const subjects = reading.subjects.filter(({ relation }, order) => order === 0 || relation !== 'wearing');
  const habitats = subjects.map(({ kind }) => figureKind(kind).habitat);
  const lives = habitats.map((each) => each.lives);
  if (named === 'sea' && habitats[0]?.lives === 'under' && habitats[0].surfaces !== true) return 'underwater';
  if (named === 'sea' && lives.includes('land') && !lives.includes('water')) return 'beach';
  if (named !== undefined) return named;
  if (reading.places.includes('plain')) return kinds.some(({ isTable }) => isTable) ? 'room' : 'plain';
  if (kinds[0]?.isPortrait === true) return 'plain';
  if (
    (reading.seasons.includes('winter') || kinds.some(({ habitat }) => habitat.needsSnow)) &&
    lives.every((each) => each === 'land' || each === 'air')
  )
    return reading.subjects.length > 0 || random.chance(0.5) ? 'snowfield' : 'mountains';
  if (lives.includes('water') && lives.includes('land')) {
    const afloat = kinds.find(({ habitat }) => habitat.lives === 'water');
    return random.pick(afloat?.habitat.home ?? ['lake', 'beach']);
  }
  if (lives.includes('inside') && !kinds.some(({ habitat }) => habitat.outdoors === true || habitat.building === true))
    return 'room';
  const launch = reading.subjects.find(({ kind, action }) => action !== null && figureKind(kind).habitat.launchesFrom);
  if (launch !== undefined) return figureKind(launch.kind).habitat.launchesFrom ?? null;
  const home = kinds.map(({ habitat }) => habitat.home).find((each) => each !== undefined);
  if (home !== undefined) return random.pick(home);
  const first = lives.find((each) => each !== 'air') ?? lives[0];
  if (first !== undefined) return random.pick(USUAL_PLACES[first]);
  if (reading.times.length + reading.weather.length + reading.seasons.length > 0)
    return random.pick(['lake', 'mountains', 'sea', 'hills', 'forest']);
  return null;
}

/** Changes the plants in autumn, and covers the ground with snow in winter. */
function dressForSeason(named: Place, reading: Reading): Place {
  const place = reading.seasons.includes('autumn')
    ? {
        ...named,
        growth: named.growth.map((each) => ({ ...each, kind: FIGURES[each.kind]?.growth?.inAutumn ?? each.kind })),
      }
    : named;
  const white = reading.seasons.includes('winter') || reading.weather.includes('snow');
  if (!white || !['meadow', 'earth', 'rock'].includes(place.ground)) {
    return white && place.shore === 'meadow' ? { ...place, shore: 'snow', land: '#e6eef5', growth: [] } : place;
  }
  return {
    ...place,
    ground: 'snow',
    land: '#e6eef5',
    growth: place.growth.filter(({ kind }) => kind !== 'grass' && FIGURES[kind]?.growth?.painted === undefined),
  };
}

/** Returns a place according to the prompt: furnished, in its season. */
export function preparePlace(name: string | null, reading: Reading): Place {
  if (name === null) return ABSTRACT;
  // Fog hides all of an empty sea.
  const isBlank = name === 'sea' && reading.weather.includes('fog') && reading.subjects.length === 0;
  return dressForSeason(adaptStudio(isBlank ? 'island' : name, reading), reading);
}
