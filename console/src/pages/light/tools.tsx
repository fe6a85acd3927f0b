import { ActionIcon, Group, Kbd, Popover, Select, Slider, Text, Tooltip } from '@mantine/core';
import {
  IconColumns2,
  IconEyeOff,
  IconKeyboard,
  IconLayoutGrid,
  IconPlayerPause,
  IconPlayerPlay,
  IconZoomIn,
  IconZoomReset,
} from '@tabler/icons-react';
import { PlainButton } from '../../components/buttons.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { formatDecimal } from '../../format.ts';
import { lightTexts } from '../../texts/light.ts';
import { type Downloadable, DownloadMenu, type Shown } from './download-menu.tsx';
import classes from './light-table.module.css';
import { markIn } from './marks.ts';
import { axisLabel } from './table-view.ts';
import type { CellSize } from './use-cell-size.ts';
import { MOST_SCALE, type Zoom, zoomTo } from './zoom.ts';

const texts = lightTexts.tools;

/** What can be done with all results: zoom, filter, play, compare, download. */
export function Tools({
  download,
  zoom,
  onZoom,
  size,
  axes,
  axis,
  onAxis,
  shown,
  onShown,
  films,
  canCompare,
  onCompare,
  areDrawings,
  onBlind,
}: {
  readonly download: Downloadable;
  readonly zoom: Zoom;
  /** @param zoom null = everything at once */
  readonly onZoom: (zoom: Zoom | null) => void;
  readonly size: CellSize;
  /** The fields that the columns can be of. */
  readonly axes: readonly string[];
  readonly axis: string;
  readonly onAxis: (axis: string) => void;
  readonly shown: Shown;
  readonly onShown: (shown: Shown) => void;
  /** Null if there are only pictures. */
  readonly films: { readonly isPlaying: boolean; readonly toggle: () => void } | null;
  readonly canCompare: boolean;
  readonly onCompare: () => void;
  /** Whether a test key had drawings made in place of results of the models. */
  readonly areDrawings: boolean;
  readonly onBlind: () => void;
}) {
  const tags = [
    ...new Set(Object.keys(download.marks).flatMap((taskId) => markIn(download.marks, taskId).tags)),
  ].sort();
  const options = [
    ...(['all', 'starred', 'kept'] as const).map((value) => ({ value: value as Shown, label: texts.shows[value] })),
    ...tags.map((tag) => ({ value: `tag:${tag}` as Shown, label: texts.tagged(tag) })),
  ];
  return (
    <div className={classes.tools} role="toolbar" aria-label={texts.label}>
      <Group gap={8} wrap="nowrap" className={classes.zoom ?? ''}>
        <IconLayoutGrid size={16} stroke={1.6} aria-hidden="true" />
        <Slider
          className={classes.zoomSlider ?? ''}
          min={size.least}
          max={size.most}
          step={4}
          value={size.fitted?.cell ?? size.least}
          onChange={size.choose}
          label={(value) => (value > size.least ? `${value} px` : texts.whole)}
          thumbLabel={texts.size}
          size={4}
        />
        <IconZoomIn size={16} stroke={1.6} aria-hidden="true" />
        <Slider
          className={classes.zoomSlider ?? ''}
          min={1}
          max={MOST_SCALE}
          step={0.1}
          value={zoom.scale}
          onChange={(scale) => onZoom(zoomTo(zoom, scale))}
          label={(scale) => `${formatDecimal(scale, 1)}×`}
          thumbLabel={texts.zoom}
          size={4}
        />
        <IconButton label={texts.fit} variant="default" size={34} onClick={() => onZoom(null)}>
          <IconZoomReset size={18} stroke={1.6} />
        </IconButton>
      </Group>
      {axes.length > 1 && (
        <Select
          className={classes.shown ?? ''}
          size="sm"
          aria-label={texts.columns}
          data={axes.map((name) => ({ value: name, label: texts.across(axisLabel(name)) }))}
          value={axis}
          onChange={(name) => name !== null && onAxis(name)}
          allowDeselect={false}
        />
      )}
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
        <PlainButton
          size="sm"
          leftSection={films.isPlaying ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          onClick={films.toggle}
        >
          {films.isPlaying ? texts.pause : texts.play}
        </PlainButton>
      )}
      <Tooltip label={texts.compareHint} disabled={canCompare}>
        <PlainButton
          size="sm"
          leftSection={<IconColumns2 size={16} />}
          onClick={() => canCompare && onCompare()}
          {...(canCompare ? {} : { 'data-disabled': true })}
          aria-disabled={!canCompare}
        >
          {texts.compare}
        </PlainButton>
      </Tooltip>
      {!areDrawings && (
        <PlainButton
          size="sm"
          leftSection={<IconEyeOff size={16} />}
          onClick={onBlind}
          disabled={download.tasks.length < 2}
        >
          {texts.blind}
        </PlainButton>
      )}
      <DownloadMenu {...download} />
      <KeyList />
    </div>
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
