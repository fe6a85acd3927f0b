import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import type { OutputPlan } from '../../catalog/model.ts';

/** What a painter process is told: JSON, as it crosses to another process. */
export interface PaintJob {
  /** Where the file is written; nothing lies there yet. */
  readonly path: string;
  readonly output: OutputPlan;
  readonly seed: number;
  /** Null for a plain create. */
  readonly action: string | null;
  readonly values: JsonObject;
  readonly media: readonly PaintMedia[];
  readonly parent: PaintParent | null;
  readonly testMark: boolean;
  /** Whether to tell what was understood. */
  readonly explain?: boolean;
}

export interface PaintMedia {
  readonly field: string;
  /** As the catalog says of the field. */
  readonly role?: string;
  /** Of films and sounds. */
  readonly durationSeconds?: number | null;
  readonly kind: 'image' | 'video' | 'audio';
  readonly contentType: string;
  readonly path: string;
}

/** What a follow-up action works on. */
export interface PaintParent {
  /** As the painter handed it back for the parent; null when the parent kept nothing. */
  readonly keep: JsonValue;
  /** The parent's own wishes and seed, from which its scene is composed again when nothing was kept. */
  readonly values: JsonObject;
  readonly seed: number;
  readonly tiles: 4 | null;
  readonly picture: PaintMedia;
}

export interface PaintResult {
  /** What a follow-up action needs to know of the picture. */
  readonly keep: JsonValue;
  /** What was understood, in sentences, where that was asked. */
  readonly explanation?: readonly string[];
}

export type PainterMessage =
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
    };

export type PaintFaultKind = 'invalid_input' | 'impossible' | 'time_limit';

/** A job that cannot be done, now or later. */
export class PaintFault extends Error {
  readonly kind: PaintFaultKind;

  constructor(kind: PaintFaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PaintFault';
    this.kind = kind;
  }
}
