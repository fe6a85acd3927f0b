import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { OutputPlan } from '@darkroom-service/contract/catalog';

/** Maximum memory of a painter process; its guard ends it beyond that. */
export const PAINTER_MEMORY_BYTES = 2 * 2 ** 30;

/** A job for a painter process. Plain JSON, since it is sent to another process. */
export interface PaintJob {
  /** Path of the file to write. It must not exist yet. */
  readonly path: string;
  readonly output: OutputPlan;
  readonly seed: number;
  /** The action; null for a plain create. */
  readonly action: string | null;
  readonly values: JsonObject;
  readonly media: readonly PaintMedia[];
  readonly parent: PaintParent | null;
  readonly testMark: boolean;
  /** Whether to return the interpretation of the prompt. */
  readonly explain?: boolean;
}

export interface PaintMedia {
  readonly field: string;
  /** The field's role in the catalog. */
  readonly role?: string;
  /** Duration of a film or sound, in seconds. */
  readonly durationSeconds?: number | null;
  readonly kind: 'image' | 'video' | 'audio';
  readonly contentType: string;
  readonly path: string;
}

/** The parent of a follow-up action. */
interface PaintParent {
  /** The plan that the painter returned for the parent; null if none was kept. */
  readonly keep: JsonValue;
  /** The parent's own values and seed, from which its scene is composed again if no plan was kept. */
  readonly values: JsonObject;
  readonly seed: number;
  readonly tiles: 4 | null;
  readonly picture: PaintMedia;
}

export interface PaintResult {
  /** The plan that follow-up actions need. */
  readonly keep: JsonValue;
  /** Sentences on the interpretation of the prompt, if the job asks for them. */
  readonly explanation?: readonly string[];
}

export type PainterMessage =
  /** The painter's program runs: jobs may be sent. */
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly progress: number }
  | {
      readonly type: 'done';
      readonly result: PaintResult /** Bytes that the process holds now. */;
      readonly memory: number;
    }
  | {
      readonly type: 'failed' /** `system`: the disk or another part of the machine, which may be better later. */;
      readonly kind: PaintFaultKind | 'system';
      readonly message: string;
      /** The fault of this machine, if it is one: its code. */
      readonly code?: string;
    };

type PaintFaultKind = 'invalid_input' | 'impossible' | 'time_limit';

/** A job that cannot be done, now or later. */
export class PaintFault extends Error {
  readonly kind: PaintFaultKind;

  constructor(kind: PaintFaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PaintFault';
    this.kind = kind;
  }
}

/** The painter of a job was lost, or the pool is closing. The job is not at fault: it may be painted again. */
export class PainterFault extends Error {
  readonly kind: 'lost' | 'stopping';

  constructor(kind: PainterFault['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PainterFault';
    this.kind = kind;
  }
}
