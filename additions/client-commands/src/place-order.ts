import type { ApiClient } from '@darkroom-service/addition-common/commands/api-client';
import { RefusedFault, UnreachableFault } from '@darkroom-service/addition-common/commands/client-faults';
import { type JsonObject, type TaskView, type Tombstone, world } from '@darkroom-service/contract';
import { CommandFault, show, usageFault, watchInterruption, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';
import { describeTask } from './describe-task.ts';
import { type FollowOptions, followTask, interruptedFault } from './follow-task.ts';
import { replaceFiles, uploadFile } from './media-files.ts';
import { needsTypes, type ParameterShape, typeFields, type Words } from './model-fields.ts';
import { checkTarget } from './save-target.ts';

export type OrderOptions = FollowOptions & { readonly wait: boolean; readonly idempotencyKey?: string };

/** Adds the options of every command that orders. */
export function withOrderOptions(command: Command): Command {
  return withSaveOptions(command)
    .option('--no-wait', 'return as soon as the order is accepted')
    .option('--idempotency-key <key>', 'orders only once, however often you run the command (default: a new key)')
    .allowUnknownOption()
    .allowExcessArguments();
}

export function withSaveOptions(command: Command): Command {
  return withOutput(command, "the file's name or URL")
    .option('-o, --output <file>', 'save the output in this file; - writes it to standard output')
    .option('--force', 'replace the file if it exists');
}

/** Sends an order and waits until it is done, unless `--no-wait` is given. */
export async function placeOrder(
  client: ApiClient,
  path: string,
  body: JsonObject,
  options: OrderOptions,
): Promise<void> {
  if (!options.wait && options.output !== undefined) {
    throw usageFault('--no-wait cannot be combined with -o, because the output exists only when the task is done.');
  }
  await checkTarget(options);
  const task = await submit(
    client,
    path,
    await replaceFiles(body, (field, path) => uploadFile(client, field, path, body.end_user)),
    options,
  );
  if ('deleted_at' in task) {
    const text = `${task.task_id} was ordered with this idempotency key before and deleted at ${task.deleted_at}.`;
    return show(options, { json: task, text, plain: task.task_id });
  }
  if (options.wait) return await followTask(client, task, options);
  show(options, { json: task, text: describeTask(task), plain: task.task_id });
}

async function submit(
  client: ApiClient,
  path: string,
  body: JsonObject,
  options: OrderOptions,
): Promise<TaskView | Tombstone> {
  const idempotencyKey = options.idempotencyKey ?? world.randomUUID();
  const { signal, release } = watchInterruption();
  try {
    const task = await client.post<TaskView | Tombstone>(path, body, {
      headers: { 'idempotency-key': idempotencyKey },
    });
    if (signal.aborted) throw interruptedFault(task);
    return task;
  } catch (error) {
    if (!(error instanceof CommandFault) || !mayHaveArrived(error)) throw error;
    const message = `${error.message}\nThe order may have been accepted. Run the same command with --idempotency-key ${idempotencyKey}: it finds the order, or orders it once.`;
    throw new CommandFault(message, { cause: error, document: error.document });
  } finally {
    release();
  }
}

/** Tells whether the service may have accepted the order in spite of the error. */
function mayHaveArrived(fault: CommandFault): boolean {
  if (fault instanceof UnreachableFault) return !fault.refused;
  return fault instanceof RefusedFault && fault.status >= 500;
}

/** Converts the fields to the types that the model expects. */
export async function fieldsForModel(client: ApiClient, modelId: string, fields: Words['fields']): Promise<JsonObject> {
  if (!needsTypes(fields)) return typeFields(fields, {});
  const path = `/v1/models/${encodeURIComponent(modelId)}`;
  const model = await client.get<{ parameters: Record<string, ParameterShape> }>(path);
  return typeFields(fields, model.parameters);
}
