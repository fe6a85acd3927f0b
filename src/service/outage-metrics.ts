import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import type { Readiness } from './readiness.ts';

/** Registers whether storage, spool and notices work for this process, and whether the service is held. */
export function measureOutages(
  registry: Registry,
  readiness: Pick<Readiness, 'outages'>,
  { notices }: Pick<Database, 'notices'>,
  isHeld: () => boolean,
): void {
  const isOut = (name: string) => readiness.outages().some((outage) => outage.name === name);
  for (const [name, what, isAway] of [
    ['storage', 'the storage', () => isOut('storage')],
    ['spool', 'the disk for answers', () => isOut('spool')],
    ['notices', 'the notices between processes', () => notices.fault !== null],
  ] as const)
    new Gauge({
      name: `darkroom_${name}_up`,
      help: `0 during an outage of ${what} as this process sees it, 1 otherwise.`,
      registers: [registry],
      collect() {
        this.set(isAway() ? 0 : 1);
      },
    });
  new Gauge({
    name: 'darkroom_held',
    help: '1 while an operator holds the service or it may be a copy, so that nothing is sent; 0 otherwise.',
    registers: [registry],
    collect() {
      this.set(isHeld() ? 1 : 0);
    },
  });
}
