import {
  flatText,
  formatMicros,
  isoTime,
  type JsonObject,
  type OutputView,
  type TaskView,
} from '@darkroom-service/contract';
import type { QuoteLine } from '@darkroom-service/contract/catalog';
import type { Simulate, TaskFailure } from '@darkroom-service/engines';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { Session } from '../database/database.ts';
import { isClosed, isClosedByAddition } from '../queue/gates.ts';
import { NAMES_SEVERAL } from '../record/order-models.ts';
import { isKeyed } from '../record/owned-instance.ts';
import { isFinal, type StoredOutput, thumbnailKeyOf } from '../record/task.ts';
import type { ViewRow } from '../record/task-columns.ts';
import {
  basisOf,
  deliveryOf,
  engineOf,
  failureOf,
  inputOf,
  linesOf,
  metadataOf,
  outputsOf,
  routeOf,
  simulateOf,
  viewModels,
  warningsOf,
} from '../record/task-json.ts';
import type { GroupPlace } from '../tasks/task-hooks.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { offeredActions } from './action-offers.ts';
import { type FoundDelay, viewDelay } from './task-delay.ts';

/** Whether the caller of a failed task may order again. */
const RETRY: Readonly<Record<TaskFailure['code'], 'never' | 'new_order'>> = {
  content_policy: 'never',
  invalid_input: 'never',
  upstream_error: 'new_order',
  upstream_billing: 'new_order',
  upstream_auth: 'new_order',
  timeout: 'new_order',
  outcome_unknown: 'new_order',
  storage_error: 'new_order',
  parent_failed: 'new_order',
};

/** Failures that the operator must mend, unless the order used the customer's own upstream key. */
const OF_THE_OPERATOR: readonly TaskFailure['code'][] = ['upstream_auth', 'upstream_billing'];
/** Age from which an order tells that it waits for its turn: most orders begin at once. */
const TURN_AFTER_MS = 2_000;
const UNREACHABLE = 'The service cannot reach this model now. Nothing was charged.';

/** Parsed JSON columns of a row and data of other tables, from the code that has just written or read them. */
export interface WrittenJson {
  readonly input: JsonObject;
  /** Lines of the price. Null = those of the row. */
  readonly lines: readonly QuoteLine[] | null;
  /** Outputs. Absent = those of the row. */
  readonly outputs?: readonly StoredOutput[];
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly simulate?: Simulate | null;
  /** Engine of its route. */
  readonly engine?: string;
  /** Tasks that it waits for; absent = none. */
  readonly waitingFor?: readonly string[] | undefined;
  /** Place of the task in its group; absent = in no group. */
  readonly group?: GroupPlace | undefined;
}

/** The services that show a task. */
export type ViewServices = Pick<
  TaskServices,
  'catalog' | 'clock' | 'hooks' | 'obstacles' | 'parentGate' | 'routing' | 'settings' | 'signer' | 'typicalSeconds'
>;

/** Returns the address at which a task is retrieved. */
export function addressOf(
  { publicUrl }: Pick<TaskServices['settings'], 'publicUrl'>,
  type: ViewRow['type'],
  taskId: string,
): string {
  return flatText(publicUrl, `/v1/${type}s/`, taskId);
}

/** Reads the tasks that each of these orders waits for. If none waits, it reads nothing. */
export async function readWaitingFor(
  { parentGate }: Pick<TaskServices, 'parentGate'>,
  session: Session,
  rows: readonly Pick<ViewRow, 'id' | 'gates'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const waiting = rows.filter((row) => isClosed(row, 'parent')).map(({ id }) => id);
  return waiting.length === 0 || parentGate === null ? new Map() : await parentGate.waitingFor(session, waiting);
}

/** Reads the groups of orders, by order. If none is of a group, it reads nothing. */
export async function readGroups(
  { hooks }: Pick<TaskServices, 'hooks'>,
  session: Session,
  rows: readonly Pick<ViewRow, 'id' | 'line'>[],
): Promise<ReadonlyMap<string, GroupPlace>> {
  const ids = rows.filter(({ line }) => line === 1).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await Promise.all(hooks.map(async ({ groupsOf }) => [...((await groupsOf?.(session, ids)) ?? [])]));
  return new Map(found.flat());
}

