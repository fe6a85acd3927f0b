import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../../api/use-api.ts';
import { DialogAbout } from '../../../components/dialog.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Figure, Figures } from '../../../components/panel.tsx';
import { formatBytes, formatCount } from '../../../format.ts';
import { localTexts } from '../../../texts/local.ts';
import classes from './local.module.css';
import { ModelCard } from './model-card.tsx';
import { OwnServers } from './own-servers.tsx';
import { PullForm } from './pull-form.tsx';
import { RemoveForm } from './remove-form.tsx';
import type { LocalModel } from './use-local-models.ts';

const texts = localTexts.figures;

/** The models that run on the service's own machine. */
export function LocalView() {
  const { data, error, refetch } = useApi('GET /admin/v1/local/models', {});
  const [pulled, setPulled] = useState<LocalModel | null>(null);
  const [removed, setRemoved] = useState<LocalModel | null>(null);
  const [closePull, closeRemove] = [() => setPulled(null), () => setRemoved(null)];
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton h={220} radius={14} aria-hidden="true" />;
  const { machine, items } = data;
  return (
    <Stack gap="lg">
      {!data.is_on && (
        <Alert color="red" variant="light" title={localTexts.off.title}>
          {localTexts.off.text}
        </Alert>
      )}
      <Figures>
        <Figure label={texts.pulled} value={formatCount(items.filter(({ pulled_at: at }) => at !== null).length)} />
        <Figure label={texts.memory} value={formatBytes(machine.memory_bytes)} />
        <Figure
          label={texts.free}
          value={machine.free_bytes === null ? texts.unknown : formatBytes(machine.free_bytes)}
        />
      </Figures>
      <Text size="sm" c={machine.network.state === 'unavailable' ? 'red' : 'dimmed'}>
        {localTexts.network[machine.network.state](machine.network.reason)}
      </Text>
      <div className={classes.models}>
        {items.map((model) => (
          <ModelCard
            key={model.name}
            model={model}
            onPull={() => setPulled(model)}
            onRemove={() => setRemoved(model)}
          />
        ))}
      </div>
      {data.own_servers.length > 0 && <OwnServers servers={data.own_servers} />}
      <DialogAbout about={pulled} title={({ title }) => localTexts.ask.title(title)} onClose={closePull}>
        {(model) => <PullForm model={model} memoryBytes={machine.memory_bytes} onClose={closePull} />}
      </DialogAbout>
      <DialogAbout about={removed} title={({ title }) => localTexts.removing.title(title)} onClose={closeRemove}>
        {(model) => <RemoveForm model={model} onClose={closeRemove} />}
      </DialogAbout>
    </Stack>
  );
}
