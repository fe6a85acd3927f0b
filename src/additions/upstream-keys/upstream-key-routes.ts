import { cutText, formatMicros, isoTime, ServiceError, type UpstreamKeyListView } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import {
  ErrorAnswer,
  envelopeOf,
  NewUpstreamKey,
  success,
  UpstreamKeyList,
  UpstreamKeyRemoval,
} from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import type { OrderingKey, ServingKernel } from '../../kernel.ts';
import type { App } from '../../kernel-http.ts';
import { type KeyOwner, listUpstreamKeys, removeUpstreamKey, setUpstreamKey } from './stored-keys.ts';

const tags = ['Account'];
const path = '/v1/account/upstream_keys';
const params = Type.Object({ engine: Type.String({ maxLength: 64 }) });
type OneEngine = { Params: { engine: string } };

/** Serves the keys of an account at upstreams of its own. */
export function upstreamKeyRoutes(v1: App, kernel: ServingKernel): void {
  const { clock, engines, http, money, settings, store, work } = kernel;
  const { vault } = settings;
  const kinds = [...engines.owned.kinds.keys()];

  async function list(key: OrderingKey): Promise<UpstreamKeyListView> {
    const items = await listUpstreamKeys(store.read, key.account.id, engines.valves.failureOf);
    const { amount, share } = money.instanceFee;
    return {
      items,
      engines: vault === null ? [] : kinds,
      fee: { amount: formatMicros(amount), percent: percentOf(share) },
    };
  }

  v1.get(
    path,
    {
      preHandler: http.answers.neverStore,
      schema: {
        tags,
        querystring: closedObject({}),
        response: { 200: envelopeOf(refTo(UpstreamKeyList)), ...ErrorAnswer },
      },
    },
    async (request) => success(await list(http.caller(request))),
  );

  v1.put<OneEngine & { Body: Static<typeof NewUpstreamKey> }>(
    `${path}/:engine`,
    {
      preHandler: http.answers.neverStore,
      schema: {
        tags,
        params,
        body: NewUpstreamKey,
        response: { 200: envelopeOf(refTo(UpstreamKeyList)), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = http.caller(request);
      requireLiveAccountKey(key);
      const { engine } = request.params;
      if (vault === null)
        throw new ServiceError('not_found', 'This service accepts no upstream keys of customers.', { param: 'engine' });
      if (!kinds.includes(engine)) throw unknownEngine(engine, kinds);
      const by = http.by(request);
      const replaced = await setUpstreamKey(kernel, by, ownerOf(key, engine), request.body.secret, vault);
      await afterChange(replaced);
      return success(await list(key));
    },
  );

  v1.delete<OneEngine>(
    `${path}/:engine`,
    { schema: { tags, params, response: { 200: envelopeOf(refTo(UpstreamKeyRemoval)), ...ErrorAnswer } } },
    async (request) => {
      const key = http.caller(request);
      requireLiveAccountKey(key);
      const { engine } = request.params;
      await afterChange(await removeUpstreamKey(kernel, http.by(request), ownerOf(key, engine)));
      return success({ engine, removed_at: isoTime(clock.now()) });
    },
  );

  /** Makes orders that wait for the removed key continue at once: with the key that replaced it, or to their end. */
  async function afterChange(removed: string | null): Promise<void> {
    await engines.owned.refresh();
    if (removed !== null) await engines.valves.abandon(removed);
    work.wakeRunner();
  }
}

/** @throws ServiceError `forbidden` */
function requireLiveAccountKey(key: OrderingKey): void {
  if (key.mode === 'live' && key.accountView) return;
  const missing = key.mode === 'live' ? 'a key made with --account-view' : 'a live key';
  throw new ServiceError('forbidden', `The upstream keys of an account can be changed only with ${missing}.`);
}

function unknownEngine(engine: string, kinds: readonly string[]): ServiceError {
  return new ServiceError(
    'not_found',
    `There is no engine '${cutText(engine, 64)}' that accepts upstream keys. Accepted: ${kinds.join(', ')}.`,
    { param: 'engine' },
  );
}

function ownerOf({ account }: OrderingKey, engine: string): KeyOwner {
  return { accountId: account.id, engine };
}

/** Converts a share such as `0.05` to percent. */
function percentOf(share: string): string {
  return String(Number((Number(share) * 100).toFixed(7)));
}
