import type { OutputView } from '@darkroom-service/contract';
import type { MediaMeasurement } from '@darkroom-service/contract/catalog';
import type { Splice } from '@darkroom-service/media/structure';
import type { Selectable } from 'kysely';
import type { TasksTable } from '../database/schema.ts';

/**
 * The states of a task. Clients see `status`; `step` is the internal state.
 *
 *     queued      waiting     in the fair queue, or on the way there; claimable once its gates are open (gates.ts)
 *     queued      preparing   claimed: media are measured and interceptors are asked
 *     processing  submitting  written before the engine is called; after a crash the order may have arrived
 *     processing  deferred    the engine certainly did not accept it; it is submitted again later
 *     processing  running     the engine has it and its operation is stored; it is checked at `next_at`
 *     (final)     final       succeeded, failed or canceled: settled, and never changed again
 *
 * An order that this process could claim at once may be placed as `submitting` (src/worker/immediate-start.ts).
 *
 * `processing` begins with the commit of `submitting` and never goes back to `queued`.
 */
export type TaskStatus = TasksTable['status'];
export type TaskStep = TasksTable['step'];
/** A row of `tasks` as it is read. */
export type TaskRow = Selectable<TasksTable>;

const LEGAL_STEPS: Readonly<Record<TaskStep, readonly TaskStep[]>> = {
  waiting: ['preparing', 'final'],
  preparing: ['waiting', 'submitting', 'final'],
  submitting: ['running', 'deferred', 'final'],
  deferred: ['submitting', 'final'],
  running: ['deferred', 'final'],
  final: [],
};

const STATUS_OF_STEP: Readonly<Record<Exclude<TaskStep, 'final'>, 'queued' | 'processing'>> = {
  waiting: 'queued',
  preparing: 'queued',
  submitting: 'processing',
  deferred: 'processing',
  running: 'processing',
};

/** Returns the steps from which a task may reach a step. Every update checks this. */
export function stepsBefore(step: TaskStep): TaskStep[] {
  return (Object.keys(LEGAL_STEPS) as TaskStep[]).filter((from) => LEGAL_STEPS[from].includes(step));
}

export function statusOfStep(step: Exclude<TaskStep, 'final'>): 'queued' | 'processing' {
  return STATUS_OF_STEP[step];
}

/** Tells whether a task with this status has ended. */
export function isFinal(status: TaskStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}

/** A medium of a task: its source, and its properties once it is in our storage. */
export interface TaskMedia {
  readonly field: string;
  readonly index: number;
  readonly kind: 'image' | 'video' | 'audio';
  /** The external source; null if the medium was in our storage from the start. */
  readonly url: string | null;
  readonly stored: StoredMedia | null;
  /** The output that a blocked order waits for, until it is there. */
  readonly awaited?: AwaitedOutput;
  /** Whether a client token ordered a medium that will be stored: it must fit into the share of the end user. */
  readonly isOfClient?: true;
}

/** An output that a request refers to and that must be made or cut out first. */
export interface AwaitedOutput {
  readonly taskId: string;
  /** The tile of a grid or the output, counted from 1; null = the first output. */
  readonly number: number | null;
  /** The size and length that the output will have; null if they are not certain. */
  readonly expected: Expected | null;
}

export interface Expected {
  readonly width: number;
  readonly height: number;
  /** Duration; null for pictures. */
  readonly durationSeconds: number | null;
}

/** Tells whether a medium must be fetched before its order can be submitted. */
export function isUnfetched(medium: TaskMedia): medium is TaskMedia & { readonly url: string } {
  return medium.stored === null && medium.url !== null;
}

/** A file in storage that an order uses. */
export interface StoredMedia {
  readonly key: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
  readonly hasAudio: boolean | null;
}

/** An output as the row stores it. */
export interface StoredOutput extends StoredMedia {
  readonly sha256: string;
  readonly fps: number | null;
  /** The key of a video's thumbnail; that of a picture follows from its own key (`thumbnailKeyOf`). */
  readonly thumbnailKey: string | null;
  /** Whether a picture has more pixels than are decoded, so that it has no thumbnail. */
  readonly isOversized?: true;
  /** Whether a picture has no alpha although a transparent background was ordered. */
  readonly isOpaque?: true;
  /** The key of a video's preview. */
  readonly previewKey?: string;
  readonly tiles: number | null;
  readonly seed: number | null;
  readonly revisedPrompt: string | null;
  readonly explanation?: readonly string[];
  /** Whether the engine stored data of its own with the task, so that only this engine can follow up on it. */
  readonly isKept?: true;
  /** Marks of the output's origin; absent: nothing was marked. */
  readonly provenance?: OutputView['provenance'];
  /** Splices that make the delivered file out of the stored one; absent if both are the same. */
  readonly splices?: readonly Splice[];
}

export const THUMBNAIL = '-thumbnail.webp';

/** Range of an id's characters that give its time to 18 minutes: each further character is 32 times more precise. */
const TIME_OF_ID = [4, 10] as const;
/** Range of an id's characters that give its time to half a minute: folders of commit 9fd70113. */
const EARLIER_TIME_OF_ID = [4, 11] as const;

/**
 * Returns the storage key of a task's file. The fence in it prevents a late worker from overwriting newer files. Tasks
 * of the same 18 minutes share a directory, so that there are few.
 */
export function taskFileKey(taskId: string, fence: number, name: string): string {
  return `tasks/${taskId.slice(...TIME_OF_ID)}/${taskId}-${fence}-${name}`;
}

/** Returns the prefixes of a task's storage keys: the current one, and that of commit 9fd70113. */
export function taskFilePrefixes(taskId: string): readonly string[] {
  return [TIME_OF_ID, EARLIER_TIME_OF_ID].map((range) => `tasks/${taskId.slice(...range)}/${taskId}-`);
}

/** Returns the task of a storage key; null for other keys. */
export function taskOfFileKey(key: string): string | null {
  return /^tasks\/[^/]+\/((?:img|vid)_[^/-]+)-/.exec(key)?.[1] ?? null;
}

/**
 * Returns the storage key of an output's thumbnail, which for a picture may have to be made first; null if it has none.
 */
export function thumbnailKeyOf({ key, contentType, thumbnailKey, isOversized }: StoredOutput): string | null {
  if (thumbnailKey !== null || isOversized === true || !contentType.startsWith('image/')) return thumbnailKey;
  return `${key.replace(/\.[a-z0-9]+$/, '')}${THUMBNAIL}`;
}

/** Returns the measurements of the media in our storage, and of those whose size is certain before they are made. */
export function measurementsOf(media: readonly TaskMedia[]): MediaMeasurement[] {
  return media.flatMap(({ field, index, stored, awaited }) => {
    const known = stored ?? awaited?.expected ?? null;
    if (known === null) return [];
    return [{ field, index, width: known.width, height: known.height, durationSeconds: known.durationSeconds }];
  });
}

/** Tells whether the engine may have the order although no operation is stored by which to ask for it. */
export function isWithoutTrace(task: Pick<TaskRow, 'step'>): boolean {
  return task.step === 'submitting';
}
