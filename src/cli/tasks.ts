import { type Command, Option } from 'commander';
import type { ApiClient } from './api-client.ts';
import { CommandFault } from './command-fault.ts';
import { type FollowOptions, followTask, saveAndShow, unsuccessfulFault } from './follow-task.ts';
import { type OutputOptions, show, table, withOutput } from './output.ts';
import { clientOfEnvironment, withSaveOptions } from './place-order.ts';
import { checkTarget } from './save-target.ts';
import { describeTask, isFinal, type TaskShape, taskPath } from './task-shape.ts';

interface ListOptions extends OutputOptions {
  readonly type?: 'image' | 'video';
  readonly status?: string;
  readonly model?: string;
  readonly limit: string;
}

interface TaskPage {
  readonly items: readonly TaskShape[];
  readonly has_more: boolean;
}

/** Adds `darkroom tasks`: the tasks of this key. */
export function addTasksCommand(program: Command): void {
  const tasks = program
    .command('tasks')
    .description('list, show, await, download, cancel and delete the tasks of this key');
  withOutput(tasks.command('list').description('list tasks, newest first'), 'their ids')
    .addOption(new Option('--type <type>', 'only these (default: both)').choices(['image', 'video']))
    .option('--status <status>', 'such as queued,processing')
    .option('--model <model_id>', 'of this model only')
    .option('--limit <n>', 'how many, at most 100', '20')
    .action(async (options: ListOptions) => {
      const page = await listTasks(clientOfEnvironment(), options);
      show(options, { json: page, text: overview(page), plain: page.items.map((task) => task.task_id).join('\n') });
    });

  withOutput(tasks.command('show').description('show one task'))
    .argument('<task_id>')
    .action(async (taskId: string, options: OutputOptions) => {
      const task = await clientOfEnvironment().get<TaskShape>(taskPath(taskId));
      show(options, { json: task, text: describeTask(task) });
    });

  withSaveOptions(tasks.command('wait').description('wait until a task is final, and save its output'))
    .argument('<task_id>')
    .action(async (taskId: string, options: FollowOptions) => {
      await checkTarget(options);
      const client = clientOfEnvironment();
      await followTask(client, await client.get<TaskShape>(taskPath(taskId)), options);
    });

  withOutput(tasks.command('download').description('save the output of a finished task'), "the file's name")
    .argument('<task_id>')
    .requiredOption('-o, --output <file>', 'save the output here')
    .option('--force', 'replace the file if it exists')
    .action(async (taskId: string, options: FollowOptions) => {
      await checkTarget(options);
      const client = clientOfEnvironment();
      const task = await client.get<TaskShape>(taskPath(taskId));
      if (!isFinal(task)) {
        throw new CommandFault(`${taskId} is ${task.status}. Wait for it: darkroom tasks wait ${taskId} -o <file>`);
      }
      if (task.status !== 'succeeded') throw unsuccessfulFault(task);
      await saveAndShow(client, task, options);
    });

  withOutput(tasks.command('cancel').description('stop a task, where its engine can'))
    .argument('<task_id>')
    .action(async (taskId: string, options: OutputOptions) => {
      const task = await clientOfEnvironment().post<TaskShape>(`${taskPath(taskId)}/cancel`, null);
      const wish =
        task.status === 'canceled' ? '' : '\nThe engine was asked to stop; darkroom tasks wait tells how it ended.';
      show(options, { json: task, text: describeTask(task) + wish });
    });

  withOutput(tasks.command('delete').description('erase the prompt, inputs and outputs of a final task'))
    .argument('<task_id>')
    .action(async (taskId: string, options: OutputOptions) => {
      const deleted = await clientOfEnvironment().delete<{ task_id: string }>(taskPath(taskId));
      show(options, { json: deleted, text: `${deleted.task_id} is erased.` });
    });
}

/** Lists tasks. The service has separate lists of images and videos; without a type both are read and merged. */
async function listTasks(client: ApiClient, options: ListOptions): Promise<TaskPage> {
  const query = new URLSearchParams({ limit: options.limit });
  if (options.status !== undefined) query.set('status', options.status);
  if (options.model !== undefined) query.set('model_id', options.model);
  const types = options.type === undefined ? (['image', 'video'] as const) : [options.type];
  const pages = await Promise.all(types.map((type) => client.get<TaskPage>(`/v1/${type}s?${query}`)));
  const items = pages.flatMap((page) => page.items).sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const limit = Number(options.limit);
  return { items: items.slice(0, limit), has_more: items.length > limit || pages.some((page) => page.has_more) };
}

function overview(page: TaskPage): string {
  if (page.items.length === 0) return 'There are no such tasks.';
  const rows = page.items.map((task) => [
    task.task_id,
    task.status,
    task.model_id,
    task.cost.amount,
    task.created_at.slice(0, 19).replace('T', ' '),
    typeof task.input.prompt === 'string' ? task.input.prompt.replaceAll(/\s+/g, ' ').slice(0, 50) : null,
  ]);
  const more = page.has_more ? '\nThere are more: --limit 100.' : '';
  return table(['TASK', 'STATUS', 'MODEL', 'USD', 'CREATED', 'PROMPT'], rows) + more;
}
