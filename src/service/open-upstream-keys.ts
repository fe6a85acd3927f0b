import type { Engine } from '@darkroom-service/engines/engine';
import { KEY_KINDS, openKind } from '@darkroom-service/engines/open-kind';
import type { UpstreamTools } from '@darkroom-service/engines/upstreams';
import type { Log } from '../base/log.ts';
import type { Vault } from '../base/vault.ts';
import type { Database } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import { createEngineSet } from '../routing/engine-set.ts';
import { type KeyRegistry, openKeyRegistry } from '../routing/key-registry.ts';
import { createKeyedEngines, type KeyedEngineParts } from '../routing/keyed-engines.ts';
import { listSealed, readKeySecret } from '../routing/upstream-keys.ts';
import type { Config } from './config/config.ts';
import { vaultOf } from './config/upstream-key-variables.ts';

/** The templates of customers' engines, and the function that opens one with a secret. */
export type KeyedKinds = Pick<KeyedEngineParts, 'templates' | 'open'>;

/** The upstream keys of customers, and the engines that work with them. */
export interface UpstreamKeys {
  /** The vault of upstream keys; null: the operator has set no key. */
  readonly vault: Vault | null;
  readonly registry: KeyRegistry;
  /** The kinds that keys can be set for. */
  readonly kinds: ReadonlyMap<string, Engine>;
  readonly engineSet: ReturnType<typeof createEngineSet>;
}

/** Of a form that each kind can read; it is sent to nobody. */
const TEMPLATE_KEY = 'no-key:of-anybody';

/** Reads the keys in force. A secret that cannot be opened is logged and stops nothing. */
export async function openUpstreamKeys(
  config: Pick<Config, 'upstreamKeys' | 'engines' | 'engineLimits'>,
  {
    database,
    engines,
    log,
    tools,
    startRefresh,
    keyedKinds = kindsOf(config, tools),
  }: {
    readonly database: Database;
    readonly engines: ReadonlyMap<string, Engine>;
    readonly log: Log;
    readonly tools: UpstreamTools;
    readonly startRefresh: StartRefresh;
    readonly keyedKinds?: KeyedKinds | undefined;
  },
  closers: AsyncDisposableStack,
): Promise<UpstreamKeys> {
  const vault = vaultOf(config.upstreamKeys);
  const registry = await openKeyRegistry({ database, startRefresh });
  closers.defer(() => registry.stop());
  const lost = (await listSealed(database.read)).filter(({ sealed }) => vault?.hasKeyOf(sealed ?? '') !== true).length;
  if (lost > 0) log.error({ keys: lost }, 'upstream keys of customers cannot be opened; their orders fail');
  const keyed = createKeyedEngines({
    ...keyedKinds,
    readSecret: (keyId) => readKeySecret(database.read, keyId, vault),
  });
  closers.defer(() => keyed.close());
  const engineSet = createEngineSet(engines, keyed, database, registry);
  return { vault, registry, kinds: keyedKinds.templates, engineSet };
}

function kindsOf(
  { engines: only, engineLimits }: Pick<Config, 'engines' | 'engineLimits'>,
  tools: UpstreamTools,
): KeyedKinds {
  const kinds = KEY_KINDS.filter((kind) => only?.includes(kind) !== false);
  const open = (kind: string, secret: string) => openKind(kind, secret, tools, engineLimits);
  return { templates: new Map(kinds.map((kind) => [kind, open(kind, TEMPLATE_KEY)])), open };
}
