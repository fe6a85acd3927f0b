import { ActionIcon, Group, Kbd, Popover, Select, Slider, Text } from '@mantine/core';
import { IconKeyboard, IconPlayerPause, IconPlayerPlay, IconZoomReset } from '@tabler/icons-react';
import { PlainButton } from '../../../components/buttons.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { lightTexts } from '../../../texts/light.ts';
import { type Marks, markIn } from './marks.ts';
import classes from './table.module.css';
import { axisLabel } from './table-view.ts';
import type { CellSize } from './use-cell-size.ts';

const texts = lightTexts.tools;

/** Which results are shown: all, by their marks, or those of a tag. */
export type Shown = 'all' | 'starred' | 'kept' | `tag:${string}`;

/** How the table shows its results: their size, the columns, a filter; films play. */
export function Tools({
  marks,
  size,
  axes,
  axis,
  onAxis,
  shown,
  onShown,
  films,
}: {
  readonly marks: Marks;
  readonly size: CellSize;
  /** The fields that the columns can be of. */
  readonly axes: readonly string[];
  readonly axis: string;
  readonly onAxis: (axis: string) => void;
  readonly shown: Shown;
  readonly onShown: (shown: Shown) => void;
  /** Null if there are only pictures. */
  readonly films: { readonly isPlaying: boolean; readonly toggle: () => void } | null;
}) {
  const tags = [...new Set(Object.keys(marks).flatMap((taskId) => markIn(marks, taskId).tags))].sort();
  const options = [
    ...(['all', 'starred', 'kept'] as const).map((value) => ({ value: value as Shown, label: texts.shows[value] })),
    ...tags.map((tag) => ({ value: `tag:${tag}` as Shown, label: `Tagged: ${tag}` })),
  ];
  return (
    <div className={classes.tools} role="toolbar" aria-label="Tools">
      <Group gap={8} wrap="nowrap" className={classes.zoom ?? ''}>
        <Slider
          className={classes.zoomSlider ?? ''}
          min={size.least}
          max={size.most}
          step={4}
          value={size.fitted?.cell ?? size.least}
          onChange={size.choose}
          label={(value) => (value > size.least ? `${value} px` : 'Everything')}
          thumbLabel="Size of the pictures"
          size={4}
        />
        <IconButton label="Fit" variant="default" size={34} onClick={() => size.choose(null)}>
          <IconZoomReset size={18} stroke={1.6} />
        </IconButton>
      </Group>
      {axes.length > 1 && (
        <Select
          className={classes.shown ?? ''}
          size="sm"
          aria-label="Columns"
          data={axes.map((name) => ({ value: name, label: `Columns: ${axisLabel(name)}` }))}
          value={axis}
          onChange={(name) => name !== null && onAxis(name)}
          allowDeselect={false}
        />
      )}
      <Select
        className={classes.shown ?? ''}
        size="sm"
        aria-label="Show"
        data={options}
        value={options.some(({ value }) => value === shown) ? shown : 'all'}
        onChange={(value) => onShown((value ?? 'all') as Shown)}
        allowDeselect={false}
      />
      {films !== null && (
        <PlainButton
          size="sm"
          leftSection={films.isPlaying ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          onClick={films.toggle}
        >
          {films.isPlaying ? 'Pause all' : 'Play all'}
        </PlainButton>
      )}
      <KeyList />
    </div>
  );
}

function KeyList() {
  return (
    <Popover position="bottom-end" width={240}>
      <Popover.Target>
        <ActionIcon size={34} variant="default" aria-label="Keys" className={classes.keys ?? ''}>
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
