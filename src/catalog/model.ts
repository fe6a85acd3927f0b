import type { JsonObject } from '../base/canonical-json.ts';
import type { Entry } from './entry-schema.ts';
import type { Pricing } from './price-schema.ts';

/** A checked catalog entry combined with the common properties of its file. Deeply frozen. */
export interface Model
  extends Omit<
    Entry,
    | 'aliases'
    | 'status'
    | 'deprecated_at'
    | 'sunset_at'
    | 'replaced_by'
    | 'constraints'
    | 'actions'
    | 'limits'
    | 'notes'
  > {
  readonly vendor: string;
  readonly aliases: readonly string[];
  readonly status: 'active' | 'paused' | 'deprecated' | 'retired';
  /** Null if the entry has neither this nor a sunset. */
  readonly deprecated_at: string | null;
  readonly sunset_at: string | null;
  readonly replaced_by: string | null;
  readonly constraints: NonNullable<Entry['constraints']>;
  readonly actions: NonNullable<Entry['actions']>;
  readonly limits: NonNullable<Entry['limits']>;
  readonly notes: readonly string[];
}

/** Values derived from a request; constraints and prices may use them like parameters. */
export type DerivedValues = { readonly [name: string]: string | number | boolean | null };

/**
 * The planned output. With the ratio `auto`, its sides depend on the first picture and are exact once references are
 * measured.
 */
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

/** The properties of a medium, measured after it was fetched. */
export interface MediaMeasurement {
  readonly field: string;
  readonly index: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
}

/** A request that the model accepts. Plain JSON, so that it can be stored with the task. */
export interface ResolvedRequest {
  readonly modelId: string;
  readonly type: 'image' | 'video';
  /** Null for a plain create. */
  readonly action: string | null;
  /**
   * All parameters of the model, or of the action: with defaults, in the entry's spelling; null = not sent and no
   * default.
   */
  readonly values: JsonObject;
  readonly derived: DerivedValues;
  readonly output: OutputPlan;
  readonly media: readonly MediaReference[];
}

/** A price, stored with a task and never changed. */
export interface Quote {
  readonly amount: number;
  /** False if the charge depends on media that must be measured first; `amount` is then the maximum. */
  readonly exact: boolean;
  readonly lines: readonly QuoteLine[];
  /** The basis for computing the charge if the quote is not exact, unaffected by later price changes. */
  readonly basis: {
    readonly pricing: Pricing;
    readonly multiplier: string;
    /** A fee in micro-dollars beside the sum, for an order with the account's own upstream key. */
    readonly fixed?: number;
  };
}

export interface QuoteLine {
  readonly description: string;
  readonly unit: string;
  readonly quantity: string;
  readonly unit_price: string;
  readonly amount: string;
}
