import { formatMicros } from '@darkroom-service/contract';
import { VERSION } from '@darkroom-service/darkroom/kernel';
import { reportedAmount } from '@darkroom-service/darkroom/kernel-views';
import { type Engine, kindOf, type ReportedCost } from '@darkroom-service/engines';
import { differences, joinShapes, type KnownShapes, type Shape } from './answer-shape.ts';
import type { TrialStep } from './plan-trial.ts';
import type { RecordedCall, Recorder } from './recorded-fetch.ts';
import { orderFor, type TriedOrder, tryOrder } from './try-order.ts';

/** Result of one route in the report. Amounts are US dollars. */
export interface TrialResult extends Omit<TriedOrder, 'upstreamCost'> {
  readonly engine: string;
  readonly model: string;
  readonly upstream_model: string | null;
  /** The catalog's price of the order. */
  readonly price: string;
  readonly upstream_cost: string | null;
  /** Differences between the upstream's answers and those of the tests. */
  readonly differences: readonly string[];
  /** Call that placed the order, without secrets. */
  readonly request: RecordedCall | null;
}

export interface TrialReport {
  readonly darkroom: string;
  readonly began_at: string;
  readonly dry_run: boolean;
  readonly results: readonly TrialResult[];
  readonly not_tried: readonly { readonly engine: string; readonly model: string; readonly reason: string }[];
}

interface TrialTools {
  readonly engines: ReadonlyMap<string, Engine>;
  readonly recorder: Recorder;
  readonly known: KnownShapes;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly createTaskId: (type: 'image' | 'video') => string;
  readonly dryRun: boolean;
  readonly checkEveryMs?: number;
  /** Called before each order, after its acceptance and at its end, so that a report on disk knows each order. */
  readonly onProgress: (report: TrialReport) => Promise<void>;
}

/** Places one order for each step, one after the other, and never one twice. Stops when the signal aborts. */
export async function runTrial(
  chosen: readonly TrialStep[],
  left: readonly TrialStep[],
  tools: TrialTools,
): Promise<TrialReport> {
  const { engines, recorder, signal } = tools;
  const results: TrialResult[] = [];
  const report = (current: readonly TrialResult[] = []): TrialReport => ({
    darkroom: VERSION,
    began_at: new Date(began).toISOString(),
    dry_run: tools.dryRun,
    results: [...results, ...current],
    not_tried: left.map(({ engine, model, without }) => ({
      engine,
      model,
      reason: without ?? 'it does not fit into the budget',
    })),
  });
  const began = tools.now();
  for (const step of chosen) {
    const engine = engines.get(step.engine);
    if (signal.aborted || engine === undefined || step.order === null) continue;
    const { request, price } = step.order;
    const named = {
      engine: step.engine,
      model: step.model,
      upstream_model: step.upstreamModel,
      price: formatMicros(price),
    };
    const pending = (accepted: boolean, job: string | null): TrialResult => ({
      ...named,
      outcome: accepted ? 'not finished' : 'unknown',
      accepted,
      reason: 'the trial was interrupted',
      seconds: 0,
      outputs: 0,
      bytes: null,
      job,
      upstream_cost: null,
      differences: [],
      request: null,
    });
    const order = orderFor(request, step.route, tools.createTaskId(request.type));
    recorder.take();
    if (!tools.dryRun) await tools.onProgress(report([pending(false, null)]));
    const { upstreamCost, ...tried } = await tryOrder(engine, order, { ...tools, fetch: recorder.fetch }, (operation) =>
      tools.onProgress(report([pending(true, engine.jobOf?.(operation, order) ?? null)])),
    );
    const calls = recorder.take();
    results.push({
      ...named,
      ...tried,
      upstream_cost: costOf(upstreamCost),
      differences: differencesOf(calls, tools.known[kindOf(engine)] ?? {}),
      request: calls.find(({ method }) => method === 'POST') ?? calls[0] ?? null,
    });
    await tools.onProgress(report());
  }
  return report();
}

/** Returns the cost in dollars, or in the upstream's own unit. */
function costOf(cost: ReportedCost | null): string | null {
  if (cost === null) return null;
  if ('tokens' in cost)
    return Object.entries(cost.tokens)
      .map(([kind, count]) => `${count} ${kind} tokens`)
      .join(', ');
  return 'usd' in cost ? formatMicros(reportedAmount(cost, { request: null }, '1') ?? 0) : `${cost.units} units`;
}

function differencesOf(calls: readonly RecordedCall[], known: Readonly<Record<string, Shape>>): string[] {
  return Object.entries(shapesByMethod(calls)).flatMap(([method, shape]) =>
    known[method] === undefined ? [] : differences(shape, known[method]).map((one) => `${method}: ${one}`),
  );
}

/** Joins the shapes of all successful answers by method. */
export function shapesByMethod(calls: readonly RecordedCall[]): Record<string, Shape> {
  const shapes: Record<string, Shape> = {};
  for (const { method, status, shape } of calls)
    if (shape !== null && status !== null && status < 300) shapes[method] = joinShapes(shapes[method] ?? {}, shape);
  return shapes;
}
