import { type Static, Type } from 'typebox';
import { listActs, recordAct } from '../accounts/audit.ts';
import { errorFromFaults, ServiceError } from '../base/errors.ts';
import { CatalogFault } from '../catalog/catalog.ts';
import { viewCircuit } from '../tasks/circuit.ts';
import { lookUpTask, lookUpTasksOfKey } from '../tasks/look-up-task.ts';
import { reportModels } from '../tasks/model-report.ts';
import { reportQueues } from '../tasks/queue-report.ts';
import { listReconciliation, resolveReconciliation } from '../tasks/reconciliation.ts';
import { listSwitches, pause, resume, type SwitchKind } from '../tasks/switches.ts';
import { TASK_STATUSES } from '../tasks/task.ts';
import {
  AdminEngine,
  AdminModel,
  AdminTask,
  AuditAct,
  ClosedCircuit,
  listOf,
  pageOf,
  Reconciliation,
  Reloaded,
  Switched,
} from './admin-answers.ts';
import { adminSchema } from './admin-schema.ts';
import { actOf } from './authenticate.ts';
import { OPTIONAL_BODY } from './check-shape.ts';
import { success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';
import { Limit } from './task-query.ts';

const closed = { additionalProperties: false } as const;
const After = Type.Optional(Type.String({ maxLength: 64, description: 'the last id of the page before' }));
const Page = Type.Object({ limit: Limit, after: After }, closed);
const Pause = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 500 })) }, { ...closed, ...OPTIONAL_BODY });
const Resolution = Type.Object({ resolution: Type.String({ minLength: 1, maxLength: 2000 }) }, closed);
const ReconciliationQuery = Type.Object(
  { resolved: Type.Optional(Type.Enum(['true', 'false'])), limit: Limit, after: After },
  closed,
);
const TaskQuery = Type.Object(
  {
    key_id: Type.String(),
    type: Type.Enum(['image', 'video']),
    status: Type.Optional(Type.Enum(TASK_STATUSES)),
    limit: Limit,
    after: After,
  },
  closed,
);

/** Engines, models, tasks, the catalog, the audit log and what has to be reconciled. */
export function adminOperationRoutes(admin: App, options: HttpOptions): void {
  const { desk } = options;
  const { database } = desk;
  const engineNamed = (name: string) => options.engineNames.find((known) => known === name);

  admin.get(
    '/admin/v1/engines',
    {
      schema: adminSchema(
        'List engines, whether they are paused, their circuits and their queues',
        listOf(AdminEngine),
      ),
    },
    async () => {
      const paused = (await listSwitches(database.read)).filter((entry) => entry.kind === 'engine');
      const queues = await reportQueues(database.read, desk.clock.now());
      // Orders may still wait for an engine that is not configured any more.
      const names = new Set([...options.engineNames, ...queues.map(({ engine }) => engine)]);
      return success({
        items: [...names].map((name) => ({
          name,
          ...pauseOf(paused, name),
          circuit: viewCircuit(options.circuits.of(name), desk.clock.now()),
          queues: queues.filter(({ engine }) => engine === name),
        })),
      });
    },
  );
  admin.get(
    '/admin/v1/models',
    { schema: adminSchema('List models, their routes, and why one is not live', listOf(AdminModel)) },
    async () => success({ items: await reportModels(desk, database.read, options) }),
  );
  admin.post<{ Params: { name: string } }>(
    '/admin/v1/engines/:name/circuit/close',
    { schema: adminSchema('Give orders to an upstream again without waiting for its circuit to close', ClosedCircuit) },
    async (request) => {
      const name = nameOf('engine', engineNamed(request.params.name), request.params.name);
      await options.circuits.close(name, actOf(request, options));
      return success({ name, circuit: viewCircuit(options.circuits.of(name), desk.clock.now()) });
    },
  );
  switchRoutes(admin, options, 'engine', engineNamed);
  switchRoutes(admin, options, 'model', (name) => desk.catalog().find(name)?.model_id);

  admin.get(
    '/admin/v1/tasks',
    { schema: { ...adminSchema("List a key's tasks", pageOf(AdminTask)), querystring: TaskQuery } },
    async (request) => {
      const { key_id: keyId, type, status = null, limit = 20, after = null } = request.query;
      const page = await lookUpTasksOfKey(database.read, { keyId, type, status, limit, after });
      return success({ items: page.items, limit, has_more: page.hasMore });
    },
  );
  admin.get<{ Params: { task_id: string } }>(
    '/admin/v1/tasks/:task_id',
    { schema: adminSchema('Look up a task', AdminTask) },
    async (request) => success(await lookUpTask(database.read, request.params.task_id)),
  );

  admin.post(
    '/admin/v1/catalog/reload',
    { schema: adminSchema("Read the catalog's files anew", Reloaded) },
    async (request) => {
      await options.reloadCatalog().catch(explainCatalogFault);
      const { models, version } = desk.catalog();
      await database.write('record_reload', (trx) =>
        recordAct(trx, actOf(request, options), {
          act: 'catalog.reload',
          target: null,
          detail: { version, models: models.length },
        }),
      );
      return success({ models: models.length, version });
    },
  );

  admin.get(
    '/admin/v1/audit',
    { schema: { ...adminSchema('List the acts of operators, newest first', pageOf(AuditAct)), querystring: Page } },
    async (request) => {
      const { limit = 20, after = null } = request.query;
      const page = await listActs(database.read, { limit, after });
      return success({ items: page.items, limit, has_more: page.hasMore });
    },
  );

  admin.get(
    '/admin/v1/reconciliation',
    {
      schema: {
        ...adminSchema('List orders of unknown outcome and late results', pageOf(Reconciliation)),
        querystring: ReconciliationQuery,
      },
    },
    async (request) => {
      const { resolved, limit = 20, after = null } = request.query;
      const page = await listReconciliation(database.read, { resolved: resolved === 'true', limit, after });
      return success({ items: page.items, limit, has_more: page.hasMore });
    },
  );
  admin.post<{ Params: { id: string }; Body: Static<typeof Resolution> }>(
    '/admin/v1/reconciliation/:id/resolve',
    { schema: { ...adminSchema('Write down what was found', Reconciliation), body: Resolution } },
    async (request) =>
      success(
        await resolveReconciliation(database, actOf(request, options), request.params.id, request.body.resolution),
      ),
  );
}

