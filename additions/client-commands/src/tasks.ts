import { type ApiClient, clientOfEnvironment } from '@darkroom-service/addition-common/commands/api-client';
import type { OperatorTaskView, TaskView } from '@darkroom-service/contract';
import {
  CommandFault,
  idempotencyHeaders,
  type OutputOptions,
  type RepeatableOptions,
  shellWord,
  show,
  withIdempotencyKey,
  withNotes,
  withOutput,
} from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';
import { describeTask, isFinal, taskPath } from './describe-task.ts';
import { type FollowOptions, followTask, saveAndShow, unsuccessfulFault } from './follow-task.ts';
import { withSaveOptions } from './place-order.ts';
import { checkTarget } from './save-target.ts';
import { addTaskListCommand } from './task-list.ts';

/** Adds `darkroom tasks`: the tasks of this key, and an admin key's actions on those of others. */
export function addTasksCommand(program: Command): void {
  const tasks = program
    .command('tasks')
    .description('list, show, wait for, download, cancel and delete the tasks of this key');
  addTaskListCommand(tasks);
  addTaskActions(tasks);

  withOutput(tasks.command('show').description('show one task'))
    .argument('<task_id>')
    .action(async (taskId: string, options: OutputOptions) => {
      const task = await clientOfEnvironment().get<TaskView>(taskPath(taskId));
      show(options, { json: task, text: describeTask(task) });
    });

  withSaveOptions(tasks.command('wait').description('wait until a task ends, and save its output'))
    .argument('<task_id>')
    .action(async (taskId: string, options: FollowOptions) => {
      await checkTarget(options);
      const client = clientOfEnvironment();
      await followTask(client, await client.get<TaskView>(taskPath(taskId)), options);
    });

  withOutput(tasks.command('download').description('save the output of a succeeded task'), "the file's name")
    .argument('<task_id>')
    .requiredOption('-o, --output <file>', 'save the output in this file; - writes it to standard output')
    .option('--force', 'replace the file if it exists')
    .action(async (taskId: string, options: FollowOptions) => {
      await checkTarget(options);
      const client = clientOfEnvironment();
      const task = await client.get<TaskView>(taskPath(taskId));
      if (!isFinal(task)) {
        const command = `darkroom tasks wait ${taskId} -o ${shellWord(options.output ?? '')}`;
        throw new CommandFault(`${taskId} is ${task.status}. Wait for it: ${command}`);
      }
      if (task.status !== 'succeeded') throw unsuccessfulFault(task);
      await saveAndShow(client, task, options);
    });

  withIdempotencyKey(withOutput(tasks.command('cancel').description('cancel a task, if its engine can stop it')))
    .argument('<task_id>')
    .action(async (taskId: string, options: OutputOptions & RepeatableOptions) => {
      const client = clientOfEnvironment();
      if (client.mode === 'admin') return await runTaskAction(client, taskId, { path: 'cancel', options });
      const headers = idempotencyHeaders(options);
      const task = await client.post<TaskView>(`${taskPath(taskId)}/cancel`, null, { headers });
      const notice =
        task.status === 'canceled'
          ? ''
          : `\nThe engine is asked to stop. See how it ends: darkroom tasks wait ${taskId}`;
      show(options, { json: task, text: describeTask(task) + notice });
    });

  withOutput(tasks.command('delete').description('erase the prompt, inputs and outputs of a task that has ended'))
    .argument('<task_id>')
    .action(async (taskId: string, options: OutputOptions) => {
      const deleted = await clientOfEnvironment().delete<{ task_id: string }>(taskPath(taskId));
      show(options, { json: deleted, text: `${deleted.task_id} is erased.` });
    });
}

type DeedOptions = OutputOptions & RepeatableOptions;

/** Adds an operator's actions on an order that makes no progress. */
function addTaskActions(tasks: Command): void {
  const deeds = [
    ['ask', 'ask', 'ask the upstream of a task now how it stands'],
    ['give-up', 'give_up', 'end a task whose outcome is unknown, and release its hold'],
  ] as const;
  for (const [name, path, description] of deeds) {
    const command = tasks.command(name).description(description).argument('<task_id>');
    withNotes(withIdempotencyKey(withOutput(command)), ['DARKROOM_API_KEY must be an admin key.']);
    command.action((taskId: string, options: DeedOptions) =>
      runTaskAction(clientOfEnvironment(), taskId, { path, options }),
    );
  }
}

/** Asks about, cancels or gives up the order of any customer, with an admin key. */
async function runTaskAction(
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
