import type { Engine } from './engine.ts';

/** Tells whether a worker must be able to save an answer of this engine on its disk: it is a result that was paid. */
export function needsSpool({ isBlocking, isFree }: Pick<Engine, 'isBlocking' | 'isFree'>): boolean {
  return isBlocking === true && isFree !== true;
}
