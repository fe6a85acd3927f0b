import { Text } from '@mantine/core';
import { Link } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { formatMoney } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatAgo } from '../../format.ts';
import { lightTexts } from '../../texts/light.ts';
import { MARK } from './batch-body.ts';
import classes from './light-form.module.css';
import { TONES } from './tones.ts';

const texts = lightTexts.earlier;
const SHOWN = 50;

/** The light tables that this key has ordered. */
export function EarlierTables() {
  const { data } = useApi('GET /v1/batches', { query: { limit: SHOWN } });
  const tables = data?.items.filter(({ metadata }) => MARK in metadata) ?? [];
  if (data === undefined) return null;
  return (
    <div className={classes.earlier}>
      <Panel title={texts.title}>
        {tables.length === 0 ? (
          <Text c="dimmed" size="sm">
            {texts.none}. {texts.noneHint}
          </Text>
        ) : (
          <ul className={classes.tables}>
            {tables.map(({ batch_id: id, metadata, status, orders, cost, created_at: createdAt }) => (
              <li key={id}>
                <Link href={`/light/${id}`} className={classes.table ?? ''}>
                  <span className="truncate" dir="auto">
                    {metadata[MARK]}
                  </span>
                  <span className={classes.tableFacts}>
                    <Mark tone={TONES[status]}>{lightTexts.status[status]}</Mark>
                    <span className="figures">
                      {texts.orders(orders)} · {formatMoney(cost.charged)} · {formatAgo(createdAt)}
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}
