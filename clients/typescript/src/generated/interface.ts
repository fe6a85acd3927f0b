/** Generated from the OpenAPI document of the service by `npm run client:types`. Do not edit. */

/** One line of a price. */
export interface PriceLine {
  /** What is charged, in words. */
  readonly description: string;
  /** The unit of the quantity, such as image or output_second. */
  readonly unit: string;
  /** A decimal string. */
  readonly quantity: string;
  /** US dollars per unit, as a decimal string. */
  readonly unit_price: string;
  /** US dollars, as a decimal string. */
  readonly amount: string;
}

/** A file that a task produced. */
export interface Output {
  /** Signed URL of the file. It works without a key until url_expires_at, at least a day. */
  readonly url: string;
  /** UTC, with milliseconds. */
  readonly url_expires_at: string;
  /** Permanent URL of the file. It needs the API key; store this one. */
  readonly content_url: string;
  readonly content_type: string;
  readonly bytes: number;
  /** Pixels. */
  readonly width: number | null;
  /** Pixels. */
  readonly height: number | null;
  /** Length of a video; null for an image. */
  readonly duration_seconds: number | null;
  /** Frames per second of a video; null for an image. */
  readonly fps: number | null;
  /** Whether a video has sound; null for an image. */
  readonly has_audio: boolean | null;
  /** SHA-256 of the file, in hex. */
  readonly sha256: string;
  /** Signed URL of a small WebP image. */
  readonly thumbnail_url: string | null;
  /** Signed URL of a small animated WebP made of a dozen frames; videos only. */
  readonly preview_url: string | null;
  /** Whether this service marked the file as made by a machine. */
  readonly provenance: { readonly state: 'marked' | 'kept' | 'none' | 'failed'; readonly standard: 'metadata' | 'c2pa' | null; readonly reason?: string | undefined };
  /** Number of tiles if the output is a grid. */
  readonly tiles: number | null;
  /** The seed that was used, if the engine reports it. */
  readonly seed: number | null;
  /** The prompt as the vendor rewrote it, if it did. */
  readonly revised_prompt: string | null;
  /** How the built-in test engine read the prompt. Only present if simulate.explain was true. */
  readonly explanation?: readonly string[] | undefined;
}

/** Why a task waits and what lets it go on. Present while it waits before an upstream has it, or for the storage; that it waits for its turn is told after 2 seconds. */
export interface TaskDelay {
  /** parent: it waits for other tasks (waiting_for). batch: its batch sends some orders at a time. held: the operator sends no orders. inputs: its input files are being fetched. step: a further step of the service comes first. model_paused, upstream_paused: the operator has paused the model or the upstream. upstream_refuses: the upstream refuses the credentials. upstream_away: the upstream fails. upstream_not_ready: it has not loaded the model. upstream_pause: it takes no orders for a moment. upstream_limit: a limit of the service for this upstream is reached. upstream_declined: the upstream has not accepted the order and is asked again. storage: results cannot be stored. no_process: no process of the service works on orders. key_limit: the key has as many orders in progress as it may. turn: orders before it use the upstream. More codes may follow. */
  readonly code: 'parent' | 'batch' | 'held' | 'inputs' | 'step' | 'model_paused' | 'upstream_paused' | 'upstream_refuses' | 'upstream_away' | 'upstream_not_ready' | 'upstream_pause' | 'upstream_limit' | 'upstream_declined' | 'storage' | 'no_process' | 'key_limit' | 'turn';
  /** Why it waits. */
  readonly message: string;
  /** What lets it go on, as the end of a sentence that begins with "It goes on when". */
  readonly ends_when: string;
  /** The kind of upstream that it waits for; null if it waits for something else. */
  readonly upstream: string | null;
  /** Since when this keeps it; null if that is not known. */
  readonly since: string | null;
  /** When it is tried again by itself; null if that depends on something else. */
  readonly retry_at: string | null;
}

/** Why a task failed. */
export interface TaskError {
  readonly code: 'content_policy' | 'invalid_input' | 'upstream_error' | 'upstream_billing' | 'upstream_auth' | 'timeout' | 'outcome_unknown' | 'storage_error' | 'parent_failed';
  readonly message: string;
  /** new_order: the same request may succeed as a new order. never: change the request first. */
  readonly retry: 'never' | 'new_order';
  /** A failed task is never charged. */
  readonly charged: false;
}

/** A way in which the result differs from what was ordered. */
export interface TaskWarning {
  /** smaller, shorter: less than was ordered came, and cost.amount is the price of that. silent: no sound came. other_ratio, other_format, no_grid: as named. opaque: a transparent background was ordered, and the file can have none. other_quality, other_model: the upstream says that it used these. further_outputs: more came than was ordered, and was left out. price_unchanged: no price is known for what came, so the quote was charged. */
  readonly code: 'smaller' | 'shorter' | 'other_ratio' | 'silent' | 'other_format' | 'no_grid' | 'opaque' | 'other_quality' | 'other_model' | 'further_outputs' | 'price_unchanged';
  /** The field of the order that it concerns. */
  readonly field: string;
  readonly ordered: string;
  readonly delivered: string;
}

/** A follow-up action that can be ordered on a finished task. */
export interface ActionOffer {
  /** Send it to POST /v1/images/actions with parent_task_id. On a video, send it to POST /v1/videos with source. */
  readonly action: string;
  /** The tool that the action orders. Absent if it is of the model of the task. */
  readonly model_id?: string | undefined;
  /** US dollars, at the defaults. If it depends on a medium that is missing, the maximum. */
  readonly price: string;
  /** JSON Schema of each field that the action accepts. */
  readonly parameters: { readonly [name: string]: unknown };
}

/** What a task costs. */
export interface Cost {
  /** held until the task is final; charged if it succeeded; released if it failed or was canceled; refunded if the operator gave the charge back. */
  readonly state: 'held' | 'charged' | 'released' | 'refunded';
  /** US dollars that are held or were charged; 0 if they were released or refunded. */
  readonly amount: string;
  /** US dollars that were given back. Absent otherwise. */
  readonly refunded?: string | undefined;
  /** US dollars that were held when the order was placed. The maximum charge. */
  readonly quoted: string;
  readonly currency: 'USD';
  /** list: the price list of the model. route_cost: what the cheapest configured route costs, because that is more. For an order with an upstream key of the account: list. */
  readonly basis: 'list' | 'route_cost';
  /** The route whose cost is the price. Present if basis is route_cost. */
  readonly basis_route?: { readonly engine: string; readonly model: string | null } | undefined;
  /** Present if the order allows dearer routes (allow_dearer). */
  readonly dearer?: { readonly usual_amount: string; readonly route: { readonly engine: string; readonly model: string | null } | null; readonly reason: string | null } | undefined;
  readonly lines: readonly PriceLine[];
}

/** The copy of an output that deliver_to asked for. */
export interface OutputDelivery {
  /** The place of the output in outputs, from 1. */
  readonly output: number;
  /** pending: it is tried again. */
  readonly state: 'pending' | 'delivered' | 'failed';
  /** The name of the destination; null for a presigned URL. */
  readonly destination: string | null;
  /** The name of the object in the destination; it is the same in every attempt. */
  readonly key: string | null;
  /** The presigned URL without its query; null for a destination. */
  readonly url: string | null;
  readonly attempts: number;
  /** Why the last attempt failed; null if it did not. */
  readonly reason: string | null;
  /** The ETag that the bucket answered. */
  readonly etag: string | null;
  /** The digest of the file that the answer of the bucket repeated. Null or absent: it repeated none, as buckets do that encrypt with a key of their own. */
  readonly verified_by?: 'sha256' | 'md5' | null | undefined;
  readonly delivered_at: string | null;
}

/** An order, and what became of it. */
export interface Task {
  readonly task_id: string;
  readonly type: 'image' | 'video';
  /** succeeded, failed and canceled are final. */
  readonly status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  /** Percent. It never decreases. */
  readonly progress: number;
  /** 1 means next. Null beyond 100, in lists, and once the task has started. */
  readonly queue_position: number | null;
  /** Seconds from now until the task is final, if an estimate exists. */
  readonly estimated_seconds: number | null;
  /** Increases with every change of the task. */
  readonly revision: number;
  readonly model_id: string;
  /** The model that the order named first. Only present if it has fallback_models. */
  readonly requested_model_id?: string | undefined;
  /** The models that the order has left, in sequence; model_id is the one that it is at now. Only present if it has fallback_models. */
  readonly tried_models?: readonly ({ readonly model_id: string; readonly reason: string })[] | undefined;
  /** The follow-up action; null for a plain create. */
  readonly action: string | null;
  /** The task that a follow-up action was ordered on. */
  readonly parent_task_id: string | null;
  /** The tasks that this one waits for, because it was ordered with wait_for_parent. Only present while it waits; its status is queued then. */
  readonly waiting_for?: readonly string[] | undefined;
  /** What keeps the task from going on now; it goes on by itself afterwards. operator: orders are held or paused. upstream: it accepts no orders. storage: results cannot be stored. Absent otherwise. */
  readonly delayed_by?: 'operator' | 'upstream' | 'storage' | undefined;
  readonly delay?: TaskDelay | undefined;
  /** The batch that the order belongs to. */
  readonly batch_id: string | null;
  /** The name of the order within its batch. */
  readonly batch_name: string | null;
  /** The request with its defaults filled in. */
  readonly input: { readonly [name: string]: unknown };
  /** Empty until the task has succeeded. */
  readonly outputs: readonly Output[];
  /** Only present if the order has deliver_to; empty until the task has succeeded. */
  readonly deliveries?: readonly OutputDelivery[] | undefined;
  /** Null unless the task failed. */
  readonly error: TaskError | null;
  /** How the result differs from what was ordered. Only present if it does. */
  readonly warnings?: readonly TaskWarning[] | undefined;
  readonly cost: Cost;
  readonly available_actions: readonly ActionOffer[];
  readonly can_cancel: boolean;
  readonly cancel_requested_at: string | null;
  /** Your own customer, as sent with the order. */
  readonly end_user: string | null;
  /** Your own key-value pairs, as sent with the order. */
  readonly metadata: { readonly [name: string]: string };
  /** Your tags. Only present in lists that were requested with include=tags. */
  readonly tags?: readonly string[] | undefined;
  readonly mode: 'live' | 'test';
  /** UTC, with milliseconds. */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  /** If the task is not final by then, it fails. While it waits for other tasks or for its batch, an estimate that is replaced when it enters the queue. */
  readonly deadline_at: string;
  /** When the files and the prompt are deleted. */
  readonly expires_at: string;
  readonly urls: { readonly self: string; readonly cancel: string; readonly events?: string | undefined };
}

