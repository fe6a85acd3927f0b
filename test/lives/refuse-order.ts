import { EngineError } from '@darkroom-service/engines';
import { StorageError } from '@darkroom-service/media';
import type { ProcessFaults } from './faulty-database.ts';
import type { Seeded } from './seeded.ts';

const COMMON = ['busy', 'rate_limited', 'upstream'] as const;
/** How often an upstream does not know the model for some time. */
const MISSING = 0.05;
const MISSING_WITHIN_MS = 10_000;
const LONGEST_MISSING_MS = 120_000;
/** Longer than the service has patience with one upstream. */
const LONGEST_REFUSED_MS = 200_000;

/** Tells why an order that did not arrive has no answer; null = it arrives. */
export type RefuseOrder = (faults: ProcessFaults, order: SentOrder) => Error | null;

interface SentOrder {
  readonly engine: string;
  readonly taskId: string;
  readonly isSentAgain: boolean;
}

/** Creates the refusals of the upstreams of these names. */
export function createRefusals(seeded: Seeded, elapsedMs: () => number, names: readonly string[]): RefuseOrder {
  const missing = new Map(
    names
      .filter(() => seeded.happens(MISSING))
      .map((name) => {
        const from = seeded.between(0, MISSING_WITHIN_MS);
        return [name, { from, until: from + seeded.between(1, LONGEST_MISSING_MS) }];
      }),
  );
  const refused = new Map<string, number>();
  const no = { took: 'no' } as const;
  const isMissing = (engine: string) => {
    const { from = 0, until = 0 } = missing.get(engine) ?? {};
    return elapsedMs() >= from && elapsedMs() < until;
  };
  const tooMany = () => new EngineError(seeded.pick(COMMON), 'too many', no);
  const noModel = () => new EngineError('auth', 'no', { ...no, scope: 'route' });

  return (faults, { engine, taskId, isSentAgain }) => {
    const happens: typeof faults.happens = (kind, point) =>
      faults.happens(kind, isSentAgain ? `${point}, sent again` : point);
    if (isMissing(engine)) return noModel();
    if (elapsedMs() < (refused.get(taskId) ?? 0)) return tooMany();
    if (happens('upstreamFaults', 'an order, refused')) return tooMany();
    if (happens('upstreamFaults', 'an order, lost'))
      return new EngineError(seeded.pick(['upstream', 'timeout']), 'connection lost', { took: 'unknown' });
    if (happens('rareRefusals', 'a wrong key')) return new EngineError('auth', 'wrong key', no);
    if (happens('rareRefusals', 'an empty account')) return new EngineError('billing', 'no credit', no);
    if (happens('rareRefusals', 'an unknown model')) return noModel();
    if (happens('rareRefusals', 'an order, refused again and again')) {
      refused.set(taskId, elapsedMs() + seeded.between(1, LONGEST_REFUSED_MS));
      return tooMany();
    }
    if (happens('rareRefusals', 'an order that others can express'))
      return new EngineError('invalid_input', 'not here', { ...no, elsewhere: true });
    if (happens('rareRefusals', 'an order that is wrong')) return new EngineError('invalid_input', 'not so', no);
    if (happens('rareRefusals', 'a machine without file handles'))
      return new EngineError('upstream', 'no handle', { ...no, cause: Object.assign(new Error(), { code: 'EMFILE' }) });
    if (happens('rareRefusals', 'a file that is away')) return new StorageError('unavailable', 'input');
    return happens('rareRefusals', 'a file that is gone') ? new StorageError('not_found', 'input') : null;
  };
}
