import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startTestService, type TaskAnswer, type TestService } from '../../helpers/service.ts';
import { createSwiftEngine } from '../../helpers/swift-engine.ts';
import { type FaultProxy, openFaultProxy } from '../fault-proxy.ts';
import type { CallOptions, Order, Outcome, PublishedClient } from './clients.ts';

/** A service behind a fault proxy, and one API key. */
export interface Mount {
  readonly service: TestService;
  readonly proxy: FaultProxy;
  readonly key: string;
  /** Calls the mount through the proxy. */
  call(order: Order, options?: CallOptions): Promise<Outcome>;
}

/** Waits are short, so that a slow answer takes several redirects; eighteen of them still suffice on a slow machine. */
const HOP_MS = 1_000;

/** The cheapest image of the built-in engine. */
export const IMAGE = { model: 'sketch', prompt: 'a fox', size: '256x256' };
export const FILM = { model: 'sketch-motion', prompt: 'a fox runs', seconds: '1', size: '640x360' };

/**
 * Opens a service for a published client behind a proxy.
 * @param makes what the scenario orders: plain images come from an engine that draws nothing
 */
export async function openMount(
  t: TestContext,
  client: PublishedClient,
  makes: 'plain images' | 'films' = 'plain images',
): Promise<Mount> {
  const service = await startTestService(t, {
    settings: { openai: { holdMs: HOP_MS } },
    service: makes === 'films' ? {} : { engines: [createSwiftEngine()] },
  });
  const proxy = await openFaultProxy(t, service.url);
  const { key } = await service.issueKey({ mode: 'test' });
  return { service, proxy, key, call: (order, options) => client.call(proxy.url, key, order, options) };
}

/** The tasks of the key, and what was held, released and charged for them. */
export async function readBooks({
  service,
  key,
}: Mount): Promise<{ readonly tasks: readonly TaskAnswer[]; readonly kinds: string[] }> {
  const images = (await service.call(key, 'GET', '/v1/images?limit=100')).data.items;
  const videos = (await service.call(key, 'GET', '/v1/videos?limit=100')).data.items;
  const { data } = await service.call(key, 'GET', '/v1/account/ledger?limit=100');
  return { tasks: [...images, ...videos], kinds: data.items.map((entry) => entry.kind).sort() };
}

/** One order was taken, made and charged, whatever happened on the way. */
export async function assertOneCharge(mount: Mount): Promise<void> {
  const { tasks, kinds } = await readBooks(mount);
  assert.deepEqual(
    [tasks.map(({ status }) => status), kinds],
    [['succeeded'], ['charge', 'hold', 'release']],
    'one order, one charge',
  );
}

/** Asserts that nothing was ordered. */
export async function assertNoOrder(mount: Mount): Promise<void> {
  assert.deepEqual(await readBooks(mount), { tasks: [], kinds: [] });
}