/** What is left of a deleted task. */
export interface DeletedTask {
  readonly task_id: string;
  readonly status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  /** UTC, with milliseconds. */
  readonly deleted_at: string;
}

/** The confirmation that a task was deleted. */
export interface TaskDeletion {
  readonly task_id: string;
  /** UTC, with milliseconds. */
  readonly deleted_at: string;
  /** Only with `after`: when the prompt and the files are erased. Until then the task can be restored. */
  readonly delete_at?: string | undefined;
}

/** A page of image tasks, newest first. */
export interface ImageTaskPage {
  readonly items: readonly Task[];
  readonly limit: number;
  readonly offset?: number | undefined;
  /** Present if the page was requested with after. */
  readonly after?: string | undefined;
  readonly has_more: boolean;
  /** Only in a search: the `after` of the next page. A search examines a limited number of tasks at a time, so a page may be empty although more pages follow. Null at the end. */
  readonly next_after?: string | null | undefined;
}

/** A page of video tasks, newest first. */
export interface VideoTaskPage {
  readonly items: readonly Task[];
  readonly limit: number;
  readonly page?: number | undefined;
  /** Present if the page was requested with after. */
  readonly after?: string | undefined;
  readonly has_more: boolean;
  /** Only in a search: the `after` of the next page. A search examines a limited number of tasks at a time, so a page may be empty although more pages follow. Null at the end. */
  readonly next_after?: string | null | undefined;
}

/** What an order would cost. */
export interface Quote {
  readonly model_id: string;
  readonly type: 'image' | 'video';
  readonly action: string | null;
  readonly currency: 'USD';
  /** US dollars as a decimal string with two to six decimals. */
  readonly amount: string;
  /** False if the charge depends on media that must be downloaded first, or on a length that the model chooses. Then amount is the maximum charge. */
  readonly exact: boolean;
  /** With allow_dearer or fallback_models: what the order holds, and the most that it is charged; null if that is above max_price, so that the order would be refused. */
  readonly highest_amount?: string | null | undefined;
  /** With fallback_models: the price at each model that takes orders now, in sequence. */
  readonly models?: readonly ({ readonly model_id: string; readonly amount: string })[] | undefined;
  /** list: the price list of the model. route_cost: what the cheapest configured route costs, because that is more. For an order with an upstream key of the account: list. */
  readonly basis: 'list' | 'route_cost';
  /** The route whose cost is the price. Present if basis is route_cost. */
  readonly basis_route?: { readonly engine: string; readonly model: string | null } | undefined;
  readonly lines: readonly PriceLine[];
  /** Whether the order would go to the account's own upstream key; amount is then the fee for that. */
  readonly upstream_key: boolean;
  /** Why the order would be refused now; null if it would be accepted, or a field that decides is missing. */
  readonly refusal: { readonly code: string; readonly message: string; readonly param: string | null } | null;
  readonly input: { readonly [name: string]: unknown };
}

/** What several orders would cost, each by itself. */
export interface QuoteList {
  /** In the order of the request. */
  readonly items: readonly ({ readonly quote: Quote | null; readonly refusal: { readonly code: string; readonly message: string; readonly param: string | null } | null })[];
}

/** Orders that were placed together, at one price. */
export interface Batch {
  readonly batch_id: string;
  /** processing until all its tasks are final; then succeeded if all of them succeeded, canceled if the batch was canceled, failed if none succeeded, and partial otherwise. */
  readonly status: 'processing' | 'succeeded' | 'failed' | 'partial' | 'canceled';
  /** Number of orders. */
  readonly orders: number;
  /** Number of tasks by status. Together they are `orders`. */
  readonly counts: { readonly queued: number; readonly processing: number; readonly succeeded: number; readonly failed: number; readonly canceled: number };
  readonly cost: { readonly quoted: string; readonly charged: string; readonly held: string; readonly currency: 'USD' };
  /** How many of its tasks may run at once; null = no limit of its own. */
  readonly max_parallel: number | null;
  /** Your own key-value pairs, as sent with the batch. */
  readonly metadata: { readonly [name: string]: string };
  readonly mode: 'live' | 'test';
  /** UTC, with milliseconds. */
  readonly created_at: string;
  readonly cancel_requested_at: string | null;
  readonly completed_at: string | null;
  readonly urls: { readonly self: string; readonly tasks: string; readonly results: string; readonly events: string; readonly cancel: string };
}

/** One order of a batch, or several that vary. */
export interface BatchEntry {
  /** Unique within the batch. Its task carries it as batch_name. Later orders use it as order:<name>. */
  readonly name?: string | null | undefined;
  /** images and videos: the body of such a create. actions: the body of POST /v1/images/actions. */
  readonly operation: 'images' | 'videos' | 'actions';
  /** The body of the order. Media fields and parent_task_id also accept order:<name>, an earlier order of the batch (order:<name>#2 = a tile or an output of it), and wait for it. */
  readonly body: { readonly [name: string]: unknown };
  /** Values for fields of the body: one order for each combination. Their names are `name-1`, `name-2`, … */
  readonly vary?: { readonly [name: string]: readonly unknown[] } | null | undefined;
}

/** What a batch would cost. `exact` as in a quote of one order. */
export interface BatchQuote {
  /** Number of orders. */
  readonly orders: number;
  readonly currency: 'USD';
  /** US dollars for all orders together. */
  readonly amount: string;
  readonly exact: boolean;
  readonly models: readonly ({ readonly model_id: string; readonly orders: number; readonly amount: string })[];
}

/** A model: its fields, limits, prices and availability. */
export interface Model {
  readonly model_id: string;
  /** Other ids that name this model. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly vendor: string;
  readonly type: 'image' | 'video';
  readonly description: string;
  readonly status: 'active' | 'paused' | 'deprecated' | 'retired';
  /** When a deprecated model is retired, if that is known. */
  readonly sunset_at: string | null;
  /** The model to use instead. */
  readonly replaced_by: string | null;
  /** The default of each field; null = no default. */
  readonly default_config: { readonly [name: string]: unknown };
  /** JSON Schema (2020-12) of each field that the model accepts. */
  readonly parameters: { readonly [name: string]: unknown };
  /** The fields of at least one of these lists must be present. */
  readonly required: readonly (readonly string[])[];
  /** Rules for combinations of fields. */
  readonly constraints: readonly ({ readonly [name: string]: unknown })[];
  readonly supported_features: readonly string[];
  /** Follow-up actions that finished tasks of this model may offer. */
  readonly actions: readonly string[];
  /** The roles that image_roles can give the images of an order. */
  readonly image_roles: readonly ('reference' | 'mask' | 'control:depth' | 'control:pose' | 'control:edges' | 'style' | 'face' | 'first_frame' | 'last_frame')[];
  /** Limits of each field: length, number, bytes, seconds and megapixels of media. */
  readonly limits: { readonly [name: string]: unknown };
  readonly pricing: { readonly currency: 'USD'; readonly from: string; readonly minimum: string | null; readonly components: readonly ({ readonly [name: string]: unknown })[] };
  /** What the cheapest route of the lowest-priced order costs the operator. An order is charged the larger of the two sums: this and `pricing`. Another route may count for other orders: the `basis` of a quote tells. Null if the price list alone counts. */
  readonly route_cost: { readonly engine: string; readonly multiplier: string; readonly minimum: string | null; readonly components: readonly ({ readonly [name: string]: unknown })[] } | null;
  /** Whether live keys and test keys can order the model now, and live keys with speed batch. `batch` is false for models without that speed. */
  readonly availability: { readonly live: boolean; readonly test: boolean; readonly batch: boolean };
  /** How long recent orders took: half and 80 % of them were faster. */
  readonly typical_seconds: { readonly p50: number; readonly p80: number } | null;
  /** Facts about the model that no field expresses. */
  readonly notes: readonly string[];
  readonly [field: string]: unknown;
}

/** A model with the JSON Schema of its create body. */
export interface ModelWithSchema {
  readonly model_id: string;
  /** Other ids that name this model. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly vendor: string;
  readonly type: 'image' | 'video';
  readonly description: string;
  readonly status: 'active' | 'paused' | 'deprecated' | 'retired';
  /** When a deprecated model is retired, if that is known. */
  readonly sunset_at: string | null;
  /** The model to use instead. */
  readonly replaced_by: string | null;
  /** The default of each field; null = no default. */
  readonly default_config: { readonly [name: string]: unknown };
  /** JSON Schema (2020-12) of each field that the model accepts. */
  readonly parameters: { readonly [name: string]: unknown };
  /** The fields of at least one of these lists must be present. */
  readonly required: readonly (readonly string[])[];
  /** Rules for combinations of fields. */
  readonly constraints: readonly ({ readonly [name: string]: unknown })[];
  readonly supported_features: readonly string[];
  /** Follow-up actions that finished tasks of this model may offer. */
  readonly actions: readonly string[];
  /** The roles that image_roles can give the images of an order. */
  readonly image_roles: readonly ('reference' | 'mask' | 'control:depth' | 'control:pose' | 'control:edges' | 'style' | 'face' | 'first_frame' | 'last_frame')[];
  /** Limits of each field: length, number, bytes, seconds and megapixels of media. */
  readonly limits: { readonly [name: string]: unknown };
  readonly pricing: { readonly currency: 'USD'; readonly from: string; readonly minimum: string | null; readonly components: readonly ({ readonly [name: string]: unknown })[] };
  /** What the cheapest route of the lowest-priced order costs the operator. An order is charged the larger of the two sums: this and `pricing`. Another route may count for other orders: the `basis` of a quote tells. Null if the price list alone counts. */
  readonly route_cost: { readonly engine: string; readonly multiplier: string; readonly minimum: string | null; readonly components: readonly ({ readonly [name: string]: unknown })[] } | null;
  /** Whether live keys and test keys can order the model now, and live keys with speed batch. `batch` is false for models without that speed. */
  readonly availability: { readonly live: boolean; readonly test: boolean; readonly batch: boolean };
  /** How long recent orders took: half and 80 % of them were faster. */
  readonly typical_seconds: { readonly p50: number; readonly p80: number } | null;
  /** Facts about the model that no field expresses. */
  readonly notes: readonly string[];
  /** JSON Schema (2020-12) of the body that creates a task with this model. */
  readonly input_schema: { readonly [name: string]: unknown };
  readonly [field: string]: unknown;
}

