import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { PlainButton } from '../../components/buttons.ts';
import { SavingNote } from '../../components/saving-note.tsx';
import { useSaving } from '../../components/use-saving.ts';
import { lightTexts } from '../../texts/light.ts';
import classes from './light-table.module.css';
import type { Marks } from './marks.ts';
import type { TableLayout } from './table-layout.ts';

const texts = lightTexts.tools;

/** Which results are shown: all, by their marks, or those of a tag. */
export type Shown = 'all' | 'starred' | 'kept' | `tag:${string}`;

/** The results of a light table, and what their files are named by. */
export interface Downloadable {
  readonly batchId: string;
  readonly layout: TableLayout;
  /** Those with a result. */
  readonly tasks: readonly Task[];
  readonly marks: Marks;
  readonly nameOf: (modelId: string) => string;
  readonly title: string;
  readonly isIncluded: (task: Task, choice: Shown) => boolean;
}

/** Downloads the results as files with a list, all or by their marks. */
export function DownloadMenu({ batchId, layout, tasks, marks, nameOf, title, isIncluded }: Downloadable) {
  const saving = useSaving(async (choice: Shown, onProgress) => {
    const { downloadTable } = await import('./download-table.ts');
    const wanted = tasks.filter((task) => isIncluded(task, choice));
    return await downloadTable({ batchId, layout, tasks: wanted, marks, nameOf, title }, onProgress);
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <PlainButton
            size="sm"
            leftSection={<IconDownload size={16} />}
            disabled={tasks.length === 0}
            loading={saving.isSaving}
          >
            {texts.download}
          </PlainButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{texts.downloadHint}</Menu.Label>
          {(['all', 'starred', 'kept'] as const).map((choice) => (
            <Menu.Item
              key={choice}
              disabled={!tasks.some((task) => isIncluded(task, choice))}
              onClick={() => saving.save(choice)}
            >
              {texts.downloads[choice]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <SavingNote saving={saving} className={classes.downloading} />
    </>
  );
}