/** Shows tasks of a list, without their positions in the queue. */
export async function viewTasks(
  services: ViewServices,
  key: OrderingKey,
  session: Session,
  rows: readonly ViewRow[],
): Promise<TaskView[]> {
  const [waitingFor, groups] = await Promise.all([
    readWaitingFor(services, session, rows),
    readGroups(services, session, rows),
  ]);
  return rows.map((row) => {
    const beside = { waitingFor: waitingFor.get(row.id), group: groups.get(row.id) };
    return viewTask(services, key, row, null, beside);
  });
}

export function viewTask(
  services: ViewServices,
  key: OrderingKey,
  row: ViewRow,
  queuePosition: number | null,
  written: Partial<WrittenJson> = {},
): TaskView {
  const self = addressOf(services.settings, row.type, row.id);
  const input = written.input ?? inputOf(row);
  const outputs = written.outputs ?? outputsOf(row);
  const final = isFinal(row.status);
  const delivery = row.deliver_json === null ? null : deliveryOf(row);
  const { engine, simulate } = written;
  const open = final
    ? null
    : { engine: engine ?? engineOf(row), simulate: simulate === undefined ? simulateOf(row) : simulate };
  const { waitingFor, group } = written;
  return {
    task_id: row.id,
    type: row.type,
    status: row.status,
    progress: row.progress,
    queue_position: queuePosition,
    estimated_seconds: open === null ? null : estimateSeconds(services, row, open),
    revision: row.revision,
    model_id: row.model_id,
    ...(row.route_json.includes(NAMES_SEVERAL) ? viewModels(row) : {}),
    action: row.action,
    parent_task_id: row.parent_task_id,
    ...(waitingFor === undefined ? {} : { waiting_for: waitingFor }),
    ...(open === null ? {} : viewDelay(services, delayOf(services, row, open.engine), open.engine)),
    batch_id: group?.id ?? null,
    batch_name: group?.name ?? null,
    input,
    outputs: outputs.map((output) => viewOutput(services, output, flatText(self, '/content'))),
    ...(delivery === null ? {} : { deliveries: delivery.deliveries }),
    error: row.error_json === null ? null : viewFailure(failureOf(row), engine ?? engineOf(row)),
    ...(row.warnings_json === null ? {} : { warnings: warningsOf(row) }),
    cost: {
      state: stateOf(row),
      amount: formatMicros(final ? (row.charged ?? 0) : row.price),
      ...(row.refunded === null ? {} : { refunded: formatMicros(row.refunded) }),
      quoted: formatMicros(row.price),
      currency: 'USD',
      ...basisOf(row.price_list, row.route_json),
      lines: written.lines ?? latestLines(row),
    },
    available_actions:
      row.status === 'succeeded' && row.erased_at === null ? offeredActions(services, key, row, outputs[0]) : [],
    can_cancel:
      open !== null && (row.status === 'queued' || row.step === 'deferred' || services.routing.canCancel(open.engine)),
    cancel_requested_at: isoTime(row.cancel_requested_at),
    end_user: row.end_user_sent ?? row.end_user,
    metadata: written.metadata ?? metadataOf(row),
    mode: row.mode,
    created_at: isoTime(row.created_at),
    started_at: isoTime(row.started_at),
    completed_at: isoTime(row.completed_at),
    deadline_at: isoTime(row.deadline_at),
    expires_at: isoTime(row.expires_at),
    urls: {
      self,
      cancel: flatText(self, '/cancel'),
      ...(services.settings.showsEvents ? { events: services.signer.signEvents(row.type, row.id) } : {}),
    },
  };
}

/** Parts of the stored JSON that only the view of an open task reads. */
interface OpenPart {
  readonly engine: string;
  readonly simulate: Simulate | null;
}

function stateOf({ status, refunded }: Pick<ViewRow, 'status' | 'refunded'>): TaskView['cost']['state'] {
  if (!isFinal(status)) return 'held';
  return refunded !== null ? 'refunded' : status === 'succeeded' ? 'charged' : 'released';
}

let latest: { readonly text: string; readonly lines: readonly QuoteLine[] } = { text: '[]', lines: [] };

/** Parses the lines of a row. Tasks of one page usually cost the same, so equal lines are parsed once. */
function latestLines(row: Pick<ViewRow, 'lines_json'>): readonly QuoteLine[] {
  if (row.lines_json !== latest.text) latest = { text: row.lines_json, lines: linesOf(row) };
  return latest.lines;
}

