import { world } from '@darkroom-service/contract';
import { type Engine, EngineError } from '@darkroom-service/engines';
import type { TaskRecord } from '../../record/task-record.ts';
import { subjectOfRoute } from '../../routing/valve.ts';
import type { WorkerServices } from '../worker-services.ts';

type Probed = Awaited<ReturnType<NonNullable<Engine['probe']>>>;

const PROBE_TIMEOUT_MS = 5_000;

/** Logs a failed call. Calls of test keys are logged at debug level, because they do not concern the operator. */
export function logFault(
  { services }: WorkerServices,
  task: TaskRecord,
  engine: Engine,
  fields: { readonly err: unknown; readonly attempts: number; readonly took?: EngineError['took'] },
  message: string,
): void {
  const level = task.mode === 'test' ? 'debug' : 'warn';
  services.log[level]({ ...fields, task_id: task.id, engine: engine.name }, message);
}

/**
 * Reports a failed call to the valves. Our own errors do not count, and an engine without an upstream has no valve.
 */
export async function reportToValves(
  work: WorkerServices,
  task: TaskRecord,
  engine: Engine,
  call: 'start' | 'check',
  error: unknown,
): Promise<void> {
  const { valves, services } = work;
  if (engine.repeatable === true || !(error instanceof EngineError)) return;
  if (error.elsewhere) return;
  const route = subjectOfRoute(task.route);
  // The upstream evaluated the order, so it works.
  if (error.class === 'invalid_input' || error.class === 'content_policy') {
    await valves.succeeded(engine.name, call);
    return await valves.succeeded(route, call);
  }
  services.figures.engineFault({ engine: engine.name, call, fault: error.class });
  const isProven = error.proof === 'documented';
  if (isProven && error.class === 'auth' && error.scope === 'engine' && (await isOfOwnKey(work, engine, error))) return;
  if (call === 'check' || error.took !== 'no') {
    await valves.failed(engine.name, call, task.id, error);
    if (call === 'start' && error.took === 'unknown') await askBeforeNext(work, engine);
    return;
  }
  const isOfKey = error.class === 'auth' || (error.class === 'billing' && !isProven);
  const isAsked = error.scope === 'engine' && isOfKey && valves.of(engine.name) === null;
  const probed = isAsked ? await probe(engine) : null;
  const isOfRouteAlone = error.scope === 'route' || (error.class === 'auth' && probed?.ok === true);
  if (!isOfRouteAlone)
    return void (await valves.failed(engine.name, call, task.id, error, isProven || probed?.refusesKey === true));
  // The upstream works; only this model, which may need extra permissions, cannot be ordered there.
  await valves.succeeded(engine.name, call);
  await valves.failed(route, call, task.id, error, isProven && error.scope === 'route');
}

/** Tells whether the upstream refuses only the key of this process, which then leaves the orders to the others. */
async function isOfOwnKey(
  { processState, services }: WorkerServices,
  engine: Engine,
  error: EngineError,
): Promise<boolean> {
  if (processState.withOtherKey(engine.name) === 0) return false;
  const isKnown = processState.refusedKey(engine.name) !== null;
  // A key that works may only lack a permission.
  if (!isKnown && (await probe(engine))?.ok === true) return false;
  if (!(await processState.keyRefused(engine.name, error.message))) return false;
  const facts = { engine: engine.name, reason: error.message, others: processState.withOtherKey(engine.name) };
  if (!isKnown) services.log.error(facts, 'upstream refuses the key of this process; others use another key and go on');
  return true;
}

/**
 * Asks the upstream at no cost whether it works, after an order that may have been accepted or not, before the next one
 * is risked.
 */
async function askBeforeNext({ valves, load }: WorkerServices, engine: Engine): Promise<void> {
  if (engine.probe === undefined || valves.of(engine.name) !== null || !load.doubt(engine.name)) return;
  try {
    const probed = await probe(engine);
    if (probed?.ok === false) await valves.away(engine.name, probed.message);
  } finally {
    load.trust(engine.name);
  }
}

/** @returns null if a probe would cost money */
async function probe(engine: Engine): Promise<Probed | null> {
  const context = { signal: world.timeout(PROBE_TIMEOUT_MS), onProgress: () => {} };
  return (await engine.probe?.(context).catch((error: Error) => ({ ok: false, message: error.message }))) ?? null;
}

/** Wraps our own errors. For a paid engine it is then unknown whether the order was accepted. */
export function asEngineError(error: unknown, engine: Pick<Engine, 'name' | 'repeatable'>): EngineError {
  if (error instanceof EngineError) return error;
  const took = engine.repeatable === true ? 'no' : 'unknown';
  return new EngineError('upstream', `the call to the engine ${engine.name} failed`, { took, cause: error });
}
