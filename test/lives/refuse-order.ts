import { EngineError } from '@darkroom-service/engines';
import { StorageError } from '@darkroom-service/media';
import type { ProcessFaults } from './faulty-database.ts';
import type { Seeded } from './seeded.ts';

const COMMON = ['busy', 'rate_limited', 'upstream'] as const;

/** Returns why an order that did not arrive has no answer; null = it arrives. */
export function refuseOrder(faults: ProcessFaults, seeded: Seeded, isSentAgain: boolean): Error | null {
  const happens: typeof faults.happens = (kind, point) =>
    faults.happens(kind, isSentAgain ? `${point}, sent again` : point);
  const no = { took: 'no' } as const;
  if (happens('upstreamFaults', 'an order, refused')) return new EngineError(seeded.pick(COMMON), 'too many', no);
  if (happens('upstreamFaults', 'an order, lost'))
    return new EngineError(seeded.pick(['upstream', 'timeout']), 'connection lost', { took: 'unknown' });
  if (happens('rareRefusals', 'a wrong key')) return new EngineError('auth', 'wrong key', no);
  if (happens('rareRefusals', 'an empty account')) return new EngineError('billing', 'no credit', no);
  if (happens('rareRefusals', 'an unknown model')) return new EngineError('auth', 'no', { ...no, scope: 'route' });
  if (happens('rareRefusals', 'an order that others can express'))
    return new EngineError('invalid_input', 'not here', { ...no, elsewhere: true });
  if (happens('rareRefusals', 'an order that is wrong')) return new EngineError('invalid_input', 'not so', no);
  if (happens('rareRefusals', 'a machine without file handles'))
    return new EngineError('upstream', 'no handle', { ...no, cause: Object.assign(new Error(), { code: 'EMFILE' }) });
  if (happens('rareRefusals', 'a file that is away')) return new StorageError('unavailable', 'input');
  return happens('rareRefusals', 'a file that is gone') ? new StorageError('not_found', 'input') : null;
}