/** Pause and resume; @param find the name as the switch keeps it, undefined where there is no such thing. */
function switchRoutes(
  admin: App,
  options: HttpOptions,
  kind: SwitchKind,
  find: (name: string) => string | undefined,
): void {
  const { database } = options.desk;
  admin.post<{ Params: { name: string }; Body: Static<typeof Pause> | undefined }>(
    `/admin/v1/${kind}s/:name/pause`,
    {
      schema: {
        ...adminSchema(`Stop taking orders of a${kind === 'engine' ? 'n engine' : ' model'}`, Switched),
        body: Pause,
      },
    },
    async (request) => {
      const name = nameOf(kind, find(request.params.name), request.params.name);
      await pause(database, actOf(request, options), { kind, name, reason: request.body?.reason ?? null });
      await options.switches.refresh();
      return success({ name, paused: true });
    },
  );
  admin.post<{ Params: { name: string } }>(
    `/admin/v1/${kind}s/:name/resume`,
    { schema: adminSchema('Take orders again', Switched) },
    async (request) => {
      const name = nameOf(kind, find(request.params.name), request.params.name);
      await resume(database, actOf(request, options), { kind, name });
      await options.switches.refresh();
      return success({ name, paused: false });
    },
  );
}

function nameOf(kind: SwitchKind, found: string | undefined, sent: string): string {
  if (found === undefined) throw new ServiceError('not_found', `There is no ${kind} '${sent.slice(0, 64)}'.`);
  return found;
}

function pauseOf(paused: Awaited<ReturnType<typeof listSwitches>>, name: string) {
  const entry = paused.find((candidate) => candidate.name === name);
  return { paused: entry !== undefined, paused_at: entry?.paused_at ?? null, reason: entry?.reason ?? null };
}

function explainCatalogFault(error: unknown): never {
  if (!(error instanceof CatalogFault)) throw error;
  const first = error.faults[0];
  if (first === undefined) throw error;
  throw errorFromFaults(
    error.faults.map(({ file, entry, message }) => ({
      param: entry,
      code: 'invalid_request',
      message: `${file}: ${message}. The catalog in force stays.`,
    })),
  );
}
