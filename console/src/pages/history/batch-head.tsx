import { Group } from '@mantine/core';
import { IconLayoutGrid } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { BatchActions, BatchState, batchTitle, MOST_CELLS } from '../../components/batches/batch-state.tsx';
import { SmallButton } from '../../components/buttons.ts';
import { batchTexts as texts } from '../../texts/batches.ts';
import classes from './history.module.css';

const EVERY_MS = 3_000;

/** The batch whose orders the wall shows: how far it is, its results, and its end. */
export function BatchHead({ batchId }: { readonly batchId: string }) {
  const { data: batch } = useApi(
    'GET /v1/batches/{batch_id}',
    { path: { batch_id: batchId } },
    { every: (known) => (known?.status === 'processing' ? EVERY_MS : false) },
  );
  if (batch === undefined) return null;
  return (
    <section className={classes.batch} aria-label={texts.batch}>
      <div>
        <b dir="auto">{batchTitle(batch)}</b>
        <div className={`${classes.batchState} figures`} role="status">
          <BatchState batch={batch} />
        </div>
      </div>
      <Group gap="xs">
        {batch.orders <= MOST_CELLS && (
          <SmallButton
            component={Link}
            href={`/light/${batchId}`}
            leftSection={<IconLayoutGrid size={15} aria-hidden="true" />}
          >
            {texts.asTable}
          </SmallButton>
        )}
        <BatchActions batch={batch} />
      </Group>
    </section>
  );
}
