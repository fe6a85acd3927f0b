import { SEPARATOR_BODIES, type SeparatorBody } from '../../helpers/separator-bodies.ts';
import type { Attack } from '../attack.ts';
import { bearer, flood } from './flood.ts';

const BYTES = 15_000_000;

/** Bodies that are nothing but separators: they cost their bytes, however many parts that makes. */
export const SEPARATOR_ATTACKS: readonly Attack[] = [
  attackWith('JSON lines of nothing', ({ name }) => name.startsWith('JSON lines')),
  attackWith('batches of nothing', ({ name }) => name.startsWith('orders')),
  attackWith('JSON of nothing', ({ name }) => name.startsWith('JSON:')),
  attackWith('forms of nothing', ({ name }) => name.startsWith('form')),
];

function attackWith(name: string, isOfIt: (body: SeparatorBody) => boolean): Attack {
  const bodies = SEPARATOR_BODIES.filter(isOfIt);
  return {
    name,
    who: 'test key',
    async run({ url, testKey }, signal) {
      let sent = 0;
      const shot = (turn: number) => {
        const { path, contentType, headers, make } = bodies[turn % bodies.length]!;
        const body = make(BYTES);
        sent += body.length;
        return { path, headers: { ...bearer(testKey), 'content-type': contentType, ...headers }, body };
      };
      const did = await flood({ url, connections: 2, most: bodies.length, signal, shot });
      return { did, megabytes: sent / 1_000_000 };
    },
  };
}
