import { Type } from 'typebox';
import { OutputDelivery } from './delivery.ts';
import { ORDER_MODELS } from './order-models.ts';
import {
  type AnyObject,
  Currency,
  Flag,
  MediaType,
  Mode,
  Money,
  Nullable,
  refTo,
  Text,
  Time,
  Whole,
  type Wire,
} from './parts.ts';
import { BASIS, CONSENT, PriceLine } from './quote.ts';
import { DELAY_CODES, DELAYS, TASK_FAILURE_CODES, TASK_STATUSES, WARNING_CODES } from './words.ts';

export const Output = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'Signed URL of the file. It works without a key until url_expires_at, at least a day.',
    }),
    url_expires_at: Time,
    content_url: Type.String({
      format: 'uri',
      description: 'Permanent URL of the file. It needs the API key; store this one.',
    }),
    content_type: Type.String({ examples: ['image/png'] }),
    bytes: Whole,
    width: Nullable(Whole, 'Pixels.'),
    height: Nullable(Whole, 'Pixels.'),
    duration_seconds: Nullable(Type.Number(), 'Length of a video; null for an image.'),
    fps: Nullable(Type.Number(), 'Frames per second of a video; null for an image.'),
    has_audio: Nullable(Flag, 'Whether a video has sound; null for an image.'),
    sha256: Type.String({ description: 'SHA-256 of the file, in hex.' }),
    thumbnail_url: Nullable(Text, 'Signed URL of a small WebP image.'),
    preview_url: Nullable(Text, 'Signed URL of a small animated WebP made of a dozen frames; videos only.'),
    provenance: Type.Object(
      {
        state: Type.Enum(['marked', 'kept', 'none', 'failed'], {
          description:
            'marked: the file says how it was made, as read back from the written file. kept: it came with a mark that says that a machine made it, which stays. none: not asked for. failed: it could not be marked and is as the upstream made it.',
        }),
        standard: Nullable(Type.Enum(['metadata', 'c2pa']), 'What was asked for; null for none.'),
        reason: Type.Optional(
          Type.String({
            description: 'Why it failed; if it is marked, what of the file was left out, if anything was.',
          }),
        ),
      },
      { description: 'Whether this service marked the file as made by a machine.' },
    ),
    tiles: Nullable(Whole, 'Number of tiles if the output is a grid.'),
    seed: Nullable(Whole, 'The seed that was used, if the engine reports it.'),
    revised_prompt: Nullable(Text, 'The prompt as the vendor rewrote it, if it did.'),
    explanation: Type.Optional(
      Type.Array(Text, {
        description: 'How the built-in test engine read the prompt. Only present if simulate.explain was true.',
      }),
    ),
  },
  { $id: 'Output', description: 'A file that a task produced.' },
);

export const TaskError = Type.Object(
  {
    code: Type.Enum(TASK_FAILURE_CODES),
    message: Text,
    retry: Type.Enum(['never', 'new_order'], {
      description: 'new_order: the same request may succeed as a new order. never: change the request first.',
    }),
    charged: Type.Literal(false, { description: 'A failed task is never charged.' }),
  },
  { $id: 'TaskError', description: 'Why a task failed.' },
);

export const TaskWarning = Type.Object(
  {
    code: Type.Enum(WARNING_CODES, {
      description:
        'smaller, shorter: less than was ordered came, and cost.amount is the price of that. silent: no sound came. other_ratio, other_format, no_grid: as named. opaque: a transparent background was ordered, and the file can have none. other_quality, other_model: the upstream says that it used these. further_outputs: more came than was ordered, and was left out. price_unchanged: no price is known for what came, so the quote was charged.',
    }),
    field: Type.String({ description: 'The field of the order that it concerns.', examples: ['resolution'] }),
    ordered: Type.String({ examples: ['4K'] }),
    delivered: Type.String({ examples: ['512x512'] }),
  },
  { $id: 'TaskWarning', description: 'A way in which the result differs from what was ordered.' },
);

