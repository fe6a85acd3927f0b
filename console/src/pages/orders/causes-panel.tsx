import { Link } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { orderAddress } from '../../components/orders/order-name.tsx';
import classes from '../../components/records.module.css';
import { Moment, Told } from '../../components/two-lines.tsx';
import { formatCount } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';

const texts = operationsTexts.failures.causes;
const MODELS_AT_MOST = 5;

/** The failures of the last day by cause, with advice. Empty if nothing failed. */
export function CausesPanel({ mode }: { readonly mode: 'live' | 'all' }) {
  const causes = useApi('GET /admin/v1/failures/causes', { query: { mode } });
  if (causes.data?.items.length === 0) return null;
  return (
    <ListPanel
      pages={atOnce(causes)}
      title={texts.title}
      hint={texts.hint}
      empty=""
      rowKey={({ engine, code, cause }) => [engine, code, cause].join()}
      columns={[
        { head: texts.heads.orders, phone: 'aside', numeric: true, cell: ({ orders }) => formatCount(orders) },
        {
          head: texts.heads.cause,
          phone: 'title',
          cell: ({ cause, code }) => <Told more={<code>{code}</code>}>{cause}</Told>,
        },
        {
          head: texts.heads.engine,
          phone: 'note',
          cell: ({ engine, models }) => (
            <Told more={models.length < MODELS_AT_MOST ? models.join(', ') : texts.more(models.join(', '))}>
              {engine}
            </Told>
          ),
        },
        { head: texts.heads.advice, phone: 'note', cell: ({ code }) => adviceFor(code) },
        {
          head: texts.heads.example,
          phone: 'note',
          cell: ({ example }) => (
            <div>
              <Moment at={example.completed_at ?? example.created_at} />
              <div>
                <Link href={orderAddress(example.task_id)}>
                  <span className={classes.code}>{example.task_id}</span>
                </Link>
              </div>
            </div>
          ),
        },
      ]}
    />
  );
}

/** A newer service may have further codes. */
function adviceFor(code: string): string {
  return code in texts.advice ? texts.advice[code as keyof typeof texts.advice] : '';
}
