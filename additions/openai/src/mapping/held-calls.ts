import type { Kernel, Owner } from '@darkroom-service/darkroom/kernel';
import { type Call, findCall } from './calls.ts';

const MOST_READ = 20;

/**
 * Returns the calls of a caller that have not got their answer yet, newest first. Calls with an Idempotency-Key are not
 * among them.
 * @param door interface that ordered them, as in `CallView`
 */
export async function findHeldCalls(
  kernel: Pick<Kernel, 'store' | 'tasks'>,
  owner: Owner,
  door: string,
): Promise<readonly Call[]> {
  const { read } = kernel.store;
  const rows = await read.all(
    read.builder
      .selectFrom('openai_calls')
      .select('id')
      .where('api_key_id', '=', owner.id)
      .where('digest', 'is not', null)
      .where('delivered_at', 'is', null)
      .orderBy('id', 'desc')
      .limit(MOST_READ),
  );
  const calls = await Promise.all(rows.map(({ id }) => findCall(kernel, owner, id)));
  return calls.flatMap((call) => (call?.view.door === door ? [call] : []));
}
