import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Task } from '../../api/types.ts';
import { ErrorNote } from '../../components/error-note.tsx';
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
  const [done, setDone] = useState<readonly [number, number] | null>(null);
  const download = useMutation({
    mutationFn: async (choice: Shown) => {
      const { downloadTable } = await import('./download-table.ts');
      const wanted = tasks.filter((task) => isIncluded(task, choice));
      return await downloadTable({ batchId, layout, tasks: wanted, marks, nameOf, title }, (...count) =>
        setDone(count),
      );
    },
    onSettled: () => setDone(null),
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconDownload size={16} />}
            disabled={tasks.length === 0}
            loading={download.isPending}
          >
            {texts.download}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{texts.downloadHint}</Menu.Label>
          {(['all', 'starred', 'kept'] as const).map((choice) => (
            <Menu.Item
              key={choice}
              disabled={!tasks.some((task) => isIncluded(task, choice))}
              onClick={() => download.mutate(choice)}
            >
              {texts.downloads[choice]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <output className={classes.downloading}>
        {done !== null && texts.downloading(...done)}
        {(download.data ?? 0) > 0 && texts.incomplete(download.data ?? 0)}
      </output>
      {download.error !== null && <ErrorNote title={texts.downloadFailed} error={download.error} />}
    </>
  );
}