/** An uploaded file. Name it as upload:<file_id> in orders. */
export interface UploadedFile {
  readonly file_id: string;
  /** Signed URL of the file. It works without a key until url_expires_at. */
  readonly url: string;
  /** UTC, with milliseconds. */
  readonly url_expires_at: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_seconds: number | null;
  /** SHA-256 of the file, in hex. */
  readonly sha256: string;
  /** Your own customer whose file it is, as sent with it. It goes with their erasure. */
  readonly end_user: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** When the file is deleted. */
  readonly expires_at: string;
}

/** The confirmation that a file was deleted. */
export interface FileDeletion {
  readonly file_id: string;
  /** UTC, with milliseconds. */
  readonly deleted_at: string;
}

/** The account of the calling key, and the limits of the key. */
export interface Account {
  readonly account_id: string;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly currency: 'USD';
  /** US dollars, after all holds and charges. */
  readonly balance: string;
  /** US dollars held for tasks that are not final. */
  readonly held: string;
  /** How far below zero the balance may go; null = no limit. */
  readonly credit_limit: string | null;
  readonly service: Service;
  /** The API key of the request. */
  readonly key: { readonly key_id: string; readonly name: string; readonly expires_at: string | null; readonly models: readonly string[]; readonly rpm: number; readonly read_rpm: number; readonly concurrency: number; readonly queue: number; readonly account_view: boolean; readonly approve_over: string | null; readonly stored_bytes: number; readonly stored_bytes_limit: number | null; readonly end_user_stored_bytes_limit: number | null; readonly spend_limits: { readonly day: { readonly limit: string; readonly spent: string } | null; readonly month: { readonly limit: string; readonly spent: string } | null; readonly total: { readonly limit: string; readonly spent: string } | null }; readonly end_user_limits: { readonly day: string | null; readonly month: string | null; readonly total: string | null }; readonly timezone: string };
}

/** A customer of yours: its limits and what it spends with this API key. */
export interface EndUser {
  readonly end_user: string;
  readonly mode: 'live' | 'test';
  readonly currency: 'USD';
  /** The end user's own limits, as they were set. A window that is left out has the key's limit. */
  readonly limits: { readonly day?: string | null | undefined; readonly month?: string | null | undefined; readonly total?: string | null | undefined; readonly timezone?: string | undefined };
  /** Days and months are those of the time zone of the limits. */
  readonly windows: { readonly day: { readonly limit: string | null; readonly charged: string; readonly held: string; readonly available: string | null; readonly resets_at: string | null }; readonly month: { readonly limit: string | null; readonly charged: string; readonly held: string; readonly available: string | null; readonly resets_at: string | null }; readonly total: { readonly limit: string | null; readonly charged: string; readonly held: string; readonly available: string | null; readonly resets_at: string | null } };
}

/** A short-lived token for one end user of the key. */
export interface ClientToken {
  /** Sent like a key, as Authorization: Bearer <token>. It is shown once. */
  readonly token: string;
  /** UTC, with milliseconds. */
  readonly expires_at: string;
}

/** The account's own key at an upstream. Its live orders go there for a fee. */
export interface UpstreamKey {
  /** The engine whose upstream gets the orders. */
  readonly engine: string;
  readonly upstream_key_id: string;
  /** The last four characters of the secret. */
  readonly last_four: string;
  /** The key_id of the API key that set it. */
  readonly set_by: string;
  /** UTC, with milliseconds. */
  readonly set_at: string;
  /** Why the upstream gets no orders with this key now; null = it gets them. */
  readonly problem: string | null;
}

/** The account's own upstream keys, and what orders with them cost. */
export interface UpstreamKeyList {
  readonly items: readonly UpstreamKey[];
  /** The engines that accept an upstream key; empty = none does here. */
  readonly engines: readonly string[];
  /** What an order with an upstream key costs here: both parts together. */
  readonly fee: { readonly amount: string; readonly percent: string };
}

/** The confirmation that an upstream key was removed. */
export interface UpstreamKeyRemoval {
  readonly engine: string;
  /** UTC, with milliseconds. */
  readonly removed_at: string;
}

/** Tasks of one group and what they cost. Only the fields named in group_by are present. */
export interface UsageRow {
  readonly day?: string | undefined;
  readonly model_id?: string | undefined;
  readonly status?: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled' | undefined;
  readonly end_user?: string | null | undefined;
  readonly tasks: number;
  /** US dollars charged for finished tasks. */
  readonly charged: string;
  /** US dollars held for tasks that are not final. */
  readonly held: string;
  readonly currency: 'USD';
  /** Only with timing=true: seconds from the order to its result; null if no task succeeded. */
  readonly seconds?: { readonly p50: number | null; readonly p95: number | null } | undefined;
}

/** Tasks created within a period and what they cost. */
export interface UsageReport {
  /** UTC, with milliseconds. */
  readonly from: string;
  /** UTC, with milliseconds. */
  readonly to: string;
  readonly group_by: readonly ('day' | 'model_id' | 'status' | 'end_user')[];
  readonly scope: 'key' | 'account';
  readonly items: readonly UsageRow[];
  readonly limit: number;
  readonly has_more: boolean;
  /** Send it as after to get the next page; null = this is the last page. */
  readonly next_after: string | null;
}

/** A movement of money. */
export interface LedgerEntry {
  readonly entry_id: string;
  readonly kind: 'credit' | 'correction' | 'hold' | 'release' | 'charge' | 'refund';
  /** US dollars as a decimal string with two to six decimals. */
  readonly amount: string;
  readonly currency: 'USD';
  readonly task_id: string | null;
  /** The batch, for the hold of all its orders. */
  readonly batch_id: string | null;
  /** Of a correction: the entry_id of the credit that it takes back. */
  readonly corrects: string | null;
  readonly note: string | null;
  /** UTC, with milliseconds. */
  readonly created_at: string;
}

/** A webhook event and the attempts to deliver it. */
export interface WebhookDelivery {
  /** The webhook-id header of every attempt. */
  readonly delivery_id: string;
  /** The newest order then, for a budget event; null for the event of a batch. */
  readonly task_id: string | null;
  /** The batch of a batch event; null for every other. */
  readonly batch_id: string | null;
  readonly type: 'task.succeeded' | 'task.failed' | 'task.canceled' | 'task.refunded' | 'task.delivered' | 'task.delivery_failed' | 'batch.succeeded' | 'batch.failed' | 'batch.partial' | 'batch.canceled' | 'budget.reached';
  readonly url: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  /** UTC, with milliseconds. */
  readonly created_at: string;
  readonly delivered_at: string | null;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly ({ readonly started_at: string; readonly duration_ms: number; readonly response_status: number | null; readonly error: string | null })[];
}

/** What the receiver of a test event answered. */
export interface WebhookTest {
  /** The webhook-id header of the request. */
  readonly webhook_id: string;
  readonly url: string;
  /** Whether the receiver answered 2xx. */
  readonly delivered: boolean;
  readonly duration_ms: number;
  /** Null if the receiver did not answer. */
  readonly response_status: number | null;
  /** Null if the receiver accepted the event. */
  readonly error: string | null;
}

/** A secret that signs webhooks. */
export interface WebhookSecret {
  /** whsec_ and Base64, as in Standard Webhooks. */
  readonly secret: string;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** Null = the current secret; otherwise the secret signs until then. */
  readonly valid_until: string | null;
}

/** The body of a webhook request about a task. */
export interface WebhookEvent {
  readonly type: 'task.succeeded' | 'task.failed' | 'task.canceled' | 'task.refunded' | 'task.delivered' | 'task.delivery_failed';
  /** UTC, with milliseconds. */
  readonly timestamp: string;
  readonly data: Task;
}

/** The body of a webhook request about a batch. */
export interface BatchWebhookEvent {
  readonly type: 'batch.succeeded' | 'batch.failed' | 'batch.partial' | 'batch.canceled';
  /** UTC, with milliseconds. */
  readonly timestamp: string;
  readonly data: Batch;
}

/** A spend limit of which a share is reached. */
export interface BudgetNotice {
  readonly key_id: string;
  /** The end user whose limit it is; null = the API key's own limit. */
  readonly end_user: string | null;
  readonly mode: 'live' | 'test';
  readonly window: 'day' | 'month' | 'total';
  /** The day or month in the time zone of the limit, such as 2026-11-20 or 2026-11; null for total. */
  readonly period: string | null;
  /** US dollars as a decimal string with two to six decimals. */
  readonly limit: string;
  /** US dollars charged and held for orders placed in the window. */
  readonly used: string;
  readonly currency: 'USD';
  /** The share of the limit that is reached, in percent: 50, 80 or 100. */
  readonly share: number;
  /** UTC, with milliseconds. */
  readonly created_at: string;
}

/** The body of a webhook request about a spend limit. */
export interface BudgetWebhookEvent {
  readonly type: 'budget.reached';
  /** UTC, with milliseconds. */
  readonly timestamp: string;
  readonly data: BudgetNotice;
}

/** The body of every failure. */
export interface ErrorBody {
  readonly error: { readonly status: number; readonly code: 'invalid_json' | 'invalid_request' | 'unsupported_field' | 'unsupported_value' | 'missing_prompt' | 'missing_reference' | 'prompt_too_long' | 'invalid_reference' | 'unsupported_action' | 'missing_api_key' | 'invalid_api_key' | 'expired_api_key' | 'revoked_api_key' | 'insufficient_balance' | 'spend_limit_reached' | 'end_user_limit_reached' | 'model_not_allowed' | 'forbidden' | 'model_not_found' | 'task_not_found' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'parent_not_ready' | 'parent_not_usable' | 'not_cancelable' | 'not_refundable' | 'not_stuck' | 'orders_changed' | 'not_final' | 'price_exceeded' | 'storage_limit_reached' | 'share_limit_reached' | 'model_retired' | 'task_expired' | 'outputs_expired' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'range_not_satisfiable' | 'expectation_failed' | 'idempotency_key_reused' | 'model_not_offered' | 'rate_limited' | 'queue_full' | 'headers_too_large' | 'internal_error' | 'model_unavailable' | 'service_unavailable' | 'storage_full' | 'shutting_down'; readonly message: string; readonly param: string | null; readonly details: readonly ({ readonly [name: string]: unknown })[]; readonly retryable: boolean; readonly request_id: string; readonly docs_url?: string | undefined };
  /** UTC, with milliseconds. */
  readonly timestamp: string;
}

