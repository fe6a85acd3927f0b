import type { Place } from './places.ts';

const room = { world: 'room', ground: 'floor', shore: null, growth: [], backdrops: [], horizon: 0.7 } as const;
const studio = { world: 'studio', shore: null, growth: [], backdrops: [], horizon: 0.66 } as const;

/** Places under a roof, furnished, and the two of a photographer and a maker of badges. */
export const ROOMS: Readonly<Record<string, Place>> = {
  room: { ...room, land: '#a9764c' },
  kitchen: {
    ...room,
    land: '#b9a184',
    props: [{ kind: 'counter', x: 0.25, y: 0.1, size: 0.34 }],
  },
  library: {
    ...room,
    land: '#8f5f3c',
    props: [{ kind: 'shelf', x: -0.45, y: 0.08, size: 0.5 }],
  },
  bedroom: {
    ...room,
    land: '#9f7a58',
    props: [
      { kind: 'bed', x: 0.3, y: 0.2, size: 0.3 },
      { kind: 'floor_lamp', x: -0.5, y: 0.14, size: 0.42 },
    ],
  },
  living_room: {
    ...room,
    land: '#a57d55',
    props: [
      { kind: 'floor_lamp', x: 0.8, y: 0.12, size: 0.44 },
      { kind: 'sofa', x: 0.36, y: 0.2, size: 0.24 },
      { kind: 'plant', x: -0.82, y: 0.2, size: 0.3 },
    ],
  },
  bathroom: {
    ...room,
    land: '#b9c4c6',
    props: [
      { kind: 'plant', x: -0.84, y: 0.16, size: 0.28 },
      { kind: 'bathtub', x: 0.26, y: 0.3, size: 0.26 },
    ],
  },
  office: {
    ...room,
    land: '#97806a',
    props: [
      { kind: 'plant', x: -0.84, y: 0.16, size: 0.3 },
      { kind: 'table', x: 0.28, y: 0.3, size: 0.34 },
      { kind: 'laptop', x: 0.28, y: 0.302, size: 0.2, lift: 0.265 },
    ],
  },
  plain: { ...studio, ground: 'paper', land: '#e4ddd2' },
  emblem: { ...studio, ground: 'floor', land: '#e9e2d2' },
};
