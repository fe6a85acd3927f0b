import { createStore, useStore } from '../../../api/store.ts';

/** Minimum height of the wall's rows, in pixels. The maximum shows one picture at a time. */
export const LEAST_SIZE = 96;
export const ONE_PICTURE = 720;
const FIRST_SIZE = window.innerWidth < 768 ? 110 : 220;
const NAME = 'darkroom.wall-size';

const store = createStore(readSize());

export function useWallSize(): number {
  return useStore(store);
}

export function setWallSize(size: number): void {
  store.set(size);
  localStorage.setItem(NAME, String(size));
}

function readSize(): number {
  const kept = Number(localStorage.getItem(NAME) ?? FIRST_SIZE);
  return kept >= LEAST_SIZE && kept <= ONE_PICTURE ? kept : FIRST_SIZE;
}
