import { join } from 'node:path';
import type { DataRuleBody } from '@darkroom-service/contract/schemas';
import type { Addition } from '../../kernel.ts';
import { exclusionOf } from './data-rule.ts';
import { movedEngines } from './moved-engines.ts';
import { readProviders } from './provider-facts.ts';
import { openRuleRegistry } from './rule-registry.ts';

/** Subdirectory of a catalog's directory with the facts about upstreams. */
const DIRECTORY = 'providers';

type Filter = NonNullable<Awaited<ReturnType<NonNullable<Addition['routes']>>>['filter']>;

/** Opens the filter of routes by the rules of accounts, keys, client tokens and orders. */
export const openFilter: NonNullable<Addition['routes']> = async ({ config, database, startRefresh }, closers) => {
  const [shippedDirectory = '', ...ownDirectories] = config.catalogDirectories.map((one) => join(one, DIRECTORY));
  const shipped = await readProviders([shippedDirectory]);
  const own = await readProviders(ownDirectories);
  const moved = movedEngines(config);
  const registry = await openRuleRegistry({ database, startRefresh });
  closers.defer(() => registry.stop());
  const factsOf = (engine: string, kind: string) =>
    own.get(engine) ?? (moved.has(engine) ? null : (own.get(kind) ?? shipped.get(kind) ?? null));
  const filter: Filter = {
    ruleOf({ id, account, client }, { data }) {
      const [ofToken, ofOrder] = [client?.fields?.data, data] as (DataRuleBody | undefined)[];
      const all = [...registry.of(account.id, id), ofToken ?? {}, ofOrder ?? {}].filter(
        (rule) => Object.keys(rule).length > 0,
      );
      return all.length === 0 ? null : { all };
    },
    exclusionOf: ({ all }, { engine, kind }) =>
      exclusionOf(all as DataRuleBody[], { engine, kind, facts: factsOf(engine, kind) }),
    describe({ engine, kind }) {
      const known = factsOf(engine, kind);
      return {
        engine: kind,
        provider: known?.provider ?? null,
        in_service: known?.in_service ?? false,
        country: known?.country ?? null,
        retention_days: known?.retention_days ?? null,
        training: known?.training ?? null,
        passes_on: known?.passes_on ?? false,
        terms: known?.terms ?? null,
        source: known?.source ?? null,
        as_of: known?.as_of ?? null,
        note: known?.note ?? null,
      };
    },
    refresh: () => registry.refresh(),
  };
  return { filter };
};
