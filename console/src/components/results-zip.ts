import type { TaskView as Task } from '@darkroom-service/contract';
import { makeZip } from 'client-zip';
import { markOf } from '../api/marks.ts';
import { saveFile } from '../api/save-answer.ts';
import { nearUrl } from '../api/service-url.ts';
import { csvOf } from './csv.ts';
import { promptOf, secondsOf, seedOf } from './task-facts.ts';

interface ResultsZip {
  /** Name of the archive, without the extension. */
  readonly name: string;
  /** Tasks that have results, with their tags. */
  readonly tasks: readonly Task[];
  /** Returns the name of a task's file, without the extension. */
  readonly nameOf: (task: Task) => string;
}

const FIRST_COLUMNS = ['file', 'model_id', 'prompt', 'seed'];
const LAST_COLUMNS = ['price_usd', 'seconds', 'width', 'height', 'star', 'rejected', 'tags', 'task_id'];
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'video/quicktime': 'mov',
};

/**
 * Saves a ZIP archive with the files, and the settings as CSV.
 * @returns number of files that could not be loaded
 */
export async function saveResultsZip(zip: ResultsZip, onDone: (done: number) => void): Promise<number> {
  const missing = new Set<string>();
  const { name, tasks } = zip;
  async function* entries() {
    for (const [index, task] of tasks.entries()) {
      onDone(index);
      const input = await fetchOutput(task);
      if (input === null) missing.add(task.task_id);
      else yield { name: fileOf(zip, task), lastModified: new Date(task.completed_at ?? task.created_at), input };
    }
    onDone(tasks.length);
    yield { name: 'settings.csv', lastModified: new Date(), input: settingsCsv(zip, missing) };
  }
  const blob = await new Response(makeZip(entries()), { headers: { 'content-type': 'application/zip' } }).blob();
  saveFile(`${name}.zip`, blob);
  return missing.size;
}

/** Returns a table with a row for each result: its file, its settings, its properties, and the user's rating. */
function settingsCsv(zip: ResultsZip, missing: ReadonlySet<string>): string {
  const isShown = (name: string) => !FIRST_COLUMNS.includes(name) && name !== 'num_images';
  const settings = [...new Set(zip.tasks.flatMap(({ input }) => Object.keys(input)))].filter(isShown).sort();
  const rows = zip.tasks.map((task) => {
    const { star, rejected, tags } = markOf(task.tags ?? []);
    const output = task.outputs[0];
    const values = settings.map((name) => {
      const value = task.input[name] ?? null;
      return value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
    });
    return [
      missing.has(task.task_id) ? null : fileOf(zip, task),
      task.model_id,
      promptOf(task),
      seedOf(task),
      ...values,
      task.cost.amount,
      secondsOf(task),
      output?.width,
      output?.height,
      star ? 1 : null,
      rejected ? 1 : null,
      tags.join('; '),
      task.task_id,
    ];
  });
  return csvOf([...FIRST_COLUMNS, ...settings, ...LAST_COLUMNS], rows);
}

function fileOf({ nameOf }: ResultsZip, task: Task): string {
  const type = task.outputs[0]?.content_type ?? '';
  return `${nameOf(task)}.${EXTENSIONS[type] ?? type.split('/')[1] ?? 'bin'}`;
}

async function fetchOutput(task: Task): Promise<Response | null> {
  const url = task.outputs[0]?.url;
  if (url === undefined) return null;
  const response = await fetch(nearUrl(url)).catch(() => null);
  return response?.ok === true ? response : null;
}
