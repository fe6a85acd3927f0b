import type { TestContext } from 'node:test';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createAccount } from '../../src/accounts/accounts.ts';
import { issueKey, type NewKey, type NewSecretView } from '../../src/accounts/api-keys.ts';
import { type BudgetLimits, Budgets } from '../../src/accounts/budgets.ts';
import { createKeyring } from '../../src/accounts/keyring.ts';
import { createRateLimits } from '../../src/accounts/rate-limits.ts';
import { ADDITIONS } from '../../src/additions/list.ts';
import { vaultWith } from '../../src/base/vault.ts';
import { createBodyPace } from '../../src/http/bodies/body-pace.ts';
import { createKeyTurns } from '../../src/http/connection/key-turns.ts';
import type { HttpOptions } from '../../src/http/http-options.ts';
import { buildHttp } from '../../src/http/server.ts';
import { operateValves } from '../../src/routing/operated-valves.ts';
import { joinInstances } from '../../src/routing/owned-instances.ts';
import { SharedValves } from '../../src/routing/valves.ts';
import { openHttp } from '../../src/service/kernel/http.ts';
import type { KernelParts } from '../../src/service/kernel/kernel.ts';
import { openKernel, serveKernel } from '../../src/service/kernel/kernel.ts';
import { openAdditions, openHttpAdditions } from '../../src/service/open-additions.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { kernelPartsOf } from './kernel.ts';
import { loadConfig } from './load-config.ts';
import { startTestRefresh } from './start-refresh.ts';
import { type ManualClock, openTestServices } from './task-services.ts';

export interface TestHttp {
  readonly app: FastifyInstance;
  readonly services: TaskServices;
  readonly clock: ManualClock;
  /** A new key of the account `default`, which pays later. */
  readonly issue: (key?: Partial<NewKey>) => Promise<NewSecretView>;
  /** Sends a request with a key's secret. */
  readonly as: (key: string, request: InjectOptions) => Promise<LightMyRequestResponse>;
}

/** The HTTP interface over a fresh database, without a runner and not listening: for tests. */
export async function openTestHttp(
  t: Pick<TestContext, 'after'>,
  { reloadCatalog = async () => {}, ...changes }: Partial<HttpOptions & Pick<KernelParts, 'reloadCatalog'>> = {},
  limits: Partial<BudgetLimits> = {},
): Promise<TestHttp> {
  const { services: bare, clock, database } = await openTestServices(t);
  const valves = await SharedValves.open({
    database,
    clock,
    onChange: () => {},
    onError: () => {},
    startRefresh: startTestRefresh,
  });
  const budgets = new Budgets({
    limits: { ...loadConfig({}).budgets, ...limits },
    endUserPercent: 50,
    now: () => clock.now(),
  });
  const { publicUrl = bare.settings.publicUrl } = changes;
  const settings = { ...bare.settings, publicUrl };
  const services: TaskServices = {
    ...bare,
    settings,
    budgets,
    routing: { ...bare.routing, isPaused: (kind, name) => valves.isPaused(kind, name) },
  };
  const closers = new AsyncDisposableStack();
  const signingSecrets = { of: () => ({ signing: 'test', accepted: ['test'] }), refresh: async () => {} };
  const registry = new Registry();
  const instances = joinInstances([]);
  const operated = operateValves(valves, { database, clock, instances });
  const config = { ...loadConfig({}), maxUploadBytes: 1_000_000 };
  const parts = {
    ...kernelPartsOf(services),
    reloadCatalog,
    config,
    registry,
    instances,
    signingSecrets,
    valves: operated,
  };
  const kernel = openKernel(parts, closers);
  const serving = serveKernel(kernel, parts, (link) => openHttp(() => httpOptions, link));
  const additions = await openHttpAdditions(await openAdditions(ADDITIONS, kernel, closers), serving);
  const httpOptions: HttpOptions = {
    additions,
    services,
    servicesFor: () => services,
    keyring: createKeyring({
      database,
      clock,
      cell: null,
      clientSecrets: () => ({ signing: 'test', accepted: ['test'] }),
    }),
    rateLimits: createRateLimits({ now: () => clock.now() }),
    takeKeyTurn: createKeyTurns(),
    bodyPace: createBodyPace(() => performance.now()),
    hold: kernel.installation.hold,
    publicUrl,
    docsUrl: `${publicUrl}/docs`,
    trustProxy: false,
    corsOrigins: [],
    maxBodyBytes: 32_000_000,
    maxUploadBytes: 1_000_000,
    approveOver: null,
    secretOf: async (name) => `${name} of a test, thirty-two bytes or more`,
    vaultOf: async () => vaultWith(Buffer.alloc(32).toString('base64url')),
    hideUnavailable: false,
    readiness: async () => ({
      ready: true,
      orders: true,
      reads: true,
      files: true,
      checks: [{ name: 'database', ok: true, detail: 'open' }],
    }),
    metrics: registry,
    log: pino({ level: 'silent' }),
    isLeaving: () => false,
    isStopping: () => false,
    ...changes,
  };
  const app = await buildHttp(httpOptions);
  t.after(async () => {
    valves.stop();
    await app.close();
    await closers.disposeAsync();
  });
  const by = () => ({ actor: 'test', now: clock.now(), createId: services.createId });
  await createAccount(database, by(), { id: 'default', creditLimit: null });
  return {
    app,
    services,
    clock,
    issue: (key = {}) => issueKey(database, by(), { accountId: 'default', mode: 'test', ...key }),
    as: (key, request) => app.inject({ ...request, headers: { authorization: `Bearer ${key}`, ...request.headers } }),
  };
}