export const TaskDelay = Type.Object(
  {
    code: Type.Enum(DELAY_CODES, {
      description:
        'parent: it waits for other tasks (waiting_for). batch: its batch sends some orders at a time. held: the operator sends no orders. inputs: its input files are being fetched. step: a further step of the service comes first. model_paused, upstream_paused: the operator has paused the model or the upstream. upstream_refuses: the upstream refuses the credentials. upstream_away: the upstream fails. upstream_not_ready: it has not loaded the model. upstream_pause: it takes no orders for a moment. upstream_limit: a limit of the service for this upstream is reached. upstream_declined: the upstream has not accepted the order and is asked again. storage: results cannot be stored. no_process: no process of the service works on orders. key_limit: the key has as many orders in progress as it may. turn: orders before it use the upstream. More codes may follow.',
    }),
    message: Type.String({ description: 'Why it waits.', examples: ['The upstream fails.'] }),
    ends_when: Type.String({
      description: 'What lets it go on, as the end of a sentence that begins with "It goes on when".',
      examples: ['the upstream works again'],
    }),
    upstream: Nullable(Text, 'The kind of upstream that it waits for; null if it waits for something else.'),
    since: Nullable(Time, 'Since when this keeps it; null if that is not known.'),
    retry_at: Nullable(Time, 'When it is tried again by itself; null if that depends on something else.'),
  },
  {
    $id: 'TaskDelay',
    description:
      'Why a task waits and what lets it go on. Present while it waits before an upstream has it, or for the storage; that it waits for its turn is told after 2 seconds.',
  },
);

export const ActionOffer = Type.Object(
  {
    action: Type.String({
      description:
        'Send it to POST /v1/images/actions with parent_task_id. On a video, send it to POST /v1/videos with source.',
      examples: ['upscale'],
    }),
    model_id: Type.Optional(
      Type.String({ description: 'The tool that the action orders. Absent if it is of the model of the task.' }),
    ),
    price: {
      ...Money,
      description: 'US dollars, at the defaults. If it depends on a medium that is missing, the maximum.',
    },
    parameters: Type.Unsafe<Readonly<Record<string, object>>>({
      type: 'object',
      additionalProperties: true,
      description: 'JSON Schema of each field that the action accepts.',
    }),
  },
  { $id: 'ActionOffer', description: 'A follow-up action that can be ordered on a finished task.' },
);

export const Cost = Type.Object(
  {
    state: Type.Enum(['held', 'charged', 'released', 'refunded'], {
      description:
        'held until the task is final; charged if it succeeded; released if it failed or was canceled; refunded if the operator gave the charge back.',
    }),
    amount: Type.String({
      description: 'US dollars that are held or were charged; 0 if they were released or refunded.',
    }),
    refunded: Type.Optional(Type.String({ description: 'US dollars that were given back. Absent otherwise.' })),
    quoted: Type.String({ description: 'US dollars that were held when the order was placed. The maximum charge.' }),
    currency: Currency,
    ...BASIS,
    ...CONSENT,
    lines: Type.Array(refTo(PriceLine)),
  },
  { $id: 'Cost', description: 'What a task costs.' },
);

