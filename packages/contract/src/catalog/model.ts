import type { Fault } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { ActionName } from './actions.ts';
import type { Schema } from './describe-schema.ts';
import type { Entry } from './entry-schema.ts';
import type { Pricing, StatedCost } from './price-schema.ts';
import type { ImageRole, MediaRole } from './vocabulary.ts';

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
    | 'pricing'
  > {
  readonly vendor: string;
  /** The date on which the prices were read, as `2026-11` or `2026-11-25`; null if the price list does not say. */
  readonly prices_as_of: string | null;
  readonly aliases: readonly string[];
  /** The status now: it follows the dates. */
  readonly status: 'active' | 'paused' | 'deprecated' | 'retired';
  /** The date of deprecation; null if the entry has neither this nor a sunset. */
  readonly deprecated_at: string | null;
  readonly sunset_at: string | null;
  readonly replaced_by: string | null;
  readonly constraints: NonNullable<Entry['constraints']>;
  readonly actions: NonNullable<Entry['actions']>;
  readonly limits: NonNullable<Entry['limits']>;
  readonly notes: readonly string[];
  /** The price list, with components for each speed if an order can name one. */
  readonly pricing: Pricing;
  /** Computed at the model's first request. Not enumerable: a copy of a model has none. */
  readonly compiled: CompiledModel;
}

/** Data computed once per model, so that a request needs only look-ups and comparisons. */
export interface CompiledModel {
  readonly fields: FieldSet;
  readonly actions: ReadonlyMap<ActionName, FieldSet>;
  /** The parameters whose value is or has addresses that the vendor reads. */
  readonly vendorAddresses: readonly string[];
  /** The creates of which one has the lowest price, by the costs that it covers; filled as prices are searched. */
  readonly cheapest: Map<string, readonly ResolvedRequest[]>;
  /** Orders of each price and cost, by the stated cost of the route; filled as routes are searched. */
  readonly ordersAt: Map<StatedCost, readonly PricedBody[]>;
}

/** The parameters of a create, or of an action. */
export interface FieldSet {
  readonly parameters: ReadonlyMap<string, CompiledParameter>;
  /** The values of an empty request. */
  readonly defaults: Readonly<Record<string, JsonValue>>;
  readonly media: readonly MediaField[];
  /** The field of the images of each role that `image_roles` can name, in the sequence of `IMAGE_ROLES`. */
  readonly imageRoles: ReadonlyMap<ImageRole, MediaField>;
  readonly lists: readonly ListField[];
  readonly conflicts: readonly FieldConflict[];
  /** The names, joined by commas, for messages. */
  readonly names: string;
}

export interface CompiledParameter {
  readonly name: string;
  readonly default: JsonValue;
  readonly check: ParameterCheck;
}

/** Checks one value, adds faults to `faults`, and returns the value in the entry's own spelling. */
export type ParameterCheck = (value: JsonValue, path: string, faults: Fault[]) => JsonValue;

/** A parameter that contains pictures, videos or sounds. */
export interface MediaField {
  readonly name: string;
  readonly kind: 'image' | 'video' | 'audio';
  readonly role: MediaRole;
  readonly schema: Schema;
  readonly list: boolean;
}

export interface ListField {
  readonly name: string;
  readonly countName: string;
  /** Items are objects with a `duration` in seconds. */
  readonly timed: boolean;
}

/** Two fields that determine one property of the result, so that only one of them may be sent. */
export interface FieldConflict {
  readonly name: string;
  readonly other: string;
  readonly what: 'the size' | 'a frame';
}

/** An order that costs more at a route's upstream than the catalog's price, in micro-dollars. */
export interface BelowCost {
  /** Fields of an example order, in addition to the prompt. */
  readonly example: JsonObject;
  readonly price: number;
  readonly cost: number;
  /** The length of the video; null for a picture. */
  readonly seconds: number | null;
  /** Whether each order there costs more than its price. */
  readonly isEveryOrder: boolean;
}

/** An order with its price and its cost at a route's upstream by the catalog, in micro-dollars. */
export interface PricedBody {
  readonly body: JsonObject;
  readonly price: number;
  /** The cost at the route in micro-dollars; null if the route states none for such an order. */
  readonly cost: number | null;
  readonly request: ResolvedRequest;
}

/** An engine of the operator whose costs count for prices: it is on, and open to all accounts. */
export interface PricedEngine {
  readonly name: string;
  /** The engine that catalog routes name, such as `fal`. */
  readonly kind: string;
  /** The operator's costs as a share of the routes' stated costs: a decimal such as `"0.9"`. */
  readonly multiplier: string;
  readonly isFree: boolean;
  /** Whether it takes only routes that translate the request. */
  readonly needsParameters: boolean;
  /** The upstream models that it takes; null = all. */
  readonly models: readonly string[] | null;
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
  /** Duration; null for pictures. */
  readonly durationSeconds: number | null;
  readonly fps: number | null;
  readonly audio: boolean;
  readonly tiles: 4 | null;
}

/** Medium of a request, as sent: a URL, a data URI, `upload:<file_id>` or `task:<task_id>`. */
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
  /** The action; null for a plain create. */
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
    /** A fee in micro-dollars in addition to the sum, for an order with the account's own upstream key. */
    readonly fixed?: number;
    /** The route whose cost is the price, because the list price is lower; absent = the list price counts. */
    readonly route?: PricedRoute;
  };
  /** The caller's consent to dearer routes; absent = no route may cost more than `amount`. */
  readonly consent?: DearerConsent;
  /** The amount that an order of several models holds, in micro-dollars: the price at the dearest. */
  readonly hold?: number;
}

/** A caller's consent to routes whose costs are above the amount of a quote. */
export interface DearerConsent {
  /** The price at the dearest of these routes, in micro-dollars, which the order holds; at least the quote's amount. */
  readonly highest: number;
  /** Multiplier of the routes' costs: that of the account, at least 1. */
  readonly share: string;
}

/** A route by whose cost an order is priced. */
export interface PricedRoute {
  /** The kind of its engine. */
  readonly engine: string;
  /** The upstream's name of the model; null if the engine has one. */
  readonly model: string | null;
}

export interface QuoteLine {
  readonly description: string;
  readonly unit: string;
  readonly quantity: string;
  readonly unit_price: string;
  readonly amount: string;
}
