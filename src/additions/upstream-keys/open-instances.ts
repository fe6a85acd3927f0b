import type { Engine, UpstreamTools } from '@darkroom-service/engines';
import { KEY_KINDS, openKind } from '@darkroom-service/engines/adapters';
import { type Config, type InstanceParts, type Kernel, vaultOf } from '../../kernel.ts';
import { openKeyRegistry } from './key-registry.ts';
import { type KeyedEngineParts, KeyedEngines } from './keyed-engines.ts';
import { keyedEnginesInUse, listSealed, readKeySecret } from './stored-keys.ts';

/** The templates of customers' engines, and the function that opens one with a secret. */
export type KeyedKinds = Pick<KeyedEngineParts, 'templates' | 'open'>;

/** Key in a form that each kind can parse; never sent. */
const TEMPLATE_KEY = 'no-key:of-anybody';

/**
 * Reads the upstream keys in force, and opens the engines that work with them. A secret that cannot be opened is logged
 * and stops nothing.
 * @param keyedKinds instead of the engines at the vendors' own addresses
 */
export async function openInstances(
  { config, database, log, tools, startRefresh }: InstanceParts,
  keyedKinds: KeyedKinds | undefined,
  closers: AsyncDisposableStack,
): Promise<Kernel['engines']['owned']> {
  const vault = vaultOf(config);
  const kinds = keyedKinds ?? kindsOf(config, tools);
  const registry = await openKeyRegistry({ database, startRefresh });
  closers.defer(() => registry.stop());
  const lost = (await listSealed(database.read)).filter(({ sealed }) => vault?.hasKeyOf(sealed ?? '') !== true).length;
  if (lost > 0) log.error({ keys: lost }, 'upstream keys of customers cannot be opened; their orders fail');
  const keyed = new KeyedEngines({ ...kinds, readSecret: (keyId) => readKeySecret(database.read, keyId, vault) });
  closers.defer(() => keyed.close());
  let inUse: readonly Engine[] = [];
  return {
    kinds: kinds.templates,
    of: (accountId) => registry.of(accountId),
    get: (name) => keyed.get(name),
    async inUse() {
      if (!registry.hasAny && inUse.length === 0) return inUse;
      const names = await keyedEnginesInUse(database.read);
      await keyed.keepOnly(names);
      inUse = [...names].flatMap((name) => keyed.get(name) ?? []);
      return inUse;
    },
    refresh: () => registry.refresh(),
  };
}

function kindsOf(
  { engines: only, engineLimits }: Pick<Config, 'engines' | 'engineLimits'>,
  tools: UpstreamTools,
): KeyedKinds {
  const kinds = KEY_KINDS.filter((kind) => only?.includes(kind) !== false);
  const open = (kind: string, secret: string) => openKind(kind, secret, tools, engineLimits);
  return { templates: new Map(kinds.map((kind) => [kind, open(kind, TEMPLATE_KEY)])), open };
}
