import type { Place } from './place.ts';

const room = { world: 'room', ground: 'floor', shore: null, growth: [], backdrops: [], horizon: 0.7 } as const;
const studio = { world: 'studio', shore: null, growth: [], backdrops: [], horizon: 0.66 } as const;

/** Indoor places, and two without surroundings: a photographer's plain background and an emblem. */
export const ROOMS: Readonly<Record<string, Place>> = {
  room: { ...room, land: '#a9764c' },
  kitchen: { ...room, land: '#b9a184' },
  library: { ...room, land: '#8f5f3c' },
  bedroom: { ...room, land: '#9f7a58' },
  living_room: { ...room, land: '#a57d55' },
  bathroom: { ...room, land: '#b9c4c6' },
  office: { ...room, land: '#97806a' },
  plain: { ...studio, ground: 'paper', land: '#e4ddd2' },
  emblem: { ...studio, ground: 'floor', land: '#e9e2d2' },
};
