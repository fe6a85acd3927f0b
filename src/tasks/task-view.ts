import type { OrderingKey } from '../accounts/api-key.ts';
import type { JsonObject } from '../base/canonical-json.ts';
import { isoTime } from '../base/clock.ts';
import { formatMicros } from '../base/money.ts';
import type { QuoteLine } from '../catalog/model.ts';
import type { Simulate, TaskFailure } from '../engines/engine.ts';
import { type ActionOffer, offeredActions } from './action-offers.ts';
import type { Desk } from './desk.ts';
import { isFinal, type StoredOutput, type TaskRow, type TaskStatus } from './task.ts';

/** A task as the wire shows it (contract §6). A row is never a response. */
export interface TaskView {
  readonly task_id: string;
  readonly type: 'image' | 'video';
  readonly status: TaskStatus;
  readonly progress: number;
  readonly queue_position: number | null;
  readonly estimated_seconds: number | null;
  readonly revision: number;
  readonly model_id: string;
  readonly action: string | null;
  readonly parent_task_id: string | null;
  readonly input: JsonObject;
  readonly outputs: readonly OutputView[];
  readonly error: (TaskFailure & { readonly retry: 'never' | 'new_order'; readonly charged: false }) | null;
  readonly cost: {
    readonly state: 'held' | 'charged' | 'released';
    readonly amount: string;
    readonly quoted: string;
    readonly currency: 'USD';
    readonly lines: readonly QuoteLine[];
  };
  readonly available_actions: readonly ActionOffer[];
  readonly can_cancel: boolean;
  readonly cancel_requested_at: string | null;
  readonly end_user: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly mode: 'live' | 'test';
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly deadline_at: string;
  readonly expires_at: string;
  readonly urls: { readonly self: string; readonly cancel: string; readonly events: string };
}

export interface OutputView {
  readonly url: string;
  readonly url_expires_at: string;
  readonly content_url: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_seconds: number | null;
  readonly fps: number | null;
  readonly has_audio: boolean | null;
  readonly sha256: string;
  readonly thumbnail_url: string | null;
  readonly preview_url: string | null;
  readonly tiles: number | null;
  readonly seed: number | null;
  readonly revised_prompt: string | null;
  readonly explanation?: readonly string[];
}

/** The columns that a view is made of. */
export const VIEW_COLUMNS = [
  'id',
  'type',
  'mode',
  'status',
  'step',
  'progress',
  'revision',
  'model_id',
  'action',
  'parent_task_id',
  'end_user',
  'metadata_json',
  'input_json',
  'request_json',
  'outputs_json',
  'error_json',
  'price',
  'charged',
  'lines_json',
  'simulate_json',
  'route_json',
  'queue',
  'rank',
  'claimable',
  'estimated_end_at',
  'created_at',
  'started_at',
  'completed_at',
  'deadline_at',
  'expires_at',
  'cancel_requested_at',
  'erased_at',
  'deleted_at',
] as const satisfies readonly (keyof TaskRow)[];
export type ViewRow = Pick<TaskRow, (typeof VIEW_COLUMNS)[number]>;

/** What a failed task's caller may do about it. */
const RETRY: Readonly<Record<TaskFailure['code'], 'never' | 'new_order'>> = {
  content_policy: 'never',
  invalid_input: 'never',
  upstream_error: 'new_order',
  upstream_billing: 'new_order',
  upstream_auth: 'new_order',
  timeout: 'new_order',
  outcome_unknown: 'new_order',
  storage_error: 'new_order',
};

/** What a row's JSON says, for those who wrote it a moment ago. */
export interface WrittenJson {
  readonly input: JsonObject;
  readonly lines: readonly QuoteLine[];
}

export function viewTask(
  desk: Desk,
  key: OrderingKey,
  row: ViewRow,
  queuePosition: number | null,
  written: WrittenJson | null = null,
): TaskView {
  const self = `${desk.settings.publicUrl}/v1/${row.type}s/${row.id}`;
  const input = written?.input ?? (JSON.parse(row.input_json) as JsonObject);
  const outputs = row.outputs_json === '[]' ? [] : (JSON.parse(row.outputs_json) as StoredOutput[]);
  const final = isFinal(row.status);
  return {
    task_id: row.id,
    type: row.type,
    status: row.status,
    progress: row.progress,
    queue_position: queuePosition,
    estimated_seconds: final ? null : estimateSeconds(desk, row),
    revision: row.revision,
    model_id: row.model_id,
    action: row.action,
    parent_task_id: row.parent_task_id,
    input,
    outputs: outputs.map((output) => viewOutput(desk, output, `${self}/content`)),
    error: row.error_json === null ? null : viewFailure(JSON.parse(row.error_json) as TaskFailure),
    cost: {
      state: !final ? 'held' : row.status === 'succeeded' ? 'charged' : 'released',
      amount: formatMicros(final ? (row.charged ?? 0) : row.price),
      quoted: formatMicros(row.price),
      currency: 'USD',
      lines: written?.lines ?? (JSON.parse(row.lines_json) as QuoteLine[]),
    },
    available_actions:
      row.status === 'succeeded' && row.erased_at === null ? offeredActions(desk, key, row, outputs[0]) : [],
    can_cancel: !final && (row.status === 'queued' || row.step === 'deferred' || desk.routing.canCancel(engineOf(row))),
    cancel_requested_at: isoTime(row.cancel_requested_at),
    end_user: row.end_user,
    metadata: row.metadata_json === '{}' ? {} : (JSON.parse(row.metadata_json) as Record<string, string>),
    mode: row.mode,
    created_at: isoTime(row.created_at),
    started_at: isoTime(row.started_at),
    completed_at: isoTime(row.completed_at),
    deadline_at: isoTime(row.deadline_at),
    expires_at: isoTime(row.expires_at),
    urls: { self, cancel: `${self}/cancel`, events: desk.signer.signEvents(row.type, row.id) },
  };
}

/** The engine that a task's frozen route names. */
export function engineOf(row: Pick<TaskRow, 'route_json'>): string {
  return (JSON.parse(row.route_json) as { engine: string }).engine;
}

function viewFailure(failure: TaskFailure): TaskView['error'] {
  return { code: failure.code, message: failure.message, retry: RETRY[failure.code], charged: false };
}

function viewOutput(desk: Desk, output: StoredOutput, contentUrl: string): OutputView {
  const signed = desk.signer.sign(output.key);
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
    thumbnail_url: output.thumbnailKey === null ? null : desk.signer.sign(output.thumbnailKey).url,
    preview_url: output.previewKey === undefined ? null : desk.signer.sign(output.previewKey).url,
    tiles: output.tiles,
    seed: output.seed,
    revised_prompt: output.revisedPrompt,
    ...(output.explanation === undefined ? {} : { explanation: output.explanation }),
  };
}

/**
 * Seconds from now to the end: what its engine says, else what this model took before, less what has passed; null where neither is known.
 */
function estimateSeconds(desk: Desk, row: ViewRow): number | null {
  const simulated = row.simulate_json === null ? null : (JSON.parse(row.simulate_json) as Simulate);
  if (simulated?.outcome === 'stuck') return null;
  const now = desk.clock.now();
  if (row.step === 'running' && row.estimated_end_at !== null && row.estimated_end_at > now)
    return Math.max(1, Math.ceil((row.estimated_end_at - now) / 1000));
  const typical = desk.typicalSeconds.of(row.model_id, row.mode);
  if (typical === null) return null;
  const passed = row.started_at === null ? 0 : (now - row.started_at) / 1000;
  return Math.max(1, Math.ceil(typical.p50 + (simulated?.seconds ?? 0) - passed));
}
