import { makeZip } from 'client-zip';
import { nearUrl } from '../../api/service-url.ts';
import type { Task } from '../../api/types.ts';
import { csvOf } from '../../components/csv.ts';
import { contactSheet, type SheetContent } from './contact-sheet.ts';
import { type Marks, markOf } from './marks.ts';
import { promptOf, secondsOf, seedOf } from './task-facts.ts';

export interface TableDownload extends SheetContent {
  readonly batchId: string;
  readonly marks: Marks;
}

const FIRST_COLUMNS = ['file', 'model_id', 'prompt', 'seed'];
const LAST_COLUMNS = ['price_usd', 'seconds', 'width', 'height', 'star', 'rejected', 'tags', 'task_id'];
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'video/quicktime': 'mov',
};

/**
 * Saves a ZIP archive with the files, a contact sheet and the settings as CSV.
 * @returns how many files could not be loaded
 */
export async function downloadTable(
  wanted: TableDownload,
  onProgress: (done: number, all: number) => void,
): Promise<number> {
  const missing = new Set<string>();
  const { tasks, batchId } = wanted;
  async function* entries() {
    for (const [index, task] of tasks.entries()) {
      onProgress(index, tasks.length);
      const input = await fetchOutput(task);
      if (input === null) missing.add(task.task_id);
      else yield { name: fileNameOf(task), lastModified: new Date(task.completed_at ?? task.created_at), input };
    }
    onProgress(tasks.length, tasks.length);
    const lastModified = new Date();
    yield { name: 'contact-sheet.jpg', lastModified, input: await contactSheet(wanted) };
    yield { name: 'settings.csv', lastModified, input: settingsCsv(wanted, missing) };
  }
  const blob = await new Response(makeZip(entries()), { headers: { 'content-type': 'application/zip' } }).blob();
  save(`${batchId}.zip`, blob);
  return missing.size;
}

/** One line for each result: its file, its settings, its facts, and what the user thinks of it. */
export function settingsCsv({ tasks, marks }: TableDownload, missing: ReadonlySet<string>): string {
  const isShown = (name: string) => !FIRST_COLUMNS.includes(name) && name !== 'num_images';
  const settings = [...new Set(tasks.flatMap(({ input }) => Object.keys(input)))].filter(isShown).sort();
  const rows = tasks.map((task) => {
    const { star, rejected, tags } = markOf(marks, task.task_id);
    const output = task.outputs[0];
    const values = settings.map((name) => {
      const value = task.input[name] ?? null;
      return value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
    });
    return [
      missing.has(task.task_id) ? null : fileNameOf(task),
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

function fileNameOf({ batch_name: name, task_id: id, outputs }: Task): string {
  const type = outputs[0]?.content_type ?? '';
  return `${name ?? id}.${EXTENSIONS[type] ?? type.split('/')[1] ?? 'bin'}`;
}

async function fetchOutput(task: Task): Promise<Response | null> {
  const response = await fetch(nearUrl(task.outputs[0]?.url ?? '')).catch(() => null);
  return response?.ok === true ? response : null;
}

function save(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Later, because the browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