/** Whether the service sends orders and webhooks. */
export interface Service {
  /** Orders are accepted and wait: none is sent to an engine, and no webhook. */
  readonly held: boolean;
  /** What the operator says about it; null = not held. */
  readonly message: string | null;
  /** Since when it is held; told to operators only. */
  readonly since?: string | undefined;
  /** Why it is held; told to operators only. */
  readonly reason?: string | undefined;
  /** Whether the hold ends only with `as`; told to operators only. */
  readonly is_copy?: boolean | undefined;
}

/** A rotation of the secrets that sign addresses, share links and client tokens. */
export interface SigningSecrets {
  /** What was signed before works until then, UTC, with milliseconds. */
  readonly previous_until: string;
}

/** What a key spends, and when it was last used. */
export interface KeyUsage {
  readonly key_id: string;
  /** US dollars charged for orders placed since `since`. */
  readonly charged: string;
  /** US dollars held for orders that are not final. */
  readonly held: string;
  /** When the key last placed an order; null = never. */
  readonly last_order_at: string | null;
}

/** Why an order stands still. */
export interface TaskStanding {
  readonly cause: 'parent' | 'batch' | 'held' | 'references' | 'addition' | 'not_configured' | 'paused' | 'circuit_open' | 'deferred' | 'preparing' | 'key_limit' | 'turn' | 'submitting' | 'process_silent' | 'storage' | 'check_failed' | 'canceling' | 'upstream';
  /** The cause in one sentence. */
  readonly sentence: string;
  /** Since when the cause lasts, if that is known. */
  readonly since: string | null;
  /** Orders before it in the queue; null if it does not wait or more than a hundred are. */
  readonly ahead: number | null;
  /** The tasks that it waits for. */
  readonly waits_for: readonly string[];
  /** When its upstream was last asked, as far as was written down. */
  readonly asked_at: string | null;
  /** The upstream's word for the state of its job, or why it could not tell. */
  readonly said: string | null;
}

/** What an operator does about many orders, and how far it is. */
export interface OrderDeed {
  readonly deed_id: string;
  readonly deed: 'ask' | 'cancel' | 'give_up';
  /** Orders that the deed is for. */
  readonly orders: number;
  /** Orders of them that are still to be done, by whichever process. */
  readonly pending: number;
}

/** How many open orders each deed would change. */
export interface OrderDeedCounts {
  readonly ask: number;
  readonly cancel: number;
  readonly give_up: number;
}

/** A process of the service, as its heartbeats show it. */
export interface Process {
  readonly process_id: string;
  readonly role: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** silent: without a heartbeat for a minute. ended: others have taken its tasks over. One that stops in order is not listed. */
  readonly state: 'running' | 'silent' | 'ended';
  /** UTC, with milliseconds. */
  readonly started_at: string;
  /** UTC, with milliseconds. */
  readonly heard_at: string;
  /** It is silent or ended, and no process of its role that was started later has replaced it. */
  readonly missing: boolean;
  /** How many tasks it holds. */
  readonly tasks: number;
  /** What its own keys or network keep it from, while others go on: one sentence each, with what to do. */
  readonly faults: readonly string[];
  /** Which keys, addresses and storage settings it has that most others do not have. */
  readonly differences: readonly string[];
}

/** A request that a key sent, and how it was answered. */
export interface LoggedRequest {
  readonly entry_id: string;
  /** UTC, with milliseconds. */
  readonly answered_at: string;
  readonly key_id: string;
  readonly account_id: string;
  readonly method: string;
  /** As documented, such as /v1/images/{task_id}; without a query. */
  readonly path: string;
  /** Null if the caller closed the connection before the answer was complete. */
  readonly status: number | null;
  /** The code of the error that was answered. */
  readonly code: string | null;
  readonly duration_ms: number;
  readonly request_id: string;
  /** The order that the request placed or named. */
  readonly task_id: string | null;
}

/** What a live order earned and cost. */
export interface CostOrder {
  readonly task_id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly model_id: string;
  readonly engine: string;
  /** `unknown`: nobody knows if the upstream made and billed it. */
  readonly outcome: 'succeeded' | 'failed' | 'canceled' | 'unknown';
  /** US dollars charged for the order. */
  readonly revenue: string;
  /** By the upstream's price list; null if the catalog does not state it. */
  readonly expected: string | null;
  /** By what the upstream told; null if it did not. */
  readonly told: string | null;
  /** What was told, else what is expected; null if neither is known, or the outcome is not. */
  readonly cost: string | null;
  /** The revenue less the cost; null if that is not known. */
  readonly margin: string | null;
  /** UTC, with milliseconds. */
  readonly settled_at: string;
}

/** Orders of one group, what they earned and what they cost. Only the fields named in group_by are present. */
export interface CostRow {
  readonly model_id?: string | undefined;
  readonly account_id?: string | undefined;
  readonly engine?: string | undefined;
  /** Live orders that succeeded, and others that cost something or may have. */
  readonly orders: number;
  /** Those that failed or were canceled: they cost something and earned nothing. */
  readonly unsuccessful: number;
  /** Those of which nobody knows if the upstream made and billed them. */
  readonly unknown: number;
  /** US dollars charged for these orders. */
  readonly revenue: string;
  /** US dollars by the upstreams' price lists, where the catalog states them. */
  readonly expected: string;
  /** US dollars by what the upstreams told of each order, where they did. */
  readonly told: string;
  /** US dollars: of each order of known outcome what was told, else what is expected. */
  readonly cost: string;
  /** US dollars: the revenue of orders of known outcome and cost, less their cost. */
  readonly margin: string;
  /** Orders of known outcome whose cost is unknown: neither told in dollars nor stated by the catalog. */
  readonly without_amount: number;
  /** US dollars charged for those. */
  readonly revenue_without_amount: string;
  /** US dollars that orders of unknown outcome cost if their upstreams made them, where that is told or expected. `cost` and `margin` leave them out. */
  readonly unknown_cost: string;
  /** Orders whose told cost is more than 5 % above or below the expected one. */
  readonly differing: number;
  /** Successful orders that cost more than they earned. */
  readonly below_cost: number;
  readonly currency: 'USD';
}

/** Live orders that ended within a period and whose cost is told or expected. */
export interface CostReport {
  /** UTC, with milliseconds. */
  readonly from: string;
  /** UTC, with milliseconds. */
  readonly to: string;
  readonly group_by: readonly ('model_id' | 'account_id' | 'engine')[];
  readonly items: readonly CostRow[];
  readonly limit: number;
  readonly has_more: boolean;
  /** Send it as after to get the next page; null = this is the last page. */
  readonly next_after: string | null;
}

/** A link that shows the results of tasks to people without a key. */
export interface Share {
  readonly share_id: string;
  /** The first task. */
  readonly task_id: string;
  /** All tasks that the link shows. Those that were erased are gone. */
  readonly task_ids: readonly string[];
  /** That of the first task. */
  readonly type: 'image' | 'video';
  /** The page to hand on. It works without a key until the link expires or is revoked. */
  readonly url: string;
  /** The image or video itself, of several the first, as long as the page. */
  readonly file_url: string;
  readonly show_prompt: boolean;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly expires_at: string;
}

/** The confirmation that a link no longer works. */
export interface ShareDeletion {
  readonly share_id: string;
  /** UTC, with milliseconds. */
  readonly deleted_at: string;
}

/** The tags of a task. */
export interface TaskTags {
  readonly task_id: string;
  /** In alphabetical order. */
  readonly tags: readonly string[];
}

/** A tag that tasks of the key have. */
export interface Tag {
  readonly tag: string;
  /** How many images and videos have the tag; 1000 means that many or more. */
  readonly tasks: number;
}

/** An order that the operator shows as an example of its model. */
export interface ModelExample {
  readonly example_id: string;
  readonly model_id: string;
  readonly type: 'image' | 'video';
  /** Null if the order had none. */
  readonly prompt: string | null;
  /** US dollars that the order was charged. */
  readonly amount: string;
  readonly currency: 'USD';
  /** A WebP of at most 512 pixels, of a video its first frame. It needs no key, and stays after the order expires. */
  readonly picture_url: string;
  /** Pixels of the output. */
  readonly width: number | null;
  /** Pixels of the output. */
  readonly height: number | null;
  /** UTC, with milliseconds. */
  readonly ordered_at: string;
}

/** The confirmation that an order is no longer an example. */
export interface ModelExampleDeletion {
  readonly task_id: string;
  /** UTC, with milliseconds. */
  readonly deleted_at: string;
}

/** A condition that operators must know of, and who was told. */
export interface Alert {
  readonly alert_id: string;
  readonly kind: 'circuit_open' | 'upstream_credit' | 'upstream_balance_low' | 'unknown_outcomes' | 'oldest_waiting' | 'margin_below_zero' | 'below_cost' | 'unknown_cost' | 'model_ends' | 'disk_nearly_full' | 'storage_unavailable' | 'spool_unavailable' | 'database_unavailable' | 'standby_behind' | 'standby_asynchronous' | 'process_silent' | 'process_apart' | 'held' | 'sweep_stopped' | 'watch_failed';
  readonly state: 'open' | 'ended';
  /** An engine, an upstream model of it, a directory of a machine (`vm1:/srv/data`), a process, a bucket, or what could not be checked; null = the whole service. */
  readonly subject: string | null;
  /** One sentence with the figures, as last observed. */
  readonly summary: string;
  /** What to do; null once it has ended. */
  readonly action: string | null;
  /** UTC, with milliseconds. */
  readonly began_at: string;
  /** When it was last observed. */
  readonly seen_at: string;
  readonly ended_at: string | null;
  /** Which operator has taken it on: it is not repeated. Null = nobody has. */
  readonly acknowledged: { readonly by: string; readonly by_name: string | null; readonly at: string } | null;
  /** Who wants no messages about the condition, and until when; null = messages are sent. */
  readonly silenced: { readonly by: string; readonly by_name: string | null; readonly until: string } | null;
  /** The page of the console that shows it; null in a message if the operator has not named the URL of the service. */
  readonly url: string | null;
  /** The entry of the runbook: cause, what to do and what not. Null where `url` is null. */
  readonly runbook_url: string | null;
  /** The last message; empty if no webhook is set up. */
  readonly messages: readonly ({ readonly receiver: string | null; readonly type: 'alert.began' | 'alert.continues' | 'alert.ended'; readonly status: 'pending' | 'delivered' | 'failed'; readonly attempts: number; readonly error: string | null; readonly created_at: string; readonly delivered_at: string | null })[];
}

