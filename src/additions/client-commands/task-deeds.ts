import type { OperatorTaskView } from '@darkroom-service/contract/admin-task';
import type { Command } from 'commander';
import { type ApiClient, clientOfEnvironment } from '../../cli/api-client.ts';
import { type OutputOptions, show, withNotes, withOutput } from '../../cli/output.ts';
import { idempotencyHeaders, type RepeatableOptions, withIdempotencyKey } from '../../cli/repeatable-command.ts';

type DeedOptions = OutputOptions & RepeatableOptions;

/** Adds what an operator does about an order that stands still. */
export function addTaskDeeds(tasks: Command): void {
  const deeds = [
    ['ask', 'ask', 'ask the upstream of a task now how it stands'],
    ['give-up', 'give_up', 'end a task whose outcome is unknown, and release its hold'],
  ] as const;
  for (const [name, path, description] of deeds) {
    const command = tasks.command(name).description(description).argument('<task_id>');
    withNotes(withIdempotencyKey(withOutput(command)), ['DARKROOM_API_KEY must be an admin key.']);
    command.action((taskId: string, options: DeedOptions) =>
      doTaskDeed(clientOfEnvironment(), taskId, { path, options }),
    );
  }
}

/** Asks about, cancels or gives up the order of any customer, with an admin key. */
export async function doTaskDeed(
  client: ApiClient,
  taskId: string,
  { path, options }: { readonly path: 'ask' | 'cancel' | 'give_up'; readonly options: DeedOptions },
): Promise<void> {
  const task = await client.post<OperatorTaskView>(`/admin/v1/tasks/${encodeURIComponent(taskId)}/${path}`, null, {
    headers: idempotencyHeaders(options),
  });
  const text = `${task.task_id}  ${task.status}  ${task.model_id}  of ${task.account_id}`;
  show(options, { json: task, text: task.standing === null ? text : `${text}\n  ${task.standing.sentence}` });
}
