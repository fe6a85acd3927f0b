import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../../api/use-api.ts';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Figure, Figures } from '../../../components/panel.tsx';
import { formatBytes, formatCount } from '../../../format.ts';
import { localTexts } from '../../../texts/local.ts';
import classes from './local.module.css';
import { ModelCard } from './model-card.tsx';
import { OwnServers } from './own-servers.tsx';
import { PullModal } from './pull-modal.tsx';
import { RemoveModal } from './remove-modal.tsx';
import type { LocalModel } from './use-local-models.ts';

const texts = localTexts.figures;

/** The models that run on the service's own machine. */
export function LocalView() {
  const machine = useApi('GET /admin/v1/local/models', {});
  const [asked, setAsked] = useState<LocalModel | null>(null);
  const [removed, setRemoved] = useState<LocalModel | null>(null);
  const { data } = machine;
  return (
    <>
      {machine.error !== null && <ErrorNote error={machine.error} onRetry={() => void machine.refetch()} />}
      {data === undefined && machine.error === null && <Skeleton h={220} radius={14} aria-hidden="true" />}
      {data !== undefined && (
        <Stack gap="lg">
          {!data.is_on && (
            <Alert color="red" variant="light" title={localTexts.off.title}>
              {localTexts.off.text}
            </Alert>
          )}
          <Figures>
            <Figure label={texts.pulled} value={formatCount(data.items.filter(isPulled).length)} />
            <Figure label={texts.memory} value={formatBytes(data.machine.memory_bytes)} />
            <Figure
              label={texts.free}
              value={data.machine.free_bytes === null ? texts.unknown : formatBytes(data.machine.free_bytes)}
            />
          </Figures>
          <Text size="sm" c={data.machine.network.state === 'unavailable' ? 'red' : 'dimmed'}>
            {localTexts.network[data.machine.network.state](data.machine.network.reason)}
          </Text>
          <div className={classes.models}>
            {data.items.map((model) => (
              <ModelCard
                key={model.name}
                model={model}
                onPull={() => setAsked(model)}
                onRemove={() => setRemoved(model)}
              />
            ))}
          </div>
          {data.own_servers.length > 0 && <OwnServers servers={data.own_servers} />}
        </Stack>
      )}
      {asked !== null && (
        <PullModal model={asked} memoryBytes={data?.machine.memory_bytes ?? null} onClose={() => setAsked(null)} />
      )}
      {removed !== null && <RemoveModal model={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function isPulled({ pulled_at: at }: LocalModel): boolean {
  return at !== null;
}
