import { readBalances } from '@darkroom-service/addition-common/upstream-balances';
import { cutText, type EngineView, ServiceError } from '@darkroom-service/contract';
import { closedObject, listOf, OPTIONAL_BODY, pageOf } from '@darkroom-service/contract/parts';
import {
  AdminEngine,
  AdminModel,
  adminAction,
  adminSchema,
  ClosedCircuit,
  EngineHour,
  Limit,
  Reconciliation,
  ReconciliationCause,
  Reloaded,
  Switched,
  success,
} from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { enginesInUse } from '@darkroom-service/engines';
import { type Static, Type } from 'typebox';
import { ModeQuery } from './mode-query.ts';
import { reportModels, type SwitchView } from './model-report.ts';
import { createHourReport } from './reports/hour-report.ts';
import { createRouteMeasures } from './reports/measured-routes.ts';
import { reportQueues } from './reports/queue-report.ts';
import { findReconciliation, listReconciliation, resolveReconciliation } from './reports/reconciliation.ts';
import { reportUnresolved } from './reports/reconciliation-causes.ts';

const After = Type.Optional(Type.String({ maxLength: 64, description: 'the last id of the page before' }));
const Pause = closedObject({ reason: Type.Optional(Type.String({ maxLength: 500 })) }, OPTIONAL_BODY);
const Resolution = closedObject({ resolution: Type.String({ minLength: 1, maxLength: 2000 }) });
const ResolutionOfSome = closedObject({
  ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  ...Resolution.properties,
});
const ReconciliationQuery = closedObject({
  resolved: Type.Optional(Type.Enum(['true', 'false'])),
  mode: ModeQuery,
  engine: Type.Optional(Type.String({ maxLength: 64, description: 'the engine of the orders; default: all' })),
  limit: Limit,
  after: After,
});

/** Serves engines, models, the catalog and the entries to reconcile. */
export function adminOperationRoutes(admin: App, kernel: ServingKernel): void {
  const { accounts, checks, clock, engines, http, installation, orders, store } = kernel;
  const { valves } = engines;
  const engineNames = () => enginesInUse(engines.operated).map(({ name }) => name);
  const routes = createRouteMeasures(store.reports, () => clock.now());
  const reports = store.replica.reports.inTurn({ owner: null, isLong: true });
  const hours = createHourReport(reports, engines, () => clock.now());
  const slowBeginOf = (name: string): EngineView['slow_begin'] => {
    const begins = valves.beginning(name);
    return begins === null ? null : { at_once: begins.maxOpen, reason: begins.reason };
  };
  const engineNamed = (name: string) => engineNames().find((known) => known === name);

  admin.get('/admin/v1/engines/hours', { schema: adminSchema(listOf(EngineHour)) }, async () =>
    success({ items: [...(await hours())] }),
  );
  admin.get(
    '/admin/v1/engines',
    {
      schema: {
        ...adminSchema(listOf(AdminEngine)),
        querystring: closedObject({ mode: ModeQuery }),
      },
    },
    async (request) => {
      const paused = (await valves.listPaused()).filter((entry) => entry.kind === 'engine');
      const queues = await reportQueues({ checks, clock, engines, store }, request.query.mode ?? 'live');
      const balances = await readBalances(store.read);
      // Orders may still wait for an engine that is not configured any more.
      const names = new Set([...engineNames(), ...queues.map(({ engine }) => engine)]);
      return success({
        items: [...names].map(
          (name): EngineView => ({
            name,
            ...pauseOf(paused, name),
            circuit: valves.view(name),
            slow_begin: slowBeginOf(name),
            route_circuits: valves.viewRoutes(name),
            limits: engines.limits(name),
            balance: balances.get(name) ?? null,
            queues: queues.filter(({ engine }) => engine === name),
          }),
        ),
      });
    },
  );
  admin.get('/admin/v1/models', { schema: adminSchema(listOf(AdminModel)) }, async () =>
    success({ items: await reportModels(kernel, await routes.measure()) }),
  );
  admin.post<{ Params: { name: string } }>(
    '/admin/v1/engines/:name/circuit/close',
    { schema: adminAction(ClosedCircuit) },
    async (request, reply) => {
      const name = nameOf('engine', engineNamed(request.params.name), request.params.name);
      await http.once(request, reply, {
        make: (_binding, by) => valves.open(name, by),
        again: async () => {},
      });
      return success({ name, circuit: valves.view(name) });
    },
  );
  switchRoutes(admin, kernel, 'engine', engineNamed);
  switchRoutes(admin, kernel, 'model', (name) => orders.catalog().find(name)?.model_id);

  admin.post('/admin/v1/catalog/reload', { schema: adminAction(Reloaded) }, async (request, reply) => {
    const view = () => ({ models: orders.catalog().models.length, version: orders.catalog().version });
    const reloaded = await http.once(request, reply, {
      async make(binding, by) {
        await binding.around('catalog', () => installation.reloadCatalog());
        const detail = view();
        await store.write('record_reload', (trx) =>
          accounts.record(trx, by, { act: 'catalog.reload', target: null, detail }),
        );
        return detail;
      },
      again: async () => view(),
    });
    return success(reloaded);
  });

  admin.get(
    '/admin/v1/reconciliation',
    {
      schema: {
        ...adminSchema(pageOf(Reconciliation)),
        querystring: ReconciliationQuery,
      },
    },
    async (request) => {
      const { resolved, mode = 'live', engine = null, limit = 20, after = null } = request.query;
      const query = { resolved: resolved === 'true', mode, engine, limit, after };
      const page = await listReconciliation(store.read, query);
      return success({ items: page.items, limit, has_more: page.hasMore });
    },
  );
  admin.get(
    '/admin/v1/reconciliation/causes',
    {
      schema: {
        ...adminSchema(listOf(ReconciliationCause)),
        querystring: closedObject({ mode: ModeQuery }),
      },
    },
    async (request) => success({ items: await reportUnresolved(store.read, request.query.mode ?? 'live') }),
  );
  admin.post<{ Params: { id: string }; Body: Static<typeof Resolution> }>(
    '/admin/v1/reconciliation/:id/resolve',
    { schema: { ...adminAction(Reconciliation), body: Resolution } },
    async (request, reply) => {
      const { params, body } = request;
      const [entry] = await http.once(request, reply, {
        make: (_binding, by) => resolveReconciliation(kernel, by, [params.id], body.resolution),
        again: () => findReconciliation(store.read, [params.id]),
      });
      return success(entry!);
    },
  );
  admin.post<{ Body: Static<typeof ResolutionOfSome> }>(
    '/admin/v1/reconciliation/resolve',
    { schema: { ...adminAction(listOf(Reconciliation)), body: ResolutionOfSome } },
    async (request, reply) => {
      const { ids, resolution } = request.body;
      const items = await http.once(request, reply, {
        make: (_binding, by) => resolveReconciliation(kernel, by, ids, resolution),
        again: () => findReconciliation(store.read, ids),
      });
      return success({ items });
    },
  );
}

