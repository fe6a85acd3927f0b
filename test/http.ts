import type { TestContext } from 'node:test';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createAccount } from '../src/accounts/accounts.ts';
import { type IssuedKey, issueKey, type NewKey } from '../src/accounts/api-keys.ts';
import { createKeyring } from '../src/accounts/keyring.ts';
import { createRateLimits } from '../src/accounts/rate-limits.ts';
import type { HttpOptions } from '../src/http/http-options.ts';
import { buildHttp } from '../src/http/server.ts';
import { openCircuits } from '../src/tasks/circuits.ts';
import type { Desk } from '../src/tasks/desk.ts';
import { openSwitches } from '../src/tasks/switches.ts';
import { type ManualClock, openTestDesk } from './desk.ts';

export interface TestHttp {
  readonly app: FastifyInstance;
  readonly desk: Desk;
  readonly clock: ManualClock;
  /** A new key of the account `default`, which pays later. */
  readonly issue: (key?: Partial<NewKey>) => Promise<IssuedKey>;
  /** Sends a request with a key's secret. */
  readonly as: (key: string, request: InjectOptions) => Promise<LightMyRequestResponse>;
}

/** The HTTP interface over a fresh database, without a runner and not listening: for tests. */
export async function openTestHttp(t: TestContext, changes: Partial<HttpOptions> = {}): Promise<TestHttp> {
  const { desk: bare, clock, database } = await openTestDesk(t);
  const switches = await openSwitches({ database, onError: () => {} });
  const circuits = await openCircuits({ database, clock, onChange: () => {}, onError: () => {} });
  const desk: Desk = { ...bare, routing: { ...bare.routing, isPaused: switches.isPaused } };
  const app = await buildHttp({
    desk,
    keyring: createKeyring({ database, clock }),
    rateLimits: createRateLimits({ now: () => clock.now() }),
    switches,
    circuits,
    publicUrl: desk.settings.publicUrl,
    trustProxy: false,
    corsOrigins: [],
    maxBodyBytes: 32_000_000,
    maxUploadBytes: 1_000_000,
    hideUnavailable: false,
    engineNames: ['sketch'],
    engineSwitches: {},
    reloadCatalog: async () => {},
    readiness: async () => ({ ready: true, checks: [{ name: 'database', ok: true, detail: 'open' }] }),
    metrics: new Registry(),
    log: pino({ level: 'silent' }),
    isStopping: () => false,
    ...changes,
  });
  t.after(async () => {
    switches.close();
    circuits.stop();
    await app.close();
  });
  const by = () => ({ actor: 'test', now: clock.now(), createId: desk.createId });
  await createAccount(database, by(), { id: 'default', creditLimit: null });
  return {
    app,
    desk,
    clock,
    issue: (key = {}) => issueKey(database, by(), { accountId: 'default', mode: 'test', ...key }),
    as: (key, request) => app.inject({ ...request, headers: { authorization: `Bearer ${key}`, ...request.headers } }),
  };
}
