import { Link } from 'wouter';
import type { DataOf } from '../api/operations.ts';
import { useDeed } from '../api/use-deed.ts';
import { formatMoment } from '../format.ts';
import { webhookTexts as texts } from '../texts/webhooks.ts';
import { SmallButton } from './buttons.ts';
import { DataTable } from './data-table.tsx';
import classes from './deliveries.module.css';
import { ErrorNote } from './error-note.tsx';
import { Mark } from './status-mark.tsx';
import { Moment, Told } from './two-lines.tsx';

type Delivery = DataOf<'GET /v1/account/webhooks/deliveries'>['items'][number];

const TONES = { pending: 'busy', delivered: 'good', failed: 'bad' } as const;

/** A list of webhook deliveries with their attempts and a button to redeliver. */
export function Deliveries({
  label,
  deliveries,
  orderAddress,
  sendAgain,
}: {
  readonly label: string;
  readonly deliveries: readonly Delivery[];
  /** Returns the page of a delivery's order. */
  readonly orderAddress: (taskId: string) => string;
  /** Absent: nobody here may. */
  readonly sendAgain?: (deliveryId: string) => Promise<unknown>;
}) {
  const again = useDeed(async (id: string) => await sendAgain?.(id));
  return (
    <>
      <ErrorNote title="Could not send it again" error={again.error} />
      <DataTable
        label={label}
        rows={deliveries}
        rowKey={(one) => one.delivery_id}
        columns={[
          { head: 'When', phone: 'note', cell: (one) => <Moment at={one.created_at} /> },
          {
            head: 'Event',
            phone: 'title',
            cell: (one) => (one.task_id === null ? one.type : <Link href={orderAddress(one.task_id)}>{one.type}</Link>),
          },
          { head: 'To', phone: 'note', cell: (one) => <span className={classes.address}>{one.url}</span> },
          {
            head: 'Status',
            phone: 'aside',
            cell: (one) => <Mark tone={TONES[one.status]}>{texts.statuses[one.status]}</Mark>,
          },
          { head: 'Attempts', phone: 'note', cell: (one) => <Attempts delivery={one} /> },
          {
            head: 'Actions',
            actions: true,
            cell: (one) =>
              sendAgain !== undefined &&
              one.status !== 'pending' && (
                <SmallButton
                  loading={again.isPending && again.variables === one.delivery_id}
                  onClick={() => again.mutate(one.delivery_id)}
                >
                  {texts.again}
                </SmallButton>
              ),
          },
        ]}
      />
    </>
  );
}

function Attempts({ delivery: { attempts, next_attempt_at: next } }: { readonly delivery: Delivery }) {
  const last = attempts.at(-1);
  const answer = last === undefined ? '' : (last.error ?? String(last.response_status ?? ''));
  return (
    <Told more={answer}>
      {attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}
      {next !== null && `, next ${formatMoment(next)}`}
    </Told>
  );
}
