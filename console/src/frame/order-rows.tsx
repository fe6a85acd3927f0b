import type { TaskView as Task } from '@darkroom-service/contract';
import { Button, CloseButton, Group, Progress, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconCloudQuestion,
  IconLayoutGrid,
  IconMovie,
  IconPhoto,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { BookedOrder } from '../api/booked-order.ts';
import { silentSinceStore } from '../api/connection.ts';
import { isRepeatable, repeatDeed } from '../api/deeds.ts';
import { useTaskOf } from '../api/follow-task.ts';
import { removeOrder } from '../api/order-book.ts';
import { tryNow } from '../api/send-orders.ts';
import { nearUrl } from '../api/service-url.ts';
import { secretOf, switchMode, useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { PlainButton } from '../components/buttons.ts';
import { CancelButton } from '../components/cancel-button.tsx';
import { delayFact, queuePlace } from '../components/task-facts.ts';
import { Small } from '../components/words.tsx';
import { formatAbout, formatMoney, inReadersForm } from '../format.ts';
import { inWords } from '../texts/in-words.ts';
import { orderTexts } from '../texts/orders.ts';
import classes from './order-tray.module.css';

interface Props {
  readonly order: BookedOrder;
  /** Called when the order is opened. */
  readonly onLeave: () => void;
}

/** An open order: its state, its progress, and a cancel button. */
export function OrderUnderWay({ order, onLeave }: Props) {
  const session = useSession();
  const secret = secretOf(order, session);
  const { data: task } = useTaskOf(order.taskId, secret);
  const { batch } = order;
  const isSilent = useStore(silentSinceStore) !== null;
  const canRepeat = order.kind !== 'deed' || isRepeatable(order);
  const progress = batch === null ? (task?.progress ?? 0) : (batch.ended / batch.orders) * 100;
  return (
    <Row order={order} task={task} icon={<Kind order={order} />} onLeave={onLeave}>
      <Text size="sm" className={order.state === 'unconfirmed' ? (classes.warning ?? '') : (classes.facts ?? '')}>
        {factsOf(order, task, isSilent)}
      </Text>
      {order.state === 'unconfirmed' ? (
        <>
          <Small>
            {order.kind !== 'deed'
              ? 'The answer was lost. The console asks again with the same Idempotency-Key, so the order is placed and charged at most once.'
              : canRepeat
                ? 'It is not known whether this was done. Try again to find out: it is done at most once.'
                : 'It is not known whether this was done. Look at its page, and do it there again if it was not.'}
          </Small>
          <Group gap={6} mt={6}>
            {canRepeat && (
              <PlainButton
                size="compact-xs"
                onClick={() => (order.kind === 'deed' ? void repeatDeed(order) : tryNow(order))}
              >
                Try now
              </PlainButton>
            )}
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => removeOrder(order.idempotencyKey)}>
              Give up
            </Button>
          </Group>
        </>
      ) : (
        <Group gap="6px 12px" mih={26}>
          <Progress value={progress} size={4} radius="xl" flex={1} aria-label={`Progress: ${order.title}`} />
          {task !== undefined && secret !== null && (
            <CancelButton
              task={task}
              secret={secret}
              word="Cancel"
              name={orderTexts.cancelOf(order.title)}
              size="compact-xs"
              variant="default"
            />
          )}
        </Group>
      )}
    </Row>
  );
}

/** An order that has ended: its result, or its error. */
export function EndedOrder({ order, onLeave }: Props) {
  const { data: task } = useTaskOf(order.taskId, secretOf(order, useSession()));
  return (
    <Row
      order={order}
      task={task}
      icon={<Outcome order={order} task={task} />}
      onLeave={onLeave}
      side={
        <CloseButton
          size="sm"
          aria-label={`Remove from the list: ${order.title}`}
          onClick={() => removeOrder(order.idempotencyKey)}
        />
      }
    >
      <Text size="sm" className={classes.facts ?? ''}>
        {outcomeOf(order, task)}
      </Text>
      {(order.reason ?? task?.error?.message) != null && (
        <Small lineClamp={3}>{inReadersForm(order.reason ?? task?.error?.message ?? '')}</Small>
      )}
    </Row>
  );
}

function Row({
  order,
  task,
  icon,
  side,
  onLeave,
  children,
}: Props & {
  readonly task: Task | undefined;
  readonly icon: ReactNode;
  readonly side?: ReactNode;
  readonly children: ReactNode;
}) {
  const [, navigate] = useLocation();
  const { keys, mode } = useSession();
  const hasBothModes = keys.test !== undefined && keys.live !== undefined;
  const address = order.batch === null ? `/t/${order.taskId}` : `/light/${order.batch.batchId}`;
  const open = () => {
    if (order.mode !== mode && order.mode !== 'admin') switchMode(order.mode);
    navigate(address);
    onLeave();
  };
  return (
    <li className={classes.row}>
      <span className={classes.face} aria-hidden="true">
        {icon}
      </span>
      <div className={classes.words}>
        <div className={classes.line}>
          {order.taskId === null && order.batch === null ? (
            <span className={`${classes.name} truncate`} dir="auto">
              {order.title}
            </span>
          ) : (
            <button
              type="button"
              dir="auto"
              className={`${classes.name} ${classes.link} truncate`}
              aria-label={`Open: ${order.title}`}
              onClick={open}
            >
              {order.title}
            </button>
          )}
          {hasBothModes && <span className={classes.mode}>{inWords(order.mode)}</span>}
          <span className={`${classes.price} figures`}>
            {order.kind !== 'deed' && formatMoney(order.batch?.amount ?? task?.cost.amount ?? order.price)}
          </span>
          {side}
        </div>
        {children}
      </div>
    </li>
  );
}

function factsOf({ state, batch }: BookedOrder, task: Task | undefined, isSilent: boolean): string {
  if (isSilent && state === 'placed') return 'State unknown: the service does not answer';
  if (batch !== null) return `${orderTexts.state('processing')} · ${batch.ended} of ${batch.orders} done`;
  if (task === undefined || state !== 'placed') return orderTexts.state(state);
  return [
    orderTexts.state(task.status) + (task.progress > 0 ? ` ${task.progress} %` : ''),
    queuePlace(task),
    'waiting_for' in task ? orderTexts.waitsFor : null,
    delayFact(task),
    task.estimated_seconds === null ? null : `${formatAbout(task.estimated_seconds)} left`,
  ]
    .filter((fact) => fact !== null)
    .join(' · ');
}

function outcomeOf({ kind, state, batch }: BookedOrder, task: Task | undefined): string {
  if (state === 'refused') return orderTexts.state(state);
  if (kind === 'deed') return 'Done';
  if (batch !== null) return orderTexts.state(batch.status);
  if (task === undefined) return '';
  const word = orderTexts.state(task.status);
  return task.status === 'succeeded' ? word : `${word} · nothing was charged`;
}

function Kind({ order: { kind, state } }: Pick<Props, 'order'>) {
  if (state === 'unconfirmed') return <IconCloudQuestion size={22} stroke={1.5} color="var(--accent)" />;
  if (kind === 'deed') return <IconCheck size={22} stroke={1.4} />;
  if (kind === 'batch') return <IconLayoutGrid size={22} stroke={1.4} />;
  return kind === 'video' ? <IconMovie size={22} stroke={1.4} /> : <IconPhoto size={22} stroke={1.4} />;
}

function Outcome({ order, task }: Pick<Props, 'order'> & { readonly task: Task | undefined }) {
  const thumbnail = task?.outputs[0]?.thumbnail_url ?? null;
  if (thumbnail !== null) return <img src={nearUrl(thumbnail)} alt="" />;
  if (order.state === 'refused' || (task ?? order.batch)?.status === 'failed')
    return <IconAlertTriangle size={22} stroke={1.4} color="var(--mantine-color-error)" />;
  return (task ?? order.batch)?.status === 'canceled' ? <IconBan size={22} stroke={1.4} /> : <Kind order={order} />;
}
