import { type OnProgress, saveResultsZip } from '../../components/results-zip.ts';
import { contactSheet, type SheetContent } from './contact-sheet.ts';
import type { Marks } from './marks.ts';

export interface TableDownload extends SheetContent {
  readonly batchId: string;
  readonly marks: Marks;
}

/**
 * Saves results of a light table with a contact sheet.
 * @returns how many files could not be loaded
 */
export async function downloadTable(table: TableDownload, onProgress: OnProgress): Promise<number> {
  const { batchId, marks, tasks } = table;
  return await saveResultsZip(
    {
      name: batchId,
      tasks,
      tagsOf: ({ task_id: id }) => marks[id] ?? [],
      nameOf: ({ batch_name: name, task_id: id }) => name ?? id,
      sheet: () => contactSheet(table),
    },
    onProgress,
  );
}
