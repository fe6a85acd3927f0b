import { ActionIcon, Button, Group, Kbd, Menu, Popover, Select, Slider, Text, Tooltip } from '@mantine/core';
import {
  IconColumns2,
  IconDownload,
  IconEyeOff,
  IconKeyboard,
  IconPlayerPause,
  IconPlayerPlay,
  IconZoomReset,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Task } from '../../api/types.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { lightTexts } from '../../texts/light.ts';
import classes from './light-table.module.css';
import type { Marks } from './marks.ts';
import type { TableLayout } from './table-layout.ts';
import { FIT, MOST_SCALE, type Zoom, zoomTo } from './zoom.ts';

const texts = lightTexts.tools;

/** Which results are shown: all, by their marks, or those of a tag. */
export type Shown = 'all' | 'starred' | 'kept' | `tag:${string}`;

/** What can be done with all results: zoom, filter, play, compare, download. */
export function Tools({
  batchId,
  layout,
  tasks,
  marks,
  nameOf,
  title,
  zoom,
  onZoom,
  shown,
  onShown,
  isIncluded,
  films,
  canCompare,
  onCompare,
  onBlind,
}: {
  readonly batchId: string;
  readonly layout: TableLayout;
  /** Those with a result. */
  readonly tasks: readonly Task[];
  readonly marks: Marks;
  readonly nameOf: (modelId: string) => string;
  readonly title: string;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  readonly shown: Shown;
  readonly onShown: (shown: Shown) => void;
  readonly isIncluded: (task: Task, choice: Shown) => boolean;
  /** Null if there are only pictures. */
  readonly films: { readonly isPlaying: boolean; readonly toggle: () => void } | null;
  readonly canCompare: boolean;
  readonly onCompare: () => void;
  readonly onBlind: () => void;
}) {
  const tags = [...new Set(Object.values(marks).flatMap((mark) => mark.tags ?? []))].sort();
  const options = [
    ...(['all', 'starred', 'kept'] as const).map((value) => ({ value: value as Shown, label: texts.shows[value] })),
    ...tags.map((tag) => ({ value: `tag:${tag}` as Shown, label: texts.tagged(tag) })),
  ];
  return (
    <div className={classes.tools} role="toolbar" aria-label={texts.label}>
      <Group gap={8} wrap="nowrap" className={classes.zoom ?? ''}>
        <Slider
          className={classes.zoomSlider ?? ''}
          min={1}
          max={MOST_SCALE}
          step={0.1}
          value={zoom.scale}
          onChange={(scale) => onZoom(zoomTo(zoom, scale))}
          label={(scale) => `${scale.toFixed(1)}×`}
          thumbLabel={texts.zoom}
          size={4}
        />
        <Tooltip label={texts.fit}>
          <ActionIcon variant="default" size={34} onClick={() => onZoom(FIT)} aria-label={texts.fit}>
            <IconZoomReset size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Select
        className={classes.shown ?? ''}
        size="sm"
        aria-label={texts.show}
        data={options}
        value={options.some(({ value }) => value === shown) ? shown : 'all'}
        onChange={(value) => onShown((value ?? 'all') as Shown)}
        allowDeselect={false}
      />
      {films !== null && (
        <Button
          variant="default"
          size="sm"
          leftSection={films.isPlaying ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          onClick={films.toggle}
        >
          {films.isPlaying ? texts.pause : texts.play}
        </Button>
      )}
      <Tooltip label={texts.compareHint} disabled={canCompare}>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconColumns2 size={16} />}
          onClick={() => canCompare && onCompare()}
          {...(canCompare ? {} : { 'data-disabled': true })}
          aria-disabled={!canCompare}
        >
          {texts.compare}
        </Button>
      </Tooltip>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconEyeOff size={16} />}
        onClick={onBlind}
        disabled={tasks.length < 2}
      >
        {texts.blind}
      </Button>
      <DownloadMenu
        batchId={batchId}
        layout={layout}
        tasks={tasks}
        marks={marks}
        nameOf={nameOf}
        title={title}
        isIncluded={isIncluded}
      />
      <KeyList />
    </div>
  );
}

function DownloadMenu({
  batchId,
  layout,
  tasks,
  marks,
  nameOf,
  title,
  isIncluded,
}: {
  readonly batchId: string;
  readonly layout: TableLayout;
  readonly tasks: readonly Task[];
  readonly marks: Marks;
  readonly nameOf: (modelId: string) => string;
  readonly title: string;
  readonly isIncluded: (task: Task, choice: Shown) => boolean;
}) {
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

function KeyList() {
  return (
    <Popover position="bottom-end" width={240}>
      <Popover.Target>
        <ActionIcon size={34} variant="default" aria-label={texts.keys} className={classes.keys ?? ''}>
          <IconKeyboard size={18} stroke={1.6} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <dl className={classes.keyList}>
          {texts.keyList.map(([key, what]) => (
            <div key={key}>
              <dt>
                <Kbd size="xs">{key}</Kbd>
              </dt>
              <dd>
                <Text size="sm">{what}</Text>
              </dd>
            </div>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}
