import type { Habitat } from './habitats.ts';
import { ROOMS } from './rooms.ts';
import type { BackdropName, GroundName, World } from './scene.ts';

export interface Place {
  readonly world: World;
  readonly ground: GroundName;
  readonly shore: GroundName | null;
  readonly backdrops: readonly BackdropName[];
  readonly growth: readonly { readonly kind: string; readonly density: number }[];
  readonly horizon: number;
  /** The ground's own colour. */
  readonly land: string;
  /** What belongs to the place and stands there whatever the prompt's subjects are. */
  readonly props?: readonly Prop[];
}

/** As in a figure. */
export interface Prop {
  readonly kind: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly lift?: number;
}

const open = { world: 'land', shore: null, growth: [] } as const;

const TOWN: readonly Prop[] = [
  { kind: 'townhouses', x: -0.86, y: 0.06, size: 0.4 },
  { kind: 'townhouses', x: 0.86, y: 0.06, size: 0.38 },
  { kind: 'townhouses', x: 0, y: 0.03, size: 0.3 },
];

export const PLACES: Readonly<Record<string, Place>> = {
  ...ROOMS,
  sea: { ...open, ground: 'water', backdrops: [], horizon: 0.58, land: '#6f8f6a' },
  beach: { ...open, ground: 'water', shore: 'sand', backdrops: ['cliffs'], horizon: 0.5, land: '#e6cfa0' },
  island: { ...open, ground: 'water', backdrops: ['islands'], horizon: 0.6, land: '#6f9360' },
  lake: {
    ...open,
    ground: 'water',
    shore: 'meadow',
    backdrops: ['mountains', 'forest'],
    growth: [{ kind: 'grass', density: 0.6 }],
    horizon: 0.55,
    land: '#6f9a58',
  },
  river: {
    ...open,
    ground: 'water',
    shore: 'meadow',
    backdrops: ['hills', 'forest'],
    growth: [{ kind: 'grass', density: 0.7 }],
    horizon: 0.52,
    land: '#719c55',
  },
  mountains: {
    ...open,
    ground: 'meadow',
    backdrops: ['peaks', 'mountains', 'forest'],
    growth: [
      { kind: 'pine', density: 0.35 },
      { kind: 'grass', density: 0.5 },
    ],
    horizon: 0.64,
    land: '#7f9a63',
  },
  peaks: {
    ...open,
    ground: 'rock',
    backdrops: ['peaks', 'peaks', 'mountains'],
    growth: [{ kind: 'pine', density: 0.15 }],
    horizon: 0.68,
    land: '#8b8f8d',
  },
  hills: {
    ...open,
    ground: 'meadow',
    backdrops: ['mountains', 'hills', 'hills'],
    growth: [
      { kind: 'tree', density: 0.25 },
      { kind: 'grass', density: 0.6 },
    ],
    horizon: 0.6,
    land: '#86a758',
  },
  meadow: {
    ...open,
    ground: 'meadow',
    backdrops: ['hills', 'forest'],
    growth: [
      { kind: 'grass', density: 1 },
      { kind: 'flower', density: 0.8 },
    ],
    horizon: 0.56,
    land: '#86ad56',
  },
  forest: {
    ...open,
    ground: 'earth',
    backdrops: ['hills', 'forest', 'forest'],
    growth: [
      { kind: 'trunks', density: 1 },
      { kind: 'pine', density: 1 },
      { kind: 'grass', density: 0.6 },
    ],
    horizon: 0.6,
    land: '#5f7a48',
  },
  desert: {
    ...open,
    ground: 'sand',
    backdrops: ['mountains', 'dunes', 'dunes'],
    growth: [{ kind: 'cactus', density: 0.12 }],
    horizon: 0.6,
    land: '#e0a866',
  },
  city: {
    ...open,
    ground: 'pavement',
    backdrops: ['city', 'city'],
    growth: [{ kind: 'lantern', density: 0.3 }],
    horizon: 0.68,
    land: '#6d7078',
  },
  village: {
    ...open,
    ground: 'meadow',
    backdrops: ['mountains', 'hills', 'village'],
    growth: [
      { kind: 'tree', density: 0.3 },
      { kind: 'grass', density: 0.5 },
    ],
    horizon: 0.6,
    land: '#84a45a',
  },
  garden: {
    ...open,
    ground: 'meadow',
    backdrops: ['hills', 'forest'],
    growth: [
      { kind: 'tree', density: 0.5 },
      { kind: 'flower', density: 1 },
      { kind: 'grass', density: 0.7 },
    ],
    horizon: 0.56,
    land: '#79a650',
  },
  snowfield: {
    ...open,
    ground: 'snow',
    backdrops: ['peaks', 'mountains'],
    growth: [{ kind: 'pine', density: 0.3 }],
    horizon: 0.62,
    land: '#eaf1f6',
  },
  volcano: { ...open, ground: 'rock', backdrops: ['volcano', 'mountains'], horizon: 0.66, land: '#5a4a48' },
  cliffs: { ...open, ground: 'water', shore: 'rock', backdrops: ['cliffs'], horizon: 0.56, land: '#7c7f78' },
  moon_surface: { ...open, world: 'space', ground: 'moon', backdrops: ['mountains'], horizon: 0.66, land: '#a9a6a4' },
  space: { ...open, world: 'space', ground: 'moon', backdrops: [], horizon: 1.4, land: '#a9a6a4' },
  underwater: {
    ...open,
    world: 'underwater',
    ground: 'seabed',
    backdrops: ['mountains'],
    growth: [
      { kind: 'coral', density: 1 },
      { kind: 'kelp', density: 0.9 },
    ],
    horizon: 0.76,
    land: '#cdb98a',
  },
  market: {
    ...open,
    ground: 'pavement',
    backdrops: ['hills'],
    horizon: 0.56,
    land: '#a58f70',
    props: [
      ...TOWN,
      { kind: 'stall', x: -0.72, y: 0.2, size: 0.3 },
      { kind: 'stall', x: 0.74, y: 0.22, size: 0.3 },
      { kind: 'stall', x: 0.04, y: 0.14, size: 0.26 },
    ],
  },
  jungle: {
    ...open,
    ground: 'earth',
    backdrops: ['hills', 'forest'],
    growth: [
      { kind: 'palm', density: 0.8 },
      { kind: 'bamboo', density: 0.25 },
      { kind: 'grass', density: 1 },
      { kind: 'flower', density: 0.3 },
    ],
    horizon: 0.58,
    land: '#4f7a3f',
  },
  bamboo_forest: {
    ...open,
    ground: 'earth',
    backdrops: ['hills', 'forest'],
    growth: [
      { kind: 'bamboo', density: 1 },
      { kind: 'grass', density: 0.6 },
    ],
    horizon: 0.6,
    land: '#74904c',
  },
  savanna: {
    ...open,
    ground: 'meadow',
    backdrops: ['mountains', 'hills'],
    growth: [
      { kind: 'tree', density: 0.14 },
      { kind: 'grass', density: 0.8 },
    ],
    horizon: 0.56,
    land: '#c9a558',
  },
  old_town: {
    ...open,
    ground: 'pavement',
    backdrops: ['hills'],
    growth: [{ kind: 'lantern', density: 0.3 }],
    horizon: 0.62,
    land: '#8d8578',
    props: TOWN,
  },
  canal: { ...open, ground: 'water', backdrops: ['hills'], horizon: 0.56, land: '#8d8578', props: TOWN },
  stadium: {
    ...open,
    ground: 'meadow',
    backdrops: ['city'],
    growth: [{ kind: 'grass', density: 0.4 }],
    horizon: 0.56,
    land: '#5f9f45',
    props: [
      { kind: 'stand', x: -0.62, y: 0.02, size: 0.2 },
      { kind: 'stand', x: 0.62, y: 0.02, size: 0.2 },
      { kind: 'stand', x: 0, y: 0.02, size: 0.2 },
    ],
  },
  clouds: { ...open, ground: 'snow', backdrops: ['cloud_banks'], horizon: 0.66, land: '#f4f3f6' },
  sky: { ...open, ground: 'meadow', backdrops: ['mountains'], horizon: 0.94, land: '#7f9a63' },
  road: {
    ...open,
    ground: 'meadow',
    backdrops: ['mountains', 'hills'],
    growth: [
      { kind: 'road', density: 1 },
      { kind: 'tree', density: 0.2 },
      { kind: 'grass', density: 0.5 },
    ],
    horizon: 0.58,
    land: '#8fa45e',
  },
};

/** Where a picture plays that names only its subject, or nothing but an hour or a weather. */
export const USUAL_PLACES: Readonly<Record<Habitat['lives'], readonly string[]>> = {
  land: ['meadow', 'hills', 'mountains', 'hills'],
  water: ['sea', 'lake', 'sea'],
  air: ['hills', 'mountains', 'sea'],
  under: ['underwater'],
  space: ['space'],
  inside: ['room'],
};
