import type { Call } from '@darkroom-service/addition-openai/mapping/calls';
import { formatMicros, type JsonValue, parseMicros, type TaskView } from '@darkroom-service/contract';
import { LISTED_OUTPUTS } from './read-prediction.ts';

const FINAL: readonly string[] = ['succeeded', 'failed', 'canceled'];

/**
 * Returns a call as a prediction. Replicate's clients refuse one without `model`, `version` or `urls`.
 * @param isPolled whether the client asks for the state; until the end, all others get `starting`, as they take any
 * other state for the end of their wait
 * @param tasks its tasks, in their order
 * @param rootUrl address of the interface
 */
export function viewPrediction(call: Call, tasks: readonly TaskView[], rootUrl: string, isPolled: boolean): object {
  const [first] = tasks;
  if (first === undefined) throw new Error('expected a call with a task, found none');
  const status = statusOf(tasks);
  const isFinal = FINAL.includes(status);
  const urls = tasks.flatMap(({ outputs }) => outputs.map(({ url }) => url));
  const self = `${rootUrl}/predictions/${call.id}`;
  const failures = tasks.flatMap(({ task_id: id, error }) => (error === null ? [] : [`${id}: ${error.message}`]));
  const completed = tasks.map(({ completed_at: at }) => at ?? '').sort();
  const startedAt = first.started_at;
  const completedAt = isFinal ? (completed.at(-1) ?? null) : null;
  return {
    id: call.id,
    model: `darkroom/${first.model_id}`,
    // Replicate's word for models of which only the newest version can run.
    version: 'hidden',
    status: isFinal || isPolled ? status : 'starting',
    input: first.input,
    output: outputOf(call, urls, isFinal),
    logs: [...call.view.ignored.map((name) => `${name}: ignored, or met only nearly`), ...failures].join('\n'),
    error: status === 'failed' ? (failures[0] ?? 'The outputs were erased.') : null,
    metrics: {
      ...(startedAt === null || completedAt === null
        ? {}
        : { predict_time: (Date.parse(completedAt) - Date.parse(startedAt)) / 1000 }),
      cost_usd: formatMicros(tasks.reduce((sum, { cost }) => sum + (parseMicros(cost.amount) ?? 0), 0)),
    },
    created_at: first.created_at,
    started_at: startedAt,
    completed_at: completedAt,
    data_removed: false,
    source: 'api',
    urls: { get: self, cancel: `${self}/cancel` },
  };
}

/** Returns the state of all tasks together: a prediction succeeds if one of them has an output. */
function statusOf(tasks: readonly TaskView[]) {
  const statuses = tasks.map(({ status }) => status);
  if (statuses.every((status) => status === 'queued')) return 'starting';
  if (!statuses.every((status) => FINAL.includes(status))) return 'processing';
  if (statuses.includes('succeeded')) return 'succeeded';
  return statuses.includes('failed') ? 'failed' : 'canceled';
}

function outputOf({ view }: Call, urls: readonly string[], isFinal: boolean): JsonValue {
  if (!isFinal || urls.length === 0) return null;
  return view.door === LISTED_OUTPUTS ? [...urls] : (urls[0] ?? null);
}
