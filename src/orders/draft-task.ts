import type { Micros } from '@darkroom-service/contract';
import type { Quote } from '@darkroom-service/contract/catalog';
import { sql } from 'kysely';
import type { OrderingKey } from '../accounts/api-key.ts';
import { endUserColumns, isPartOfKey, scopeDigest } from '../accounts/scope.ts';
import { wireInput } from '../catalog/wire-input.ts';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { gatesOfMedia } from '../queue/gates.ts';
import { queueOf } from '../queue/queue-names.ts';
import { deadlineMsAt } from '../record/order-times.ts';
import { readTariff, storedTariff } from '../record/price-lists.ts';
import { storedRequest, storedRoute } from '../record/stored-json.ts';
import type { TaskMedia, TaskRow } from '../record/task.ts';
import { BEGUN_COLUMNS, NEW_TASK, TASK_COLUMNS } from '../record/task-columns.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { followedBy } from '../tasks/follower.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { WrittenJson } from '../views/task-view.ts';
import type { JudgedOrder } from './judge-order.ts';
import { defaultWebhookUrl } from './service-fields.ts';

/** The rank of a task in the queue, and the columns that depend on it. */
type QueuePosition = Pick<TaskRow, 'rank' | 'claimable'> & Partial<TaskRow>;

/** The task that an order becomes, without an id and a rank. */
export interface TaskDraft {
  readonly quote: Quote;
  /** The amount that it holds, and the most that it is charged. */
  readonly price: Micros;
  readonly idPrefix: 'img' | 'vid';
  readonly queue: string;
  /** Parts of the JSON in its row that its view shows. */
  readonly written: WrittenJson;
  /** The gates that its media and additions close. */
  readonly gates: number;
  readonly deadlineAt: number;
  rowOf(id: string, position: QueuePosition): TaskRow;
  /** Returns the record that a worker would read from a row of the order, without parsing what was written. */
  recordOf(row: TaskRow): TaskRecord;
}

/** Prepares the row of the task that a judged order becomes. */
export function draftTask(
  services: Pick<TaskServices, 'followers' | 'gates' | 'settings'>,
  order: JudgedOrder,
  now: number,
): TaskDraft {
  const { key, model, judged, fields, quote } = order;
  const { request } = judged;
  const simulate_json = fields.simulate === null ? null : JSON.stringify(fields.simulate);
  const queue = queueOf(order.route.engine, { mode: key.mode, simulate: fields.simulate });
  const input = { model_id: model.model_id, ...order.wireFields, ...wireInput(model, request) };
  const input_json = JSON.stringify(input);
  const gates = services.gates.reduce(
    (bits, { bit, closes }) => (closes({ input_json }) ? bits | bit : bits),
    gatesOfMedia(judged.media),
  );
  const scope = fields.endUser === null ? null : scopeDigest(key.id, fields.endUser);
  const wishes = {
    webhook_url: fields.webhookUrl ?? defaultWebhookUrl(services, key),
    deliver_json: order.deliverTo,
  };
  const deadlineAt = now + deadlineMsAt(services.settings, order.route.engine);
  const price = quote.hold ?? quote.consent?.highest ?? quote.amount;
  return {
    quote,
    price,
    idPrefix: request.type === 'image' ? 'img' : 'vid',
    queue,
    written: {
      input,
      lines: quote.lines,
      outputs: [],
      metadata: fields.metadata,
      simulate: fields.simulate,
      engine: order.route.engine,
    },
    gates,
    deadlineAt,
    rowOf: (id, position) => ({
      ...NEW_TASK,
      id,
      type: request.type,
      api_key_id: key.id,
      account_id: key.account.id,
      mode: key.mode,
      model_id: model.model_id,
      action: request.action,
      parent_task_id: order.parentTaskId,
      ...endUserColumns(fields.endUser),
      scope,
      metadata_json: JSON.stringify(fields.metadata),
      input_json,
      request_json: storedRequest(request, input),
      media_json: judged.media.length === 0 ? null : JSON.stringify(mediaFor(key, judged.media)),
      price,
      lines_json: JSON.stringify(quote.lines),
      price_basis_json: quote.exact ? null : JSON.stringify(quote.basis),
      price_list: storedTariff(quote),
      simulate_json,
      route_json: storedRoute(order.route),
      queue,
      next_at: deadlineAt,
      created_at: now,
      deadline_at: deadlineAt,
      expires_at: now + services.settings.retentionMs,
      ...wishes,
      followed: followedBy(services.followers, { ...wishes, input_json }),
      ...position,
      gates: gates | (position.gates ?? 0),
    }),
    recordOf: (row) => ({
      ...row,
      route: order.route,
      request,
      media: judged.media,
      simulate: fields.simulate,
      quote: {
        amount: quote.amount,
        lines: quote.lines,
        ...(quote.consent === undefined ? {} : { consent: quote.consent }),
        basis: quote.exact ? null : quote.basis,
        tariff: row.price_list === null ? null : readTariff(row.price_list),
      },
    }),
  };
}

/** Marks the media that will be stored later, when their caller is no longer known. */
function mediaFor(key: OrderingKey, media: readonly TaskMedia[]): readonly TaskMedia[] {
  if (!isPartOfKey(key)) return media;
  return media.map((medium) => (medium.stored === null ? { ...medium, isOfClient: true } : medium));
}

const insert = prepare<TaskRow, unknown>('insert_task', (builder, argument) => {
  const values = Object.fromEntries(TASK_COLUMNS.map((column) => [column, argument(column)]));
  return builder.insertInto('tasks').values(values as never);
});

const CONSTANTS: Readonly<Partial<Record<keyof TaskRow, string | number | null>>> = NEW_TASK;

/**
 * Makes an insert in which the columns that such tasks share are part of the statement: half the values need not be
 * bound.
 */
const insertAlike = (name: string, given: readonly (keyof TaskRow)[]) =>
  prepare<TaskRow, unknown>(name, (builder, argument) => {
    const values = Object.fromEntries(
      TASK_COLUMNS.map((column) => {
        const constant = given.includes(column) ? undefined : CONSTANTS[column];
        return [column, constant === undefined ? argument(column) : sql.lit(constant)];
      }),
    );
    return builder.insertInto('tasks').values(values as never);
  });
const insertNew = insertAlike('insert_new_task', []);
const insertBegun = insertAlike('insert_begun_task', BEGUN_COLUMNS);

/** Inserts a task in any state. */
export function insertTask(trx: Transaction, row: TaskRow): void {
  trx.send(insert, row);
}

/** Inserts a task that waits only in the queue, or has begun: it has all other values of `NEW_TASK`. */
export function insertNewTask(trx: Transaction, row: TaskRow): void {
  trx.send(row.step === 'waiting' ? insertNew : insertBegun, row);
}
