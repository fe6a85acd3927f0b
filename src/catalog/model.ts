import type { JsonObject } from '../base/canonical-json.ts';
import type { Entry, Pricing } from './entry-schema.ts';

/** A checked entry of the catalog with what its file says of all its models. Frozen. */
export interface Model
  extends Omit<
    Entry,
    'aliases' | 'status' | 'sunset_at' | 'replaced_by' | 'constraints' | 'actions' | 'limits' | 'notes'
  > {
  readonly vendor: string;
  readonly aliases: readonly string[];
  readonly status: 'active' | 'paused' | 'deprecated' | 'retired';
  readonly sunset_at: string | null;
  readonly replaced_by: string | null;
  readonly constraints: NonNullable<Entry['constraints']>;
  readonly actions: NonNullable<Entry['actions']>;
  readonly limits: NonNullable<Entry['limits']>;
  readonly notes: readonly string[];
}

/** What follows from a request besides its own fields; constraints and prices may name these like parameters. */
export type DerivedValues = { readonly [name: string]: string | number | boolean | null };

/** What will be delivered. Sides depend on the first picture where the ratio is `auto`: exact once references are measured. */
export interface OutputPlan {
  readonly format: 'png' | 'jpeg' | 'webp' | 'mp4' | 'webm';
  readonly width: number;
  readonly height: number;
  /** Null for pictures. */
  readonly durationSeconds: number | null;
  readonly fps: number | null;
  readonly audio: boolean;
  readonly tiles: 4 | null;
}

/** One medium of a request, as sent: a URL, a data URI, `upload:<file_id>` or `task:<task_id>`. */
export interface MediaReference {
  readonly field: string;
  readonly index: number;
  readonly kind: 'image' | 'video' | 'audio';
  readonly source: string;
}

/** What was found when a medium was fetched. */
export interface MediaMeasurement {
  readonly field: string;
  readonly index: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
}

/** A request that its model takes: JSON throughout, so that it can be stored with the task. */
export interface ResolvedRequest {
  readonly modelId: string;
  readonly type: 'image' | 'video';
  /** Null for a plain create. */
  readonly action: string | null;
  /** Every parameter of the model (of the action, for an action), defaults filled in, in the entry's spelling; null = not sent and no default. */
  readonly values: JsonObject;
  readonly derived: DerivedValues;
  readonly output: OutputPlan;
  readonly media: readonly MediaReference[];
}

/** A price, frozen with a task. */
export interface Quote {
  readonly amount: number;
  /** False where the charge depends on media that must be measured first; `amount` is then the most it can be. */
  readonly exact: boolean;
  readonly lines: readonly QuoteLine[];
  /** What the charge is computed from when it is not exact, untouched by later price changes. */
  readonly basis: { readonly pricing: Pricing; readonly multiplier: string };
}

export interface QuoteLine {
  readonly description: string;
  readonly unit: string;
  readonly quantity: string;
  readonly unit_price: string;
  readonly amount: string;
}