/** Shows a failure. What an upstream says of the operator's key or account is no fault of the customer. */
function viewFailure(failure: TaskFailure | null, engine: string): TaskView['error'] {
  if (failure === null) return null;
  const { code, message, final } = failure;
  const isOperators = OF_THE_OPERATOR.includes(code) && !isKeyed(engine);
  return {
    code,
    message: isOperators ? `${UNREACHABLE} The upstream said: ${message}` : message,
    retry: final === true ? 'never' : RETRY[code],
    charged: false,
  };
}

function viewOutput(services: Pick<TaskServices, 'signer'>, output: StoredOutput, contentUrl: string): OutputView {
  const signed = services.signer.sign(output.key);
  const thumbnailKey = thumbnailKeyOf(output);
  return {
    url: signed.url,
    url_expires_at: isoTime(signed.expiresAt),
    content_url: contentUrl,
    content_type: output.contentType,
    bytes: output.bytes,
    width: output.width,
    height: output.height,
    duration_seconds: output.durationSeconds,
    fps: output.fps,
    has_audio: output.hasAudio,
    sha256: output.sha256,
    thumbnail_url: thumbnailKey === null ? null : services.signer.sign(thumbnailKey).url,
    preview_url: output.previewKey === undefined ? null : services.signer.sign(output.previewKey).url,
    provenance: output.provenance ?? { state: 'none', standard: null },
    tiles: output.tiles,
    seed: output.seed,
    revised_prompt: output.revisedPrompt,
    ...(output.explanation === undefined ? {} : { explanation: output.explanation }),
  };
}

/** Returns why an open order waits, of several reasons the one that lasts longest; null = it goes on. */
export function delayOf(
  { clock, routing, obstacles }: Pick<TaskServices, 'clock' | 'routing' | 'obstacles'>,
  row: ViewRow,
  engine: string,
): FoundDelay | null {
  const storageSince = obstacles.storageAwaySince();
  const storage: FoundDelay | null = storageSince === null ? null : { code: 'storage', since: storageSince };
  if (row.started_at !== null && row.step !== 'deferred') return storage;
  const since = row.created_at;
  const isGated = row.gates !== 0;
  if (isGated && isClosed(row, 'parent')) return { code: 'parent', since };
  if (isGated && isClosed(row, 'batch')) return { code: 'batch', since };
  const heldSince = obstacles.heldSince();
  if (heldSince !== null) return { code: 'held', since: heldSince };
  if (isGated && isClosed(row, 'reference')) return { code: 'inputs', since };
  if (isGated && isClosedByAddition(row)) return { code: 'step', since };
  const isRefused = row.step === 'deferred' || (isGated && isClosed(row, 'route'));
  const route = isRefused ? routeOf(row) : null;
  const obstacle = routing.obstacleOf(row.model_id, engine, route?.model ?? null);
  if (obstacle !== null) return obstacle;
  if (obstacles.isSpoolAway(engine)) return { code: 'storage' };
  if (storage !== null) return storage;
  if (obstacles.hasNoWorker()) return { code: 'no_process' };
  if (route !== null) return { code: 'upstream_declined', since: route.refused_at ?? null, retryAt: row.next_at };
  if (row.step !== 'waiting' || clock.now() - since < TURN_AFTER_MS) return null;
  return { code: row.claimable === 0 ? 'key_limit' : 'turn', since };
}

/**
 * Returns the seconds from now to the end: by the engine's estimate, else by this model's earlier durations, less the
 * time that has passed; null if neither is known.
 */
function estimateSeconds(
  services: Pick<TaskServices, 'clock' | 'settings' | 'typicalSeconds'>,
  row: ViewRow,
  { engine, simulate }: OpenPart,
): number | null {
  // The durations of the tasks that it waits for are not known.
  if (simulate?.outcome === 'stuck' || isClosed(row, 'parent')) return null;
  const now = services.clock.now();
  if (row.step === 'running' && row.estimated_end_at !== null && row.estimated_end_at > now)
    return Math.max(1, Math.ceil((row.estimated_end_at - now) / 1000));
  if ((services.settings.windowOf?.(engine) ?? 0) > 0) return null;
  const typical = services.typicalSeconds.of(row.model_id, row.mode);
  if (typical === null) return null;
  const passed = row.started_at === null ? 0 : (now - row.started_at) / 1000;
  return Math.max(1, Math.ceil(typical.p50 + (simulate?.seconds ?? 0) - passed));
}