/**
 * Adds the routes that pause and resume.
 * @param find returns the name as the switch stores it, undefined if there is no such object.
 */
function switchRoutes(
  admin: App,
  { engines: { valves }, http }: Pick<ServingKernel, 'engines' | 'http'>,
  kind: SwitchView['kind'],
  find: (name: string) => string | undefined,
): void {
  admin.post<{ Params: { name: string }; Body: Static<typeof Pause> | undefined }>(
    `/admin/v1/${kind}s/:name/pause`,
    {
      schema: {
        ...adminAction(Switched),
        body: Pause,
      },
    },
    async (request, reply) => {
      const name = nameOf(kind, find(request.params.name), request.params.name);
      await http.once(request, reply, {
        make: (_binding, by) => valves.pause(by, { kind, name, reason: request.body?.reason ?? null }),
        again: async () => {},
      });
      return success(await switched(name));
    },
  );
  admin.post<{ Params: { name: string } }>(
    `/admin/v1/${kind}s/:name/resume`,
    { schema: adminAction(Switched) },
    async (request, reply) => {
      const name = nameOf(kind, find(request.params.name), request.params.name);
      await http.once(request, reply, {
        make: (_binding, by) => valves.resume(by, { kind, name }),
        again: async () => {},
      });
      return success(await switched(name));
    },
  );

  async function switched(name: string) {
    await valves.refresh();
    return { name, paused: valves.isPaused(kind, name) };
  }
}

function nameOf(kind: SwitchView['kind'], found: string | undefined, sent: string): string {
  if (found === undefined) throw new ServiceError('not_found', `There is no ${kind} '${cutText(sent, 64)}'.`);
  return found;
}

function pauseOf(paused: readonly SwitchView[], name: string) {
  const entry = paused.find((candidate) => candidate.name === name);
  return { paused: entry !== undefined, paused_at: entry?.paused_at ?? null, reason: entry?.reason ?? null };
}
