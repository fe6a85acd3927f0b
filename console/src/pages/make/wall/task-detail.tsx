import type { JsonValue, TaskView as Task } from '@darkroom-service/contract';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowForwardUp, IconHourglass } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { MediaKind } from '../../../api/model.ts';
import { recalledStore } from '../../../api/order-again.ts';
import { nearUrl } from '../../../api/service-url.ts';
import { isFinal } from '../../../api/task-cache.ts';
import { CopyAction } from '../../../components/copy-action.tsx';
import { type FactRow, Facts } from '../../../components/facts.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { LargePicture } from '../../../components/large-picture.tsx';
import { MediaThumb } from '../../../components/media-thumb.tsx';
import { ResultMedia } from '../../../components/result-media.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { TagBar } from '../../../components/tags/tag-bar.tsx';
import { altOf, delayEnd, promptOf, seedOf } from '../../../components/task-facts.ts';
import { TaskState } from '../../../components/task-state.tsx';
import { Understood } from '../../../components/understood.tsx';
import { Hint } from '../../../components/words.tsx';
import { formatBytes, formatMinute, formatMoment, formatMoney, inReadersForm } from '../../../format.ts';
import { historyTexts } from '../../../texts/history.ts';
import { inWords } from '../../../texts/in-words.ts';
import { studioTexts } from '../../../texts/studio.ts';
import { actionLabel, fieldLabel } from '../../../texts/studio-labels.ts';
import classes from './detail.module.css';
import { TaskActions } from './task-actions.tsx';
import { Section, TaskFamily } from './task-family.tsx';

const COSTS = { held: 'Held', charged: 'Charged', released: 'Nothing was charged', refunded: 'Refunded' };
/** Input fields that the list leaves out: shown elsewhere, or always 1. */
const SHOWN_ELSEWHERE = new Set(['prompt', 'model_id', 'parent_task_id', 'action', 'num_images']);

/** All details of a task, with its actions. */
export function TaskDetail({ task, onGone }: { readonly task: Task; readonly onGone: () => void }) {
  return (
    <Stack gap="lg">
      <TaskResult task={task} />
      <Group justify="space-between" gap="sm">
        <StatusMark status={task.status} />
        <Hint>{formatMinute(task.created_at)}</Hint>
      </Group>
      <TagBar taskId={task.task_id} />
      {task.error !== null && <Failure error={task.error} />}
      {task.delay !== undefined && <Delay delay={task.delay} />}
      <TaskActions task={task} onGone={onGone} />
      <Section title="Input">
        <Input task={task} />
        {task.outputs[0] !== undefined && <Understood output={task.outputs[0]} />}
      </Section>
      <Section title="Timeline">
        <Times task={task} />
      </Section>
      {task.deliveries !== undefined && task.deliveries.length > 0 && (
        <Section title="Deliveries">
          {task.deliveries.map(({ output, state, destination, key, url, reason }) => (
            <Text key={output} size="sm">
              {inWords(state)}: {url ?? `${destination}/${key}`} {reason}
            </Text>
          ))}
        </Section>
      )}
      <Section title="Cost">
        <Cost cost={task.cost} />
      </Section>
      <TaskFamily task={task} />
      <Section title="For your program">
        <Reference task={task} />
      </Section>
    </Stack>
  );
}

function Failure({ error }: { readonly error: NonNullable<Task['error']> }) {
  const hint = studioTexts.failed.hints[error.code];
  return (
    <Alert variant="light" color="red" icon={<IconAlertTriangle size={18} />} title="The order failed">
      <Text size="sm">{inReadersForm(error.message)}</Text>
      <Text size="sm" mt={6}>
        {hint} {studioTexts.failed.notCharged}
      </Text>
    </Alert>
  );
}

function Delay({ delay }: { readonly delay: NonNullable<Task['delay']> }) {
  return (
    <Alert variant="light" color="gray" icon={<IconHourglass size={18} />} title={delay.message}>
      <Text size="sm">{delayEnd(delay)}</Text>
    </Alert>
  );
}

function Input({ task }: { readonly task: Task }) {
  const prompt = promptOf(task);
  const seed = seedOf(task);
  const rest = Object.entries(task.input).filter(([name, value]) => !SHOWN_ELSEWHERE.has(name) && !isEmpty(value));
  return (
    <>
      {prompt !== '' && (
        <div className={classes.prompt}>
          <p dir="auto">{prompt}</p>
          <CopyAction value={prompt} />
          <RecallButton name="prompt" value={prompt} />
        </div>
      )}
      <Facts
        rows={[
          ['Model', task.model_id],
          ['Action', task.action && actionLabel(task.action)],
          ...rest.map(([name, value]) => recalled(name, value as JsonValue)),
          ...(seed === null || rest.some(([name]) => name === 'seed') ? [] : [recalled('seed', seed)]),
        ]}
      />
    </>
  );
}

