import type { Selectable } from 'kysely';
import type { MediaMeasurement } from '../catalog/model.ts';
import type { TasksTable } from '../database/schema.ts';

/**
 * A task's life, written down once. `status` is what clients see, `step` where the work stands.
 *
 *     queued      waiting     in the fair queue; until its references are fetched (`fetch_at`) it cannot be claimed for its engine
 *     queued      preparing   claimed: media are measured and moderation is asked
 *     processing  submitting  written before the engine is called: after a crash nobody knows whether the order arrived
 *     processing  deferred    the engine certainly did not take it; it is offered again later
 *     processing  running     the engine has it, its operation is stored; it is asked when `next_at` has come
 *     processing  collecting  the result is known and on its way into our storage
 *     (final)     final       succeeded, failed or canceled: settled, and never changed again
 *
 * `processing` begins with the commit of `submitting` and never goes back to `queued`.
 */
export type TaskStatus = TasksTable['status'];
export type TaskStep = TasksTable['step'];
export type TaskRow = Selectable<TasksTable>;

const LEGAL_STEPS: Readonly<Record<TaskStep, readonly TaskStep[]>> = {
  waiting: ['preparing', 'final'],
  preparing: ['waiting', 'submitting', 'final'],
  submitting: ['running', 'deferred', 'collecting', 'final'],
  deferred: ['submitting', 'final'],
  running: ['collecting', 'final'],
  collecting: ['running', 'deferred', 'final'],
  final: [],
};

const STATUS_OF_STEP: Readonly<Record<Exclude<TaskStep, 'final'>, 'queued' | 'processing'>> = {
  waiting: 'queued',
  preparing: 'queued',
  submitting: 'processing',
  deferred: 'processing',
  running: 'processing',
  collecting: 'processing',
};

/** The steps from which a task may come to a step: the guard of every update of one. */
export function stepsBefore(step: TaskStep): TaskStep[] {
  return (Object.keys(LEGAL_STEPS) as TaskStep[]).filter((from) => LEGAL_STEPS[from].includes(step));
}

export function statusOfStep(step: Exclude<TaskStep, 'final'>): 'queued' | 'processing' {
  return STATUS_OF_STEP[step];
}

export function isFinal(status: TaskStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}

/** A medium of a task: where it comes from, and what it is once it lies in our storage. */
export interface TaskMedia {
  readonly field: string;
  readonly index: number;
  readonly kind: 'image' | 'video' | 'audio';
  /** Null where the medium was ours from the start. */
  readonly url: string | null;
  readonly stored: StoredMedia | null;
}

/** Whether a medium must be fetched before its order can be made. */
export function isUnfetched(medium: TaskMedia): medium is TaskMedia & { readonly url: string } {
  return medium.stored === null && medium.url !== null;
}

export interface StoredMedia {
  readonly key: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
  readonly hasAudio: boolean | null;
}

/** One output as the row keeps it. */
export interface StoredOutput extends StoredMedia {
  readonly sha256: string;
  readonly fps: number | null;
  readonly thumbnailKey: string | null;
  /** Of a film, and not where an older version stored it. */
  readonly previewKey?: string;
  readonly tiles: number | null;
  readonly seed: number | null;
  readonly revisedPrompt: string | null;
  readonly explanation?: readonly string[];
}

/** Where a file of a task lies. The fence keeps a late worker from overwriting what a later one stored. */
export function taskFileKey(taskId: string, fence: number, name: string): string {
  return `tasks/${taskId.slice(-2)}/${taskId}/${fence}-${name}`;
}

/** The task that a file of ours belongs to; null for other files. */
export function taskOfFileKey(key: string): string | null {
  return /^tasks\/[^/]+\/((?:img|vid)_[^/]+)\//.exec(key)?.[1] ?? null;
}

/** The engine that a task's frozen route names. */
export function engineOf(row: Pick<TaskRow, 'route_json'>): string {
  return (JSON.parse(row.route_json) as { engine: string }).engine;
}

/** What is known of the media that lie in our storage. */
export function measurementsOf(media: readonly TaskMedia[]): MediaMeasurement[] {
  return media.flatMap(({ field, index, stored }) =>
    stored === null
      ? []
      : [{ field, index, width: stored.width, height: stored.height, durationSeconds: stored.durationSeconds }],
  );
}
