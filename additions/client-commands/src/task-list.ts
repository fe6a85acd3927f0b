import { type ApiClient, clientOfEnvironment } from '@darkroom-service/addition-common/commands/api-client';
import { cutText, given, isId, type TaskView, world } from '@darkroom-service/contract';
import {
  type OutputOptions,
  parseDuration,
  show,
  table,
  usageFault,
  withOutput,
} from '@darkroom-service/darkroom/kernel-cli';
import { type Command, Option } from 'commander';

type TaskType = 'image' | 'video';

interface ListOptions extends OutputOptions {
  readonly type?: TaskType;
  readonly status?: string;
  readonly model?: string;
  readonly endUser?: string;
  readonly tag?: string;
  readonly search?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly after?: string;
  readonly limit: number;
  readonly all?: boolean;
}

interface TaskPage {
  readonly items: readonly TaskView[];
  readonly has_more: boolean;
  /** Id after which a search continues, also after an empty page. */
  readonly next_after?: string | null;
}

/** Maximum page size of the service. */
const PAGE = 100;
/** Time for which reads are retried: a long list must survive a busy moment of the service. */
const PATIENCE_MS = 60_000;
const PROMPT_LENGTH = 50;

/** Adds `darkroom tasks list`. */
export function addTaskListCommand(tasks: Command): void {
  withOutput(tasks.command('list').description('list tasks, newest first'), 'their ids')
    .addOption(new Option('--type <type>', 'only images or only videos').choices(['image', 'video']))
    .option('--status <status>', 'only these, such as queued,processing')
    .option('--model <model_id>', 'only of this model')
    .option('--end-user <id>', 'only of this end user')
    .option('--tag <tag>', 'only with this tag')
    .option('--search <words>', 'only with these words in the prompt or the model id')
    .option('--created-after <time>', 'only newer ones: a time such as 2026-11-20T00:00:00Z, or 24h for the last day')
    .option('--created-before <time>', 'only older ones')
    .option('--after <task_id>', 'continue after this task')
    .option('--limit <n>', 'list at most this many', readLimit, 20)
    .option('--all', 'list all tasks')
    .action(async (options: ListOptions) => {
      const page = await listTasks(clientOfEnvironment(), options);
      show(options, { json: page, text: overview(page), plain: page.items.map((task) => task.task_id).join('\n') });
    });
}

/** Yields the pages of a list of one type, newest first. */
export async function* readTaskPages(
  client: ApiClient,
  type: TaskType,
  filters: Readonly<Record<string, string>>,
): AsyncGenerator<TaskPage> {
  for (let after: string | undefined; ; ) {
    const query = new URLSearchParams({ ...filters, ...(after === undefined ? {} : { after }) });
    const page = await client.get<TaskPage>(`/v1/${type}s?${query}`, {
      patienceMs: after === undefined ? 0 : PATIENCE_MS,
    });
    yield page;
    after = page.next_after ?? page.items.at(-1)?.task_id;
    if (!page.has_more || after === undefined) return;
  }
}

/** Lists tasks. The service has separate lists of images and videos; without a type both are read and merged. */
async function listTasks(client: ApiClient, options: ListOptions): Promise<TaskPage> {
  const limit = options.all === true ? Number.POSITIVE_INFINITY : options.limit;
  const types = options.type === undefined ? (['image', 'video'] as const) : [options.type];
  const lists = types.map((type) => new List(client, type, filtersOf(options, type, Math.min(PAGE, limit))));
  const items: TaskView[] = [];
  while (items.length < limit) {
    await Promise.all(lists.map((list) => list.fill()));
    const [next] = lists.filter((list) => list.items.length > 0).sort((a, b) => (a.newest < b.newest ? 1 : -1));
    const task = next?.items.shift();
    if (task === undefined) break;
    items.push(task);
  }
  return { items, has_more: lists.some((list) => list.hasMore) };
}

/** The tasks of one type, read page by page. */
class List {
  items: TaskView[] = [];
  #pages: AsyncGenerator<TaskPage>;
  #mayHaveMore = true;

  constructor(client: ApiClient, type: TaskType, filters: Readonly<Record<string, string>>) {
    this.#pages = readTaskPages(client, type, filters);
  }

  get hasMore(): boolean {
    return this.items.length > 0 || this.#mayHaveMore;
  }

  /** Returns the newest id. Ids of both types sort by time after their prefix. */
  get newest(): string {
    return this.items[0]?.task_id.slice(PREFIX_LENGTH) ?? '';
  }

  async fill(): Promise<void> {
    // A page of a search may be empty although more follow.
    while (this.items.length === 0 && this.#mayHaveMore) {
      const { value, done } = await this.#pages.next();
      this.items = done ? [] : [...value.items];
      this.#mayHaveMore = !done && value.has_more;
    }
  }
}

const PREFIX_LENGTH = 'img_'.length;

function filtersOf(options: ListOptions, type: TaskType, limit: number): Record<string, string> {
  const { status, model, endUser, tag, search, createdAfter, createdBefore, after } = options;
  return given({
    limit: String(limit),
    status,
    model_id: model,
    end_user: endUser,
    tag,
    search,
    created_after: createdAfter === undefined ? undefined : readTime(createdAfter, '--created-after'),
    created_before: createdBefore === undefined ? undefined : readTime(createdBefore, '--created-before'),
    after: after === undefined ? undefined : idOfType(after, type),
  });
}

/** Returns the position at which the list of the other type continues: an id with the same time. */
function idOfType(taskId: string, type: TaskType): string {
  if (!isId(taskId, 'img', 'vid')) throw usageFault(`--after: expected the id of a task, found '${taskId}'`);
  return (type === 'image' ? 'img_' : 'vid_') + taskId.slice(PREFIX_LENGTH);
}

/** Reads a time. A duration such as `24h` means this long ago. The service judges other texts. */
function readTime(text: string, option: string): string {
  if (!/^\d+[smhdw]$/.test(text)) return text;
  return new Date(world.now() - parseDuration(text, option)).toISOString();
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageFault(`--limit: expected a whole number from 1 on, found '${text}'`);
}

function overview(page: TaskPage): string {
  if (page.items.length === 0) return 'No such tasks.';
  const rows = page.items.map((task) => [
    task.task_id,
    task.status,
    task.model_id,
    task.cost.amount,
    task.created_at.slice(0, 19).replace('T', ' '),
    typeof task.input.prompt === 'string' ? cutText(task.input.prompt.replaceAll(/\s+/g, ' '), PROMPT_LENGTH) : null,
  ]);
  const more = page.has_more
    ? `\nThere are more. Add --after ${page.items.at(-1)?.task_id} for the next ones, or --all.`
    : '';
  return table(['TASK', 'STATUS', 'MODEL', 'USD', 'CREATED', 'PROMPT'], rows) + more;
}
