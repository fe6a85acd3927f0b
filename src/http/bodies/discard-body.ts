import { world } from '@darkroom-service/contract';
import type { FastifyRequest } from 'fastify';
import { ANONYMOUS } from '../../accounts/budgets.ts';
import type { BodyPace } from './body-pace.ts';

/**
 * The least pause between two chunks of a refused body: about 16 MB a second, so that reading it to its end delays no
 * other request.
 */
const DISCARD_PAUSE_MS = 4;

/** Returns how long to pause after a chunk of a refused body, in milliseconds. Together, those of a key take turns. */
export function discardPause(pace: BodyPace, owner: string, bytes: number): number {
  return Math.max(DISCARD_PAUSE_MS, pace(owner, bytes));
}

/**
 * Reads what is left of a refused body slowly and keeps nothing of it: a client that is still sending would not see the
 * answer.
 */
export function discardBody({ raw, apiKey }: FastifyRequest, pace: BodyPace): void {
  const owner = apiKey?.id ?? ANONYMOUS;
  raw.unpipe().on('data', (chunk: Buffer) => {
    raw.pause();
    world.setTimeout(() => raw.resume(), discardPause(pace, owner, chunk.length));
  });
  raw.resume();
}
