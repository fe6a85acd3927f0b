import type { OrderingKey } from '../accounts/api-key.ts';
import type { JsonObject } from '../base/canonical-json.ts';
import { isKeyed } from '../base/keyed-engine.ts';
import type { Model, Quote } from '../catalog/model.ts';
import { wireInput } from '../catalog/wire-input.ts';
import { quoteAt } from '../pricing/key-fee.ts';
import { queueOf } from '../tasks/queue-names.ts';
import type { Route } from '../tasks/route.ts';
import { storedRequest, storedRoute } from '../tasks/stored-json.ts';
import { isUnfetched, type TaskMedia, type TaskRow } from '../tasks/task.ts';
import { NEW_TASK } from '../tasks/task-columns.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { tariffOf } from '../views/tariff.ts';
import type { JudgedMedia } from './order-media.ts';
import type { ServiceFields } from './service-fields.ts';

/** An order that everything but money and limits has agreed to. */
export interface JudgedOrder {
  readonly key: OrderingKey;
  readonly model: Model;
  readonly route: Route;
  readonly judged: JudgedMedia;
  readonly fields: ServiceFields;
  /** The request as the wire shows it, before the media are renamed. */
  readonly wireFields: JsonObject;
  readonly parentTaskId: string | null;
  /** Whether the parent of an action has not ended. */
  readonly waitsForParent?: boolean;
}

/** The rank of a task in the queue, and the columns that depend on it. */
export type QueuePosition = Pick<TaskRow, 'rank' | 'claimable'> & Partial<TaskRow>;

/** The task that an order becomes, without an id and a rank. */
export interface TaskDraft {
  readonly quote: Quote;
  readonly idPrefix: 'img' | 'vid';
  readonly queue: string;
  readonly input: JsonObject;
  /** Whether its references must be fetched first. */
  readonly unfetched: boolean;
  rowOf(id: string, position: QueuePosition): TaskRow;
}

/** Prices a judged order and prepares the row of its task. */
export function draftTask(services: Pick<TaskServices, 'settings'>, order: JudgedOrder, now: number): TaskDraft {
  const { key, model, judged, fields } = order;
  const { request, known } = judged;
  const tariff = tariffOf(services, key, model, isKeyed(order.route.engine));
  const quote = quoteAt(model, known.request, tariff, known.measurements);
  const simulate_json = fields.simulate === null ? null : JSON.stringify(fields.simulate);
  const queue = queueOf(order.route.engine, { mode: key.mode, simulate: fields.simulate });
  const input = { model_id: model.model_id, ...order.wireFields, ...wireInput(model, request) };
  const unfetched = judged.media.some(isUnfetched);
  return {
    quote,
    idPrefix: request.type === 'image' ? 'img' : 'vid',
    queue,
    input,
    unfetched,
    // One literal with every column: an object that grows by a spread is copied several times.
    rowOf: (id, position) => ({
      id,
      type: request.type,
      api_key_id: key.id,
      account_id: key.account.id,
      mode: key.mode,
      model_id: model.model_id,
      action: request.action,
      parent_task_id: order.parentTaskId,
      batch_id: null,
      batch_name: null,
      end_user: fields.endUser,
      metadata_json: JSON.stringify(fields.metadata),
      input_json: JSON.stringify(input),
      request_json: storedRequest(services.settings, request, input, now),
      media_json: judged.media.length === 0 ? null : JSON.stringify(mediaFor(key, judged.media)),
      price: quote.amount,
      lines_json: JSON.stringify(quote.lines),
      price_basis_json: quote.exact ? null : JSON.stringify(quote.basis),
      simulate_json,
      route_json: storedRoute(order.route),
      queue,
      next_at: now + services.settings.hardDeadlineMs,
      fetch_at: unfetched ? 0 : null,
      created_at: now,
      deadline_at: now + services.settings.hardDeadlineMs,
      expires_at: now + services.settings.retentionMs,
      webhook_url: fields.webhookUrl ?? key.account.webhookUrl,
      status: NEW_TASK.status,
      step: NEW_TASK.step,
      progress: NEW_TASK.progress,
      revision: NEW_TASK.revision,
      outputs_json: NEW_TASK.outputs_json,
      keep_json: NEW_TASK.keep_json,
      error_json: NEW_TASK.error_json,
      charged: NEW_TASK.charged,
      fence: NEW_TASK.fence,
      worker: NEW_TASK.worker,
      fetch_worker: NEW_TASK.fetch_worker,
      input_bytes: NEW_TASK.input_bytes,
      waiting_json: NEW_TASK.waiting_json,
      children_at: NEW_TASK.children_at,
      operation_json: NEW_TASK.operation_json,
      attempts: NEW_TASK.attempts,
      estimated_end_at: NEW_TASK.estimated_end_at,
      started_at: NEW_TASK.started_at,
      progressed_at: NEW_TASK.progressed_at,
      completed_at: NEW_TASK.completed_at,
      erased_end_user: NEW_TASK.erased_end_user,
      cancel_requested_at: NEW_TASK.cancel_requested_at,
      erased_at: NEW_TASK.erased_at,
      deleted_at: NEW_TASK.deleted_at,
      told_progress: NEW_TASK.told_progress,
      progress_changes: NEW_TASK.progress_changes,
      ...position,
    }),
  };
}

/** Marks the media that will be stored later, when their caller is not known any more. */
function mediaFor({ client }: OrderingKey, media: readonly TaskMedia[]): readonly TaskMedia[] {
  if (client === undefined) return media;
  return media.map((medium) => (medium.stored === null ? { ...medium, isOfClient: true } : medium));
}
