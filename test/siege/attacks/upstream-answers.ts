import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { HOSTILE_ANSWERS, hostilePrompt, MEGABYTES_OF_ANSWER } from '../hostile-answers.ts';
import { bearer, flood } from './flood.ts';

/** Answers of an upstream that are nothing but parts. Its customer orders what is answered so. */
export const UPSTREAM_ATTACKS: readonly Attack[] = [
  attackWith(
    'upstream answers of nothing',
    HOSTILE_ANSWERS.filter(({ isPicture }) => !isPicture),
  ),
  attackWith(
    'upstream pictures of nothing',
    HOSTILE_ANSWERS.filter(({ isPicture }) => isPicture),
  ),
];

function attackWith(name: string, answers: typeof HOSTILE_ANSWERS): Attack {
  return {
    name,
    who: 'upstream',
    async run({ url, upstreamKey }, signal) {
      let sent = 0;
      const shot = (turn: number) => {
        sent++;
        const order = { model_id: 'gpt-image-2', prompt: hostilePrompt(answers[turn]!.name) };
        return {
          path: '/v1/images',
          headers: { ...bearer(upstreamKey), prefer: 'wait=60' },
          body: JSON.stringify(order),
        };
      };
      const did = await flood({ url, connections: 2, most: answers.length, signal, shot });
      // Those that were given up are still collected.
      await sleep(1_000);
      return { did, megabytes: sent * MEGABYTES_OF_ANSWER };
    },
  };
}