export const Task = Type.Object(
  {
    task_id: Type.String({ examples: ['img_01kafx2r5gq3v8m1t0z6y4n7wd'] }),
    type: MediaType,
    status: Type.Enum(TASK_STATUSES, { description: 'succeeded, failed and canceled are final.' }),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Percent. It never decreases.' }),
    queue_position: Nullable(
      Type.Integer({ minimum: 1 }),
      '1 means next. Null beyond 100, in lists, and once the task has started.',
    ),
    estimated_seconds: Nullable(Type.Number(), 'Seconds from now until the task is final, if an estimate exists.'),
    revision: Type.Integer({ description: 'Increases with every change of the task.' }),
    model_id: Text,
    ...ORDER_MODELS,
    action: Nullable(Text, 'The follow-up action; null for a plain create.'),
    parent_task_id: Nullable(Text, 'The task that a follow-up action was ordered on.'),
    waiting_for: Type.Optional(
      Type.Array(Text, {
        description:
          'The tasks that this one waits for, because it was ordered with wait_for_parent. Only present while it waits; its status is queued then.',
      }),
    ),
    delayed_by: Type.Optional(
      Type.Enum(DELAYS, {
        description:
          'What keeps the task from going on now; it goes on by itself afterwards. operator: orders are held or paused. upstream: it accepts no orders. storage: results cannot be stored. Absent otherwise.',
      }),
    ),
    delay: Type.Optional(refTo(TaskDelay)),
    batch_id: Nullable(Text, 'The batch that the order belongs to.'),
    batch_name: Nullable(Text, 'The name of the order within its batch.'),
    input: Type.Unsafe<Wire<typeof AnyObject>>({
      type: 'object',
      additionalProperties: true,
      description: 'The request with its defaults filled in.',
    }),
    outputs: Type.Array(refTo(Output), { description: 'Empty until the task has succeeded.' }),
    deliveries: Type.Optional(
      Type.Array(refTo(OutputDelivery), {
        description: 'Only present if the order has deliver_to; empty until the task has succeeded.',
      }),
    ),
    error: Nullable(refTo(TaskError), 'Null unless the task failed.'),
    warnings: Type.Optional(
      Type.Array(refTo(TaskWarning), {
        description: 'How the result differs from what was ordered. Only present if it does.',
      }),
    ),
    cost: refTo(Cost),
    available_actions: Type.Array(refTo(ActionOffer)),
    can_cancel: Flag,
    cancel_requested_at: Nullable(Time),
    end_user: Nullable(Text, 'Your own customer, as sent with the order.'),
    metadata: Type.Record(Text, Text, { description: 'Your own key-value pairs, as sent with the order.' }),
    tags: Type.Optional(
      Type.Array(Text, { description: 'Your tags. Only present in lists that were requested with include=tags.' }),
    ),
    mode: Mode,
    created_at: Time,
    started_at: Nullable(Time),
    completed_at: Nullable(Time),
    deadline_at: Type.String({
      format: 'date-time',
      description:
        'If the task is not final by then, it fails. While it waits for other tasks or for its batch, an estimate that is replaced when it enters the queue.',
    }),
    expires_at: Type.String({ format: 'date-time', description: 'When the files and the prompt are deleted.' }),
    urls: Type.Object({
      self: Type.String({ format: 'uri' }),
      cancel: Type.String({ format: 'uri' }),
      events: Type.Optional(
        Type.String({
          format: 'uri',
          description:
            'Signed URL of the server-sent events of this task. It works without a key. Absent if the operator has closed the streams.',
        }),
      ),
    }),
  },
  { $id: 'Task', description: 'An order, and what became of it.' },
);

export const DeletedTask = Type.Object(
  { task_id: Text, status: Type.Enum(TASK_STATUSES), deleted_at: Time },
  { $id: 'DeletedTask', description: 'What is left of a deleted task.' },
);

/** The answer of a create: the task, or its remains if a repeated create names a task that was deleted since. */
export const CreatedTask = Type.Union([refTo(Task), refTo(DeletedTask)]);

export const Deletion = Type.Object(
  {
    task_id: Text,
    deleted_at: Time,
    delete_at: Type.Optional({
      ...Time,
      description: 'Only with `after`: when the prompt and the files are erased. Until then the task can be restored.',
    }),
  },
  { $id: 'TaskDeletion', description: 'The confirmation that a task was deleted.' },
);

const page = { items: Type.Array(refTo(Task)), limit: Whole };
const after = Type.Optional(Type.String({ description: 'Present if the page was requested with after.' }));
const nextAfter = Type.Optional(
  Nullable(
    Text,
    'Only in a search: the `after` of the next page. A search examines a limited number of tasks at a time, so a page may be empty although more pages follow. Null at the end.',
  ),
);
export const ImagePage = Type.Object(
  { ...page, offset: Type.Optional(Whole), after, has_more: Flag, next_after: nextAfter },
  { $id: 'ImageTaskPage', description: 'A page of image tasks, newest first.' },
);
export const VideoPage = Type.Object(
  { ...page, page: Type.Optional(Whole), after, has_more: Flag, next_after: nextAfter },
  { $id: 'VideoTaskPage', description: 'A page of video tasks, newest first.' },
);

export type TaskView = Wire<typeof Task>;
export type OutputView = Wire<typeof Output>;
export type TaskDelayView = Wire<typeof TaskDelay>;
export type TaskWarningView = Wire<typeof TaskWarning>;
export type OfferView = Wire<typeof ActionOffer>;
export type Tombstone = Wire<typeof DeletedTask>;
export type DeletionView = Wire<typeof Deletion>;