/** A rule about the upstreams that may get the orders of an account or a key. */
export interface StoredDataRule {
  /** `account`, or the id of the key whose orders it limits. */
  readonly subject: string;
  /** Which upstreams may get orders. All rules of an order hold: its own, and those of its key, account and client token. */
  readonly data: { readonly only?: readonly string[] | undefined; readonly except?: readonly string[] | undefined; readonly country?: readonly string[] | undefined; readonly retention?: number | undefined; readonly training?: false | undefined };
  /** The key_id of the API key that set it. */
  readonly set_by: string;
  /** UTC, with milliseconds. */
  readonly set_at: string;
}

/** The rules of the account and of its keys. An order must fit all that apply. */
export interface DataRuleList {
  readonly items: readonly StoredDataRule[];
}

/** The confirmation that a rule was removed. */
export interface DataRuleRemoval {
  readonly subject: string;
  /** UTC, with milliseconds. */
  readonly removed_at: string;
}

/** An upstream that may get orders of a model, and what is known of it. */
export interface DataReceiver {
  /** The name of the upstream in rules and receipts. */
  readonly engine: string;
  /** The company behind it. */
  readonly provider: string | null;
  /** Whether this service itself makes the orders, so that no data leaves it. */
  readonly in_service: boolean;
  /** Where data is processed: ISO 3166-1 codes; null = unknown. */
  readonly country: readonly string[] | null;
  /** Days for which it keeps data at most; null = unknown. */
  readonly retention_days: number | null;
  /** Whether it trains on data; null = unknown. */
  readonly training: boolean | null;
  /** Whether it may pass orders on to the maker of the model; then it fits no rule about a fact. */
  readonly passes_on: boolean;
  /** The address of its terms. */
  readonly terms: string | null;
  /** The address of the page that states the facts. */
  readonly source: string | null;
  /** The day when that page was read. */
  readonly as_of: string | null;
  /** The conditions of the facts. */
  readonly note: string | null;
  /** Why the rules of the key and its account exclude it; null = they do not. */
  readonly excluded: string | null;
}

/** The upstreams that may get live orders of a model. An empty list: none is configured. */
export interface DataReceiverList {
  readonly items: readonly DataReceiver[];
}

/** A bucket of the account that outputs can be delivered to. */
export interface Destination {
  readonly name: string;
  readonly bucket: string;
  /** Null = Amazon S3. */
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly path: string;
  /** The last four characters of access_key_id. */
  readonly last_four: string;
  readonly default: boolean;
  /** The key_id of the API key that set it. */
  readonly set_by: string;
  /** UTC, with milliseconds. */
  readonly set_at: string;
}

/** The confirmation that a destination was removed. */
export interface DestinationRemoval {
  readonly name: string;
  /** UTC, with milliseconds. */
  readonly removed_at: string;
}

/** How the outputs of an account are marked as made by a machine. */
export interface AccountProvenance {
  readonly account_id: string;
  /** How outputs are marked; null = by the service's own setting. */
  readonly setting: 'off' | 'metadata' | 'c2pa' | null;
  readonly prompt: boolean;
  /** Whether `c2pa` can be set: the service has a certificate. */
  readonly can_sign: boolean;
}

/** What is certain about an order that has ended. */
export interface TaskReceipt {
  /** The public address of the service; null if its operator has named none (`DARKROOM_PUBLIC_URL`). */
  readonly issuer: string | null;
  readonly account_id: string;
  readonly mode: 'live' | 'test';
  readonly task_id: string;
  readonly batch_id: string | null;
  readonly type: 'image' | 'video';
  readonly status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  readonly model_id: string;
  /** The model that the order named first. Only present if it has fallback_models. */
  readonly requested_model_id?: string | undefined;
  /** The models that the order has left, in sequence; model_id is the one that it is at now. Only present if it has fallback_models. */
  readonly tried_models?: readonly ({ readonly model_id: string; readonly reason: string })[] | undefined;
  readonly action: string | null;
  readonly parent_task_id: string | null;
  /** Where the order was made; null if it was never submitted. */
  readonly route: { readonly engine: string; readonly model: string | null; readonly earlier: readonly ({ readonly engine: string; readonly model: string | null })[]; readonly rule: { readonly [name: string]: unknown } | null } | null;
  /** The request with its defaults filled in, without media; null once it was erased. */
  readonly input: { readonly [name: string]: unknown } | null;
  /** The files that were delivered; null once they were erased. */
  readonly outputs: readonly ({ readonly sha256: string; readonly content_type: string; readonly bytes: number; readonly width: number | null; readonly height: number | null; readonly duration_seconds: number | null })[] | null;
  readonly cost: { readonly quoted: string; readonly charged: string; readonly currency: 'USD'; readonly basis: 'list' | 'route_cost'; readonly basis_route?: { readonly engine: string; readonly model: string | null } | undefined; readonly dearer?: { readonly usual_amount: string; readonly route: { readonly engine: string; readonly model: string | null } | null; readonly reason: string | null } | undefined; readonly lines: readonly PriceLine[]; readonly ledger: readonly ({ readonly kind: string; readonly amount: string; readonly created_at: string })[] };
  /** UTC, with milliseconds. */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly erased_at: string | null;
}

