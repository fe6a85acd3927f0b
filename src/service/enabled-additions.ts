import { selectOpenGroups } from '../accounts/open-groups.ts';
import type { Session } from '../database/database.ts';
import type { Addition } from './addition.ts';
import type { Config } from './config/config.ts';
import { ConfigFault } from './config/config-fault.ts';
import { findStranded } from './orders-at-gates.ts';

/** Variable that disables additions. Their data and their hooks stay. */
export const WITHOUT = 'DARKROOM_WITHOUT';

/** Returns the enabled additions. @throws ConfigFault if an unknown addition is to be disabled */
export function enabledAdditions(additions: readonly Addition[], without: readonly string[]): readonly Addition[] {
  const known = additions.map(({ name }) => name);
  const unknown = without.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw fault(unknown.map((name) => `there is no addition '${name}'. There are: ${known.toSorted().join(', ')}`));
  return additions.filter(({ name }) => !without.includes(name));
}

/** Refuses a start in which a disabled addition still has work to do. @throws ConfigFault naming each */
export async function assertNoOpenWork(
  additions: readonly Addition[],
  config: Config,
  { read, now }: { readonly read: Session; readonly now: number },
): Promise<void> {
  const messages: string[] = [];
  const hooks = additions.flatMap((addition) => addition.hooks ?? []);
  const findUnplaced = async () => {
    const group = selectOpenGroups(read, hooks).select('id').where('unplaced', '>', 0).limit(1);
    return (await read.first(group))?.id ?? null;
  };
  const question = { now, config, hooks, findUnplaced };
  const stranded = await findStranded(read, enabledAdditions(additions, config.without));
  for (const { name, gate, findOpenWork } of additions) {
    if (!config.without.includes(name)) continue;
    const order = stranded.find(({ addition }) => addition === name)?.order ?? (gate && (await findUnplaced()));
    const atGate = order == null ? null : `'${order}' may wait at its gate.`;
    const work = (await findOpenWork?.(read, question)) ?? atGate;
    if (work !== null) messages.push(`'${name}' cannot be closed now: ${work}`);
  }
  if (messages.length > 0) throw fault(messages);
}

function fault(messages: readonly string[]): ConfigFault {
  return new ConfigFault(messages.map((message) => ({ variable: WITHOUT, message })));
}