/** Returns the row of a field, with the button that copies its value into the form. */
function recalled(name: string, value: JsonValue): FactRow {
  return [
    fieldLabel(name),
    <Fragment key={name}>
      {mediaOf(name, value) ?? textOf(value)} <RecallButton name={name} value={value} />
    </Fragment>,
  ];
}

function Times({ task }: { readonly task: Task }) {
  const { status, started_at: started, cancel_requested_at: asked, completed_at: ended } = task;
  const files = task.outputs.length === 0 ? 'Erased' : `Kept until ${formatMinute(task.expires_at)}`;
  return (
    <Facts
      rows={[
        ['Ordered', formatMoment(task.created_at)],
        ['Started', started && formatMoment(started)],
        ['Cancel requested', asked && formatMoment(asked)],
        [inWords(status), isFinal(task) && ended !== null ? formatMoment(ended) : null],
        ['Files', status === 'succeeded' ? files : null],
      ]}
    />
  );
}

function Cost({ cost }: { readonly cost: Task['cost'] }) {
  const lines = cost.lines as readonly { description: string; amount: string }[];
  const money = (amount: string) => <span className="figures">{formatMoney(amount)}</span>;
  return (
    <Facts
      rows={[
        ...lines.map(({ description, amount }): FactRow => [description, money(amount)]),
        [COSTS[cost.state], <b key="total">{money(cost.amount)}</b>],
        ['Quoted', cost.amount === cost.quoted ? null : money(cost.quoted)],
      ]}
    />
  );
}

function Reference({ task }: { readonly task: Task }) {
  const [output] = task.outputs;
  const free = (text: string) => <span dir="auto">{text}</span>;
  return (
    <>
      <Facts
        rows={[
          [
            'Task id',
            <Fragment key="id">
              <code>{task.task_id}</code> <CopyAction value={task.task_id} />
            </Fragment>,
          ],
          ...(output === undefined ? [] : fileFacts(output)),
          ['End user', task.end_user && free(task.end_user)],
        ]}
      />
      <Facts rows={Object.entries(task.metadata).map(([name, value]) => [name, free(value)])} />
    </>
  );
}

function fileFacts(output: Task['outputs'][number]): readonly FactRow[] {
  const parts = [output.content_type, sizeOf(output), formatBytes(output.bytes), soundOf(output)];
  return [
    [
      'Permanent URL',
      <Fragment key="url">
        <span className="truncate">{output.content_url}</span>
        <CopyAction value={output.content_url} label={studioTexts.permanentUrl} />
      </Fragment>,
    ],
    ['File', parts.filter((part) => part !== '').join(', ')],
  ];
}

function sizeOf({ width, height }: Task['outputs'][number]): string {
  return width === null || height === null ? '' : `${width} × ${height}`;
}

function soundOf({ has_audio: hasSound }: Task['outputs'][number]): string {
  if (hasSound === null) return '';
  return hasSound ? historyTexts.withSound : 'without sound';
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Shows the media of an input field; null for other fields. */
function mediaOf(name: string, value: unknown): ReactNode {
  if (!/_urls?$/.test(name)) return null;
  const kind = /video|audio/.exec(name)?.[0] ?? 'image';
  const sources = [value].flat().filter((source) => typeof source === 'string');
  return (
    <Group component="span" gap={6} justify="flex-end">
      {sources.map((source) => (
        <span key={source} className={classes.inputMedium} title={source}>
          <MediaThumb source={source} kind={kind as MediaKind} />
        </span>
      ))}
    </Group>
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Copies a value of an order, such as only its seed, into the form, if the model there has that field. */
function RecallButton({ name, value }: { readonly name: string; readonly value: JsonValue }) {
  const [, navigate] = useLocation();
  const recall = () => {
    recalledStore.set({ name, value });
    navigate('/');
  };
  return (
    <IconButton label={`Use only this in the form: ${fieldLabel(name)}`} size={28} onClick={recall}>
      <IconArrowForwardUp size={16} />
    </IconButton>
  );
}

/** The image or video, large; before that its progress. Empty if there will be no result. */
function TaskResult({ task }: { readonly task: Task }) {
  const [output] = task.outputs;
  if (output === undefined)
    return isFinal(task) ? null : (
      <div className={`${classes.tray} ${classes.pending}`} role="status">
        <TaskState task={task} isWorded />
        {task.status === 'processing' && <span className="figures">{`${Math.round(task.progress)} %`}</span>}
      </div>
    );
  return (
    <div className={classes.tray}>
      <ResultMedia
        task={task}
        alt={altOf(task)}
        className={classes.media ?? ''}
        // Reserves the space before the file is loaded.
        style={{ aspectRatio: `${output.width ?? 1} / ${output.height ?? 1}` }}
        film={{ controls: true }}
      />
      {task.type === 'image' && <LargePicture source={nearUrl(output.url)} alt={altOf(task)} />}
    </div>
  );
}