/** What is certain about a batch that has ended. Each of its tasks has a receipt with the details. */
export interface BatchReceipt {
  /** The public address of the service; null if its operator has named none (`DARKROOM_PUBLIC_URL`). */
  readonly issuer: string | null;
  readonly account_id: string;
  readonly mode: 'live' | 'test';
  readonly batch_id: string;
  readonly status: 'processing' | 'succeeded' | 'failed' | 'partial' | 'canceled';
  readonly orders: number;
  readonly cost: { readonly quoted: string; readonly charged: string; readonly currency: 'USD' };
  /** In the order of their ids. Tasks that were removed because of their age are left out. */
  readonly tasks: readonly ({ readonly task_id: string; readonly status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled'; readonly charged: string; readonly sha256: readonly string[] | null })[];
  /** UTC, with milliseconds. */
  readonly created_at: string;
  readonly completed_at: string | null;
}

/** The keys that verify receipts, as a JWK Set (RFC 7517). Keys are added and never removed. */
export interface PublicKeySet {
  readonly keys: readonly ({ readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string; readonly kid: string; readonly alg: 'EdDSA'; readonly use: 'sig' })[];
}

/** Where a file comes from that this service has made. */
export interface Origin {
  /** the SHA-256 of the file, in lowercase hex */
  readonly sha256: string;
  readonly type: 'image' | 'video';
  /** UTC, with milliseconds. */
  readonly made_at: string;
  /** The first task with this output; null if it belongs to somebody else. */
  readonly task_id: string | null;
}

/** Somebody who has signed in with the provider. */
export interface Person {
  readonly person_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly memberships: readonly ({ readonly account_id: string | null; readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner'; readonly by_group: boolean })[];
  /** In how many browsers and command lines the person is signed in. */
  readonly sessions: number;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly signed_in_at: string;
}

/** A person as they were, and the API keys that they know. */
export interface RemovedPerson {
  readonly person_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly memberships: readonly ({ readonly account_id: string | null; readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner'; readonly by_group: boolean })[];
  /** In how many browsers and command lines the person is signed in. */
  readonly sessions: number;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly signed_in_at: string;
  /** The API keys whose secret the person was shown, by the audit log: those that worked until now. They go on working, unless `revoke_keys` ended them. */
  readonly keys: readonly ({ readonly key_id: string; readonly account_id: string; readonly mode: 'live' | 'test' | 'admin'; readonly name: string; readonly created_at: string; readonly revoked_at: string | null })[];
}

/** A person who belongs to the account. */
export interface Member {
  readonly person_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: 'viewer' | 'finance' | 'creator' | 'manager';
  /** Whether a group of the provider gives the role, too: it stays then. */
  readonly by_group: boolean;
  /** What the person may spend with live orders, per day, per month and in total. */
  readonly limits: { readonly day?: string | null | undefined; readonly month?: string | null | undefined; readonly total?: string | null | undefined; readonly timezone?: string | undefined };
  /** Days and months are those of the time zone of the limits. */
  readonly windows: { readonly day: { readonly limit: string | null; readonly charged: string; readonly held: string; readonly available: string | null; readonly resets_at: string | null }; readonly month: { readonly limit: string | null; readonly charged: string; readonly held: string; readonly available: string | null; readonly resets_at: string | null }; readonly total: { readonly limit: string | null; readonly charged: string; readonly held: string; readonly available: string | null; readonly resets_at: string | null } };
  /** When the person last signed in. */
  readonly signed_in_at: string;
}

/** A person who no longer belongs to the account. */
export interface MemberDeletion {
  readonly person_id: string;
  /** UTC, with milliseconds. */
  readonly removed_at: string;
  /** The API keys whose secret the person was shown, by the audit log: those that worked until now. They go on working, unless `revoke_keys` ended them. */
  readonly keys: readonly ({ readonly key_id: string; readonly account_id: string; readonly mode: 'live' | 'test' | 'admin'; readonly name: string; readonly created_at: string; readonly revoked_at: string | null })[];
}

/** An invitation that nobody has accepted yet. */
export interface Invitation {
  readonly invitation_id: string;
  /** Null = to the operators. */
  readonly account_id: string | null;
  readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner';
  /** Only a person with this verified address can accept it; null = whoever has the link. */
  readonly email: string | null;
  /** A person_id, a key_id, or `command line`. */
  readonly invited_by: string;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly expires_at: string;
}

/** A new invitation with its link. */
export interface IssuedInvitation {
  readonly invitation_id: string;
  /** Null = to the operators. */
  readonly account_id: string | null;
  readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner';
  /** Only a person with this verified address can accept it; null = whoever has the link. */
  readonly email: string | null;
  /** A person_id, a key_id, or `command line`. */
  readonly invited_by: string;
  /** UTC, with milliseconds. */
  readonly created_at: string;
  /** UTC, with milliseconds. */
  readonly expires_at: string;
  /** The link that accepts it, once. It is shown once: null in the answer to a repeated request. */
  readonly url: string | null;
}

/** An order of somebody in the account. */
export interface AccountTask {
  readonly task: Task;
  readonly ordered_by: { readonly key_id: string; readonly person_id: string | null; readonly name: string };
}

/** Models accept further fields: see input_schema of GET /v1/models/{model_id}. Any other field is refused; if it carries a picture, a film or a sound, the refusal names the fields that take media. */
export interface ImageOrder {
  /** The id of a model. GET /v1/models lists the models that your key can order. */
  readonly model_id: string;
  /** The description of the output. Some models accept a reference instead. */
  readonly prompt?: string | null | undefined;
  /** What the output should not show. */
  readonly negative_prompt?: string | null | undefined;
  /** Always 1: one task makes one output. */
  readonly num_images?: number | null | undefined;
  /** Reference images. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The role of each image of image_urls, in the same sequence: some of the model's image_roles. Instead of the fields of these roles, such as mask_url. */
  readonly image_roles?: readonly ('reference' | 'mask' | 'control:depth' | 'control:pose' | 'control:edges' | 'style' | 'face' | 'first_frame' | 'last_frame')[] | null | undefined;
  /** The size class, such as 1K or 720p: one of the model's values. */
  readonly resolution?: string | null | undefined;
  /** Width to height, such as 16:9: one of the model's values. */
  readonly aspect_ratio?: string | null | undefined;
  /** The same seed with the same request gives a similar output. */
  readonly seed?: number | null | undefined;
  /** One of the model's styles. */
  readonly style?: string | null | undefined;
  /** Whether the vendor marks the output. */
  readonly watermark?: boolean | null | undefined;
  /** Whether the vendor rewrites the prompt. */
  readonly prompt_enhance?: boolean | null | undefined;
  /** The exact size as WIDTHxHEIGHT in pixels, instead of resolution and aspect_ratio. */
  readonly size?: string | null | undefined;
  /** The file type: png, jpeg or webp. */
  readonly output_format?: string | null | undefined;
  /** The quality of a jpeg or webp file, in percent. */
  readonly output_compression?: number | null | undefined;
  /** One of the model's speeds. batch costs less and is made within 24 hours. */
  readonly speed?: string | null | undefined;
  /** One of the model's quality levels. */
  readonly quality?: string | null | undefined;
  /** transparent, opaque or auto. */
  readonly background?: string | null | undefined;
  /** How far the output may differ from the reference, from 0 to 1. */
  readonly strength?: number | null | undefined;
  /** The area to change, in white. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly mask_url?: string | null | undefined;
  /** Images whose style is used. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly style_image_urls?: readonly string[] | null | undefined;
  /** The number of sampling steps. */
  readonly steps?: number | null | undefined;
  /** How closely the output follows the prompt. */
  readonly guidance_scale?: number | null | undefined;
  /** For a tool: the image or video that it works on, task:<task_id> or upload:<file_id>. */
  readonly source?: string | undefined;
  /** With source: an action of a tool, such as speak. The first tool that takes the source makes it. */
  readonly action?: string | undefined;
  /** Up to 16 pairs of your own, returned with the task. */
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
  /** Your own customer. */
  readonly end_user?: string | null | undefined;
  /** URL that is notified when the task is final. */
  readonly webhook_url?: string | null | undefined;
  /** Where the outputs are copied to; by default the account's default destination. */
  readonly deliver_to?: { readonly url?: string | undefined; readonly urls?: readonly string[] | undefined; readonly headers?: { readonly [name: string]: string } | undefined; readonly destination?: string | undefined } | null | undefined;
  /** US dollars. A more expensive order is refused with 409 price_exceeded. */
  readonly max_price?: string | number | null | undefined;
  /** Whether the order may go to a route that is dearer than its price, up to max_price, if no cheaper one is ready. It holds highest_amount of its quote, and is charged the price of the route that makes it. Needs max_price. */
  readonly allow_dearer?: boolean | null | undefined;
  /** Up to four further models of the same type. The order goes on to the next one if no upstream took it for the one before. It holds the price of the dearest, and is charged that of the model that makes it. */
  readonly fallback_models?: readonly string[] | null | undefined;
  /** Whether the order also goes on to the next of its fallback_models when an upstream refuses its content. */
  readonly fallback_on_content_policy?: boolean | null | undefined;
  /** Whether the order waits for unfinished tasks that it refers to (task:<task_id> in a media field, parent_task_id). Without it they are refused with 409 parent_not_ready. */
  readonly wait_for_parent?: boolean | null | undefined;
  /** How the task ends. Test keys only. */
  readonly simulate?: { readonly seconds?: number | undefined; readonly outcome?: 'succeeded' | 'content_policy' | 'upstream_error' | 'timeout' | 'outcome_unknown' | 'stuck' | 'late' | undefined; readonly explain?: boolean | undefined } | null | undefined;
  readonly [field: string]: unknown;
}

/** Models accept further fields: see input_schema of GET /v1/models/{model_id}. Any other field is refused; if it carries a picture, a film or a sound, the refusal names the fields that take media. */
export interface VideoOrder {
  /** The id of a model. GET /v1/models lists the models that your key can order. */
  readonly model_id: string;
  /** The description of the output. Some models accept a reference instead. */
  readonly prompt?: string | null | undefined;
  /** What the output should not show. */
  readonly negative_prompt?: string | null | undefined;
  /** Always 1: one task makes one output. */
  readonly num_images?: number | null | undefined;
  /** Reference images. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The role of each image of image_urls, in the same sequence: some of the model's image_roles. Instead of the fields of these roles, such as mask_url. */
  readonly image_roles?: readonly ('reference' | 'mask' | 'control:depth' | 'control:pose' | 'control:edges' | 'style' | 'face' | 'first_frame' | 'last_frame')[] | null | undefined;
  /** The size class, such as 1K or 720p: one of the model's values. */
  readonly resolution?: string | null | undefined;
  /** Width to height, such as 16:9: one of the model's values. */
  readonly aspect_ratio?: string | null | undefined;
  /** The same seed with the same request gives a similar output. */
  readonly seed?: number | null | undefined;
  /** One of the model's styles. */
  readonly style?: string | null | undefined;
  /** Whether the vendor marks the output. */
  readonly watermark?: boolean | null | undefined;
  /** Whether the vendor rewrites the prompt. */
  readonly prompt_enhance?: boolean | null | undefined;
  /** The length in seconds. */
  readonly duration?: string | number | null | undefined;
  /** Frames per second. */
  readonly fps?: number | null | undefined;
  /** The first frame. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly last_frame_url?: string | null | undefined;
  /** The video to edit or extend. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly video_url?: string | null | undefined;
  /** Reference videos. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference sounds. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** Whether the video has sound. */
  readonly generate_audio?: boolean | null | undefined;
  /** One of the model's camera movements. */
  readonly camera?: string | null | undefined;
  /** For a tool: the image or video that it works on, task:<task_id> or upload:<file_id>. */
  readonly source?: string | undefined;
  /** With source: an action of a tool, such as speak. The first tool that takes the source makes it. */
  readonly action?: string | undefined;
  /** Up to 16 pairs of your own, returned with the task. */
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
  /** Your own customer. */
  readonly end_user?: string | null | undefined;
  /** URL that is notified when the task is final. */
  readonly webhook_url?: string | null | undefined;
  /** Where the outputs are copied to; by default the account's default destination. */
  readonly deliver_to?: { readonly url?: string | undefined; readonly urls?: readonly string[] | undefined; readonly headers?: { readonly [name: string]: string } | undefined; readonly destination?: string | undefined } | null | undefined;
  /** US dollars. A more expensive order is refused with 409 price_exceeded. */
  readonly max_price?: string | number | null | undefined;
  /** Whether the order may go to a route that is dearer than its price, up to max_price, if no cheaper one is ready. It holds highest_amount of its quote, and is charged the price of the route that makes it. Needs max_price. */
  readonly allow_dearer?: boolean | null | undefined;
  /** Up to four further models of the same type. The order goes on to the next one if no upstream took it for the one before. It holds the price of the dearest, and is charged that of the model that makes it. */
  readonly fallback_models?: readonly string[] | null | undefined;
  /** Whether the order also goes on to the next of its fallback_models when an upstream refuses its content. */
  readonly fallback_on_content_policy?: boolean | null | undefined;
  /** Whether the order waits for unfinished tasks that it refers to (task:<task_id> in a media field, parent_task_id). Without it they are refused with 409 parent_not_ready. */
  readonly wait_for_parent?: boolean | null | undefined;
  /** How the task ends. Test keys only. */
  readonly simulate?: { readonly seconds?: number | undefined; readonly outcome?: 'succeeded' | 'content_policy' | 'upstream_error' | 'timeout' | 'outcome_unknown' | 'stuck' | 'late' | undefined; readonly explain?: boolean | undefined } | null | undefined;
  readonly [field: string]: unknown;
}

/** Actions accept further fields: see the parent's available_actions. */
export interface ActionOrder {
  /** An image task of your key that has succeeded, or with wait_for_parent one that is not final. */
  readonly parent_task_id: string;
  /** One of the parent's available_actions. */
  readonly action: string;
  /** The parent's model, or a tool of the action. */
  readonly model_id?: string | null | undefined;
  /** The tile, for actions on a grid. */
  readonly index?: number | null | undefined;
  /** Replaces the parent's prompt. */
  readonly prompt?: string | null | undefined;
  /** Up to 16 pairs of your own, returned with the task. */
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
  /** Your own customer. */
  readonly end_user?: string | null | undefined;
  /** URL that is notified when the task is final. */
  readonly webhook_url?: string | null | undefined;
  /** Where the outputs are copied to; by default the account's default destination. */
  readonly deliver_to?: { readonly url?: string | undefined; readonly urls?: readonly string[] | undefined; readonly headers?: { readonly [name: string]: string } | undefined; readonly destination?: string | undefined } | null | undefined;
  /** US dollars. A more expensive order is refused with 409 price_exceeded. */
  readonly max_price?: string | number | null | undefined;
  /** Whether the order may go to a route that is dearer than its price, up to max_price, if no cheaper one is ready. It holds highest_amount of its quote, and is charged the price of the route that makes it. Needs max_price. */
  readonly allow_dearer?: boolean | null | undefined;
  /** Up to four further models of the same type. The order goes on to the next one if no upstream took it for the one before. It holds the price of the dearest, and is charged that of the model that makes it. */
  readonly fallback_models?: readonly string[] | null | undefined;
  /** Whether the order also goes on to the next of its fallback_models when an upstream refuses its content. */
  readonly fallback_on_content_policy?: boolean | null | undefined;
  /** Whether the order waits for unfinished tasks that it refers to (task:<task_id> in a media field, parent_task_id). Without it they are refused with 409 parent_not_ready. */
  readonly wait_for_parent?: boolean | null | undefined;
  /** How the task ends. Test keys only. */
  readonly simulate?: { readonly seconds?: number | undefined; readonly outcome?: 'succeeded' | 'content_policy' | 'upstream_error' | 'timeout' | 'outcome_unknown' | 'stuck' | 'late' | undefined; readonly explain?: boolean | undefined } | null | undefined;
  readonly [field: string]: unknown;
}

/** The body of a create or of a follow-up action. Models accept further fields: see input_schema of GET /v1/models/{model_id}. Any other field is refused; if it carries a picture, a film or a sound, the refusal names the fields that take media. */
export interface PriceQuestion {
  /** The id of a model. GET /v1/models lists the models that your key can order. */
  readonly model_id: string;
  /** The description of the output. Some models accept a reference instead. */
  readonly prompt?: string | null | undefined;
  /** What the output should not show. */
  readonly negative_prompt?: string | null | undefined;
  /** Always 1: one task makes one output. */
  readonly num_images?: number | null | undefined;
  /** Reference images. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The role of each image of image_urls, in the same sequence: some of the model's image_roles. Instead of the fields of these roles, such as mask_url. */
  readonly image_roles?: readonly ('reference' | 'mask' | 'control:depth' | 'control:pose' | 'control:edges' | 'style' | 'face' | 'first_frame' | 'last_frame')[] | null | undefined;
  /** The size class, such as 1K or 720p: one of the model's values. */
  readonly resolution?: string | null | undefined;
  /** Width to height, such as 16:9: one of the model's values. */
  readonly aspect_ratio?: string | null | undefined;
  /** The same seed with the same request gives a similar output. */
  readonly seed?: number | null | undefined;
  /** One of the model's styles. */
  readonly style?: string | null | undefined;
  /** Whether the vendor marks the output. */
  readonly watermark?: boolean | null | undefined;
  /** Whether the vendor rewrites the prompt. */
  readonly prompt_enhance?: boolean | null | undefined;
  /** The exact size as WIDTHxHEIGHT in pixels, instead of resolution and aspect_ratio. */
  readonly size?: string | null | undefined;
  /** The file type: png, jpeg or webp. */
  readonly output_format?: string | null | undefined;
  /** The quality of a jpeg or webp file, in percent. */
  readonly output_compression?: number | null | undefined;
  /** One of the model's speeds. batch costs less and is made within 24 hours. */
  readonly speed?: string | null | undefined;
  /** One of the model's quality levels. */
  readonly quality?: string | null | undefined;
  /** transparent, opaque or auto. */
  readonly background?: string | null | undefined;
  /** How far the output may differ from the reference, from 0 to 1. */
  readonly strength?: number | null | undefined;
  /** The area to change, in white. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly mask_url?: string | null | undefined;
  /** Images whose style is used. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly style_image_urls?: readonly string[] | null | undefined;
  /** The number of sampling steps. */
  readonly steps?: number | null | undefined;
  /** How closely the output follows the prompt. */
  readonly guidance_scale?: number | null | undefined;
  /** The length in seconds. */
  readonly duration?: string | number | null | undefined;
  /** Frames per second. */
  readonly fps?: number | null | undefined;
  /** The first frame. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly last_frame_url?: string | null | undefined;
  /** The video to edit or extend. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly video_url?: string | null | undefined;
  /** Reference videos. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference sounds. A URL, a data URI, upload:<file_id> or task:<task_id>. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** Whether the video has sound. */
  readonly generate_audio?: boolean | null | undefined;
  /** One of the model's camera movements. */
  readonly camera?: string | null | undefined;
  /** For a tool: the image or video that it works on, task:<task_id> or upload:<file_id>. */
  readonly source?: string | undefined;
  /** A follow-up action, to get its price. */
  readonly action?: string | null | undefined;
  /** The task that the action follows up on. */
  readonly parent_task_id?: string | null | undefined;
  /** The tile, for actions on a grid. */
  readonly index?: number | null | undefined;
  /** Up to 16 pairs of your own, returned with the task. */
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
  /** Your own customer. */
  readonly end_user?: string | null | undefined;
  /** URL that is notified when the task is final. */
  readonly webhook_url?: string | null | undefined;
  /** Where the outputs are copied to; by default the account's default destination. */
  readonly deliver_to?: { readonly url?: string | undefined; readonly urls?: readonly string[] | undefined; readonly headers?: { readonly [name: string]: string } | undefined; readonly destination?: string | undefined } | null | undefined;
  /** US dollars. A more expensive order is refused with 409 price_exceeded. */
  readonly max_price?: string | number | null | undefined;
  /** Whether the order may go to a route that is dearer than its price, up to max_price, if no cheaper one is ready. It holds highest_amount of its quote, and is charged the price of the route that makes it. Needs max_price. */
  readonly allow_dearer?: boolean | null | undefined;
  /** Up to four further models of the same type. The order goes on to the next one if no upstream took it for the one before. It holds the price of the dearest, and is charged that of the model that makes it. */
  readonly fallback_models?: readonly string[] | null | undefined;
  /** Whether the order also goes on to the next of its fallback_models when an upstream refuses its content. */
  readonly fallback_on_content_policy?: boolean | null | undefined;
  /** Whether the order waits for unfinished tasks that it refers to (task:<task_id> in a media field, parent_task_id). Without it they are refused with 409 parent_not_ready. */
  readonly wait_for_parent?: boolean | null | undefined;
  /** How the task ends. Test keys only. */
  readonly simulate?: { readonly seconds?: number | undefined; readonly outcome?: 'succeeded' | 'content_policy' | 'upstream_error' | 'timeout' | 'outcome_unknown' | 'stuck' | 'late' | undefined; readonly explain?: boolean | undefined } | null | undefined;
  readonly [field: string]: unknown;
}

/** At most 10,000 orders. As application/jsonl: one order per line, the other fields in the query. */
export interface BatchOrder {
  readonly orders: readonly BatchEntry[];
  /** US dollars for all orders together. A more expensive batch is refused with 409 price_exceeded. */
  readonly max_price?: string | number | null | undefined;
  /** How many of its tasks may run at once. */
  readonly max_parallel?: number | null | undefined;
  /** URL that is notified once, when all tasks are final. */
  readonly webhook_url?: string | null | undefined;
  /** Where outputs of orders without deliver_to are copied to: a destination. */
  readonly deliver_to?: { readonly url?: string | undefined; readonly urls?: readonly string[] | undefined; readonly headers?: { readonly [name: string]: string } | undefined; readonly destination?: string | undefined } | null | undefined;
  /** Up to 16 pairs of your own, returned with the batch. */
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
}

export interface EndUserChange {
  readonly limits: { readonly day?: string | null | undefined; readonly month?: string | null | undefined; readonly total?: string | null | undefined; readonly timezone?: string | undefined };
}

export interface NewClientToken {
  /** Your own customer, as in end_user of an order. */
  readonly end_user: string;
  /** Patterns such as 'flux-*', within what the key can order. An empty list allows none; left out = every model of the key. */
  readonly models?: readonly string[] | undefined;
  /** Which upstreams may get orders. All rules of an order hold: its own, and those of its key, account and client token. */
  readonly data?: { readonly only?: readonly string[] | undefined; readonly except?: readonly string[] | undefined; readonly country?: readonly string[] | undefined; readonly retention?: number | undefined; readonly training?: false | undefined } | undefined;
  /** US dollars that one order may cost at most. */
  readonly max_price?: string | null | undefined;
  /** Creates per minute of the end user; 0 = no limit. */
  readonly rpm?: number | undefined;
  /** Origins whose pages may use the token. An empty list allows none; left out = all. Not a security boundary. */
  readonly origins?: readonly string[] | undefined;
  /** Seconds. */
  readonly expires_in?: number | undefined;
}

export interface NewUpstreamKey {
  /** The upstream's key, as its console shows it. It is stored sealed and never answered. */
  readonly secret: string;
}

export interface NewShare {
  /** A task that has succeeded. */
  readonly task_id?: string | undefined;
  /** Instead of `task_id`: tasks that have succeeded, each once, in the order to show them in. */
  readonly task_ids?: readonly string[] | undefined;
  /** Seconds. The link ends earlier if all its files expire earlier. */
  readonly expires_in?: number | undefined;
  /** Whether the link shows the prompt, too. */
  readonly show_prompt?: boolean | undefined;
}

export interface NewTaskTags {
  /** All tags that the task shall have, at most 20; none removes them all */
  readonly tags: readonly string[];
}

/** Which upstreams may get orders. All rules of an order hold: its own, and those of its key, account and client token. */
export interface DataRule {
  /** The only upstreams that may get orders. */
  readonly only?: readonly string[] | undefined;
  /** Upstreams that get no orders. */
  readonly except?: readonly string[] | undefined;
  /** Countries where data may be processed: ISO 3166-1 codes such as DE. */
  readonly country?: readonly string[] | undefined;
  /** Days for which an upstream may keep data; 0 = none. */
  readonly retention?: number | undefined;
  /** false = upstreams that train on data get no orders. */
  readonly training?: false | undefined;
}

export interface NewDestination {
  readonly bucket: string;
  /** The origin of an S3-compatible server, such as https://s3.example.com; by default Amazon S3. */
  readonly endpoint?: string | null | undefined;
  /** Required for Amazon S3. */
  readonly region?: string | null | undefined;
  /** The names of the objects, with {task_id} and {n}, the number of the output; also {date} and {ext}. By default {date}/{task_id}-{n}.{ext}. */
  readonly path?: string | undefined;
  readonly access_key_id: string;
  /** It needs the right to put objects only. It is stored sealed and never answered. */
  readonly secret_access_key: string;
  /** Whether live orders without deliver_to go there. */
  readonly default?: boolean | undefined;
}

export interface Redelivery {
  /** By default as before, under the same names. */
  readonly deliver_to?: { readonly url?: string | undefined; readonly urls?: readonly string[] | undefined; readonly headers?: { readonly [name: string]: string } | undefined; readonly destination?: string | undefined } | undefined;
}

export interface MemberChange {
  readonly role?: 'viewer' | 'finance' | 'creator' | 'manager' | undefined;
  readonly limits?: { readonly day?: string | null | undefined; readonly month?: string | null | undefined; readonly total?: string | null | undefined; readonly timezone?: string | undefined } | undefined;
}

export interface NewInvitation {
  readonly role: 'viewer' | 'finance' | 'creator' | 'manager';
  readonly email?: string | null | undefined;
}

export interface NewAccountKey {
  readonly mode: 'live' | 'test';
  readonly name?: string | undefined;
  /** null = never */
  readonly expires_at?: string | null | undefined;
  /** patterns such as 'flux-*', at least one; null = every model */
  readonly models?: readonly string[] | null | undefined;
  /** 0 = no limit */
  readonly rpm?: number | undefined;
  /** 0 = no limit */
  readonly read_rpm?: number | undefined;
  /** 0 = no limit */
  readonly concurrency?: number | undefined;
  /** 0 = no limit */
  readonly queue?: number | undefined;
  readonly spend_limits?: { readonly day?: string | null | undefined; readonly month?: string | null | undefined; readonly total?: string | null | undefined } | undefined;
  /** for each end user that has no limit of its own */
  readonly end_user_limits?: { readonly day?: string | null | undefined; readonly month?: string | null | undefined; readonly total?: string | null | undefined } | undefined;
  /** the IANA time zone of the days and months of these limits, such as Europe/Berlin */
  readonly timezone?: string | undefined;
  readonly account_view?: boolean | undefined;
  readonly approve_over?: string | null | undefined;
}

export interface NewAccountProvenance {
  /** null = the service's own setting */
  readonly setting: 'off' | 'metadata' | 'c2pa' | null;
  /** true: the mark also contains the prompt */
  readonly prompt: boolean;
}

export interface NewDataRequest {
  readonly account_id: string;
  /** one end user of all keys of the account */
  readonly end_user?: string | undefined;
}

export interface NewErasure {
  readonly account_id: string;
  /** one end user of all keys of the account */
  readonly end_user?: string | undefined;
  /** true = uploads that name no end user go too, if only orders of this end user used them */
  readonly uploads?: boolean | undefined;
}

export interface KnownErasure {
  readonly erasure_id: string;
  readonly account_id: string;
  /** Null for a whole account. */
  readonly end_user_digest: string | null;
  /** Milliseconds since 1970 UTC. */
  readonly requested_at: number;
  readonly uploads?: true | undefined;
}

export interface RoleChange {
  /** null = as an operator */
  readonly account_id: string | null;
  /** null = none */
  readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner' | null;
}

export interface GetCatalogQuery {
  readonly type?: 'image' | 'video' | undefined;
}

export interface FindOriginQuery {
  /** the SHA-256 of the file, in lowercase hex */
  readonly sha256?: string | undefined;
}

export interface ListImagesQuery {
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  /** one or several of queued, processing, succeeded, failed, canceled, comma-separated */
  readonly status?: string | undefined;
  readonly model_id?: string | undefined;
  readonly end_user?: string | undefined;
  readonly parent_task_id?: string | undefined;
  /** the tasks of this batch */
  readonly batch_id?: string | undefined;
  /** words that the prompt or the model_id contains, in any order and case; or one exact task_id. Page with `next_after`. */
  readonly search?: string | undefined;
  /** ISO 8601, such as 2026-11-20T00:00:00Z */
  readonly created_after?: string | undefined;
  /** ISO 8601, such as 2026-11-21T00:00:00Z */
  readonly created_before?: string | undefined;
  /** a task_id: the tasks that follow it in the list, older ones */
  readonly after?: string | undefined;
  /** entries to skip, at most 10000 */
  readonly offset?: number | undefined;
  /** 1 to 40 characters without control characters; spaces around it are removed */
  readonly tag?: string | undefined;
  /** tags: each task of the answer has its `tags` */
  readonly include?: 'tags' | undefined;
}

export interface DeleteImageQuery {
  /** seconds until the prompt and the files are erased; the task is hidden at once, and can be restored until then */
  readonly after?: number | undefined;
}

export interface ListVideosQuery {
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  /** one or several of queued, processing, succeeded, failed, canceled, comma-separated */
  readonly status?: string | undefined;
  readonly model_id?: string | undefined;
  readonly end_user?: string | undefined;
  readonly parent_task_id?: string | undefined;
  /** the tasks of this batch */
  readonly batch_id?: string | undefined;
  /** words that the prompt or the model_id contains, in any order and case; or one exact task_id. Page with `next_after`. */
  readonly search?: string | undefined;
  /** ISO 8601, such as 2026-11-20T00:00:00Z */
  readonly created_after?: string | undefined;
  /** ISO 8601, such as 2026-11-21T00:00:00Z */
  readonly created_before?: string | undefined;
  /** a task_id: the tasks that follow it in the list, older ones */
  readonly after?: string | undefined;
  /** from 1 */
  readonly page?: number | undefined;
  /** 1 to 40 characters without control characters; spaces around it are removed */
  readonly tag?: string | undefined;
  /** tags: each task of the answer has its `tags` */
  readonly include?: 'tags' | undefined;
}

export interface DeleteVideoQuery {
  /** seconds until the prompt and the files are erased; the task is hidden at once, and can be restored until then */
  readonly after?: number | undefined;
}

export interface CreateBatchQuery {
  /** as in the JSON body; only for application/jsonl */
  readonly max_price?: string | undefined;
  /** as in the JSON body; only for application/jsonl */
  readonly max_parallel?: string | undefined;
  /** as in the JSON body; only for application/jsonl */
  readonly webhook_url?: string | undefined;
  /** the speed of orders that say none; also beside a JSON body */
  readonly speed?: string | undefined;
  /** a JSON object; only for application/jsonl */
  readonly deliver_to?: string | undefined;
  /** a JSON object; only for application/jsonl */
  readonly metadata?: string | undefined;
}

export interface ListBatchesQuery {
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  readonly status?: 'processing' | 'succeeded' | 'failed' | 'partial' | 'canceled' | undefined;
  /** ISO 8601 */
  readonly created_after?: string | undefined;
  /** ISO 8601 */
  readonly created_before?: string | undefined;
  /** a batch_id: older batches */
  readonly after?: string | undefined;
}

export interface QuoteBatchQuery {
  /** as in the JSON body; only for application/jsonl */
  readonly max_price?: string | undefined;
  /** as in the JSON body; only for application/jsonl */
  readonly max_parallel?: string | undefined;
  /** as in the JSON body; only for application/jsonl */
  readonly webhook_url?: string | undefined;
  /** the speed of orders that say none; also beside a JSON body */
  readonly speed?: string | undefined;
  /** a JSON object; only for application/jsonl */
  readonly deliver_to?: string | undefined;
  /** a JSON object; only for application/jsonl */
  readonly metadata?: string | undefined;
}

export interface ListBatchTasksQuery {
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  readonly status?: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled' | undefined;
  /** a task_id: those after it */
  readonly after?: string | undefined;
}

export interface GetBatchResultsQuery {
  /** zip: the outputs, named by batch_name or task_id, without compression; missing.jsonl lists tasks without one. */
  readonly format?: 'jsonl' | 'zip' | undefined;
}

export interface ListModelsQuery {
  readonly type?: 'image' | 'video' | undefined;
}

export interface GetUsageQuery {
  /** a date or time; by default 30 days before to */
  readonly from?: string | undefined;
  /** a date or time, itself excluded; by default now */
  readonly to?: string | undefined;
  /** one or several of day, model_id, status, end_user, comma-separated */
  readonly group_by?: string | undefined;
  /** the IANA time zone, such as Europe/Berlin, of days and of dates in from and to */
  readonly timezone?: string | undefined;
  /** only tasks of this end user */
  readonly end_user?: string | undefined;
  /** also how long results took, as seconds, of at most 100,000 tasks */
  readonly timing?: 'true' | 'false' | undefined;
  /** account needs a key made with --account-view */
  readonly scope?: 'key' | 'account' | undefined;
  /** rows at most */
  readonly limit?: number | undefined;
  /** the next_after of the page before: the rows after it, of the same span */
  readonly after?: string | undefined;
}

export interface ListLedgerQuery {
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  /** an entry_id: older entries */
  readonly after?: string | undefined;
  /** account needs a key made with --account-view */
  readonly scope?: 'key' | 'account' | undefined;
}

export interface ListRequestsQuery {
  /** a status such as 404, a class such as 4xx, or failed: 400 and above */
  readonly status?: string | undefined;
  /** the code of an error */
  readonly code?: string | undefined;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  /** ISO 8601, such as 2026-11-20T00:00:00Z */
  readonly since?: string | undefined;
  /** ISO 8601; itself excluded */
  readonly until?: string | undefined;
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  /** the next_after of the page before: older ones */
  readonly after?: string | undefined;
}

export interface ListEndUsersQuery {
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  /** an end_user: those that follow it by name */
  readonly after?: string | undefined;
}

export interface ListWebhookDeliveriesQuery {
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  /** a delivery_id: older deliveries */
  readonly after?: string | undefined;
  readonly status?: 'pending' | 'delivered' | 'failed' | undefined;
  readonly task_id?: string | undefined;
  /** account needs a key made with --account-view */
  readonly scope?: 'key' | 'account' | undefined;
}

export interface UploadFileQuery {
  /** Your own customer whose file it is. */
  readonly end_user?: string | undefined;
}

export interface ListSharesQuery {
  /** the links that show this task */
  readonly task_id?: string | undefined;
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  /** a share_id: the links that follow it, older ones */
  readonly after?: string | undefined;
}

export interface ListTagsQuery {
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  /** a tag: those that follow it by name */
  readonly after?: string | undefined;
}

export interface GetImageReceiptQuery {
  /** account needs a key made with --account-view */
  readonly scope?: 'key' | 'account' | undefined;
}

export interface GetVideoReceiptQuery {
  /** account needs a key made with --account-view */
  readonly scope?: 'key' | 'account' | undefined;
}

export interface GetBatchReceiptQuery {
  /** account needs a key made with --account-view */
  readonly scope?: 'key' | 'account' | undefined;
}

export interface ListMembersQuery {
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  /** a person_id: those that follow */
  readonly after?: string | undefined;
}

export interface RemoveMemberQuery {
  /** true = also revokes the keys that the answer lists, for good */
  readonly revoke_keys?: 'true' | 'false' | undefined;
}

export interface ListAccountTasksQuery {
  /** default: both */
  readonly type?: 'image' | 'video' | undefined;
  /** words that each order has: of the prompt, the model, the metadata, the name of who ordered; or an order's whole id, your own customer's id, a price */
  readonly search?: string | undefined;
  /** entries of a page, 1 to 100 */
  readonly limit?: number | undefined;
  /** a task_id: older orders */
  readonly after?: string | undefined;
}
