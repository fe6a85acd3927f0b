import type { OutputView, TaskView } from '@darkroom-service/contract';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { type ErrorDocument, Refusal } from './call-api.ts';
import { pathOfTask } from './follow-task.ts';
import type { ToolContext } from './tool-context.ts';

/**
 * Maximum size of a thumbnail in a result. Clients accept about 1 MB per message, and base64 adds a third. A thumbnail
 * of 512 pixels is far smaller.
 */
const MOST_THUMBNAIL_BYTES = 524_288;

/** Returns a result whose text is the JSON of its data. */
export function dataResult(data: object, sentence?: string): CallToolResult {
  const text = `${sentence === undefined ? '' : `${sentence}\n\n`}${JSON.stringify(data)}`;
  return { content: [{ type: 'text', text }], structuredContent: { ...data } };
}

/** Returns the result of a failed call: code and message of the service, and fields such as the key of the order. */
export function errorResult(thrown: unknown, more: Readonly<Record<string, unknown>> = {}): CallToolResult {
  if (!(thrown instanceof Refusal)) throw thrown;
  const { error } = thrown;
  const facts = Object.entries(more).map(([name, value]) => `\n${name}: ${String(value)}`);
  const text = `${error.code}: ${messageOf(error)}${facts.join('')}`;
  return { content: [{ type: 'text', text }], structuredContent: { error, ...more }, isError: true };
}

/** Returns the result of a task: its outcome, its thumbnail, and a link to each output. */
export async function taskResult(
  context: ToolContext,
  task: TaskView,
  more: Readonly<Record<string, unknown>> = {},
): Promise<CallToolResult> {
  const data = { ...compactTask(task), ...more };
  const { content, ...result } = dataResult(data, sentenceFor(task, more.replayed === true));
  const links = task.outputs.map((output): ContentBlock => linkTo(task, output));
  const thumbnail = task.outputs.length === 0 ? null : await thumbnailOf(context, task);
  return {
    ...result,
    content: [...content, ...(thumbnail === null ? [] : [thumbnail]), ...links],
    ...(task.status === 'failed' ? { isError: true } : {}),
  };
}

/** Returns the fields of a task that an agent needs. */
export function compactTask(task: TaskView) {
  const { task_id, type, status, progress, queue_position, estimated_seconds, model_id, action } = task;
  const {
    parent_task_id,
    waiting_for,
    batch_id,
    batch_name,
    error,
    warnings,
    available_actions,
    can_cancel,
    created_at,
    completed_at,
  } = task;
  const { requested_model_id, tried_models } = task;
  const { lines: _, ...cost } = task.cost;
  return {
    task_id,
    type,
    status,
    progress,
    queue_position,
    estimated_seconds,
    model_id,
    ...(requested_model_id === undefined ? {} : { requested_model_id, tried_models }),
    action,
    parent_task_id,
    outputs: task.outputs.map(({ sha256: _, thumbnail_url, preview_url, ...output }) => output),
    ...(waiting_for === undefined ? {} : { waiting_for }),
    ...(batch_id === null ? {} : { batch_id, batch_name }),
    ...(warnings === undefined ? {} : { warnings }),
    error,
    cost,
    available_actions,
    can_cancel,
    created_at,
    completed_at,
  };
}

function sentenceFor(task: TaskView, replayed: boolean): string {
  const before = replayed
    ? `An equal call ordered this task at ${task.created_at}; nothing new was ordered. For another result of the same words, pass a new idempotency_key. `
    : '';
  const { status, task_id: id, cost } = task;
  if (status === 'succeeded') {
    const told = (task.warnings ?? []).map(
      ({ code, ordered, delivered }) => `${code}, ordered ${ordered}, got ${delivered}`,
    );
    const other = told.length === 0 ? '' : ` It differs from the order: ${told.join('; ')}.`;
    return `${before}${id} succeeded and cost ${cost.amount} USD.${other}`;
  }
  if (status === 'canceled') return `${before}${id} was canceled. Nothing was charged.`;
  if (status === 'failed') {
    const again = task.error?.retry === 'new_order' ? ' A new order needs a new idempotency_key.' : '';
    return `${before}${id} failed: ${task.error?.message ?? 'no reason is known'} (${task.error?.code ?? 'unknown'}). Nothing was charged.${again}`;
  }
  const reason = task.waiting_for === undefined ? `${task.progress} %` : `waits for ${task.waiting_for.join(', ')}`;
  return `${before}${id} is ${status} (${reason}). Call wait_for_task with this task_id to wait on; do not order again.`;
}

function linkTo(task: TaskView, output: OutputView): ContentBlock {
  const ending = output.content_type.split('/')[1] ?? 'bin';
  return {
    type: 'resource_link',
    uri: output.url,
    name: `${task.task_id}.${ending}`,
    description: `The original. The address works without a key until ${output.url_expires_at}.`,
    mimeType: output.content_type,
    size: output.bytes,
  };
}

/**
 * Returns a thumbnail; null if the output has none, or if it cannot be read now: the link leads to the original anyway.
 */
async function thumbnailOf({ call }: ToolContext, { task_id: taskId }: TaskView): Promise<ContentBlock | null> {
  try {
    const answer = await call({ method: 'GET', path: `${pathOfTask(taskId)}/content?variant=thumbnail` });
    if (answer.status !== 200 || answer.bytes.length > MOST_THUMBNAIL_BYTES) return null;
    const data = Buffer.from(answer.bytes).toString('base64');
    return { type: 'image', data, mimeType: answer.header('content-type') ?? 'image/webp' };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Returns all faults of a body, one per line; a single one alone. */
function messageOf({ message, details = [] }: ErrorDocument): string {
  const faults = details.filter((detail): detail is { readonly message: string } => 'message' in detail);
  return faults.length > 1 ? faults.map((fault) => fault.message).join('\n') : message;
}
