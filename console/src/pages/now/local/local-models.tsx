import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../../api/use-api.ts';
import { DialogAbout } from '../../../components/dialog.tsx';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Toggle } from '../../../components/toggle.tsx';
import { Named } from '../../../components/two-lines.tsx';
import { formatBytes, formatCount } from '../../../format.ts';
import { localTexts } from '../../../texts/local.ts';
import classes from './local.module.css';
import { ModelCard } from './model-card.tsx';
import { PullForm } from './pull-form.tsx';
import { ServerState } from './server-state.tsx';
import { type LocalMachine, type LocalModel, useLocalModel } from './use-local-models.ts';

/** The models that run on the service's own machine; nothing if its engine is switched off. */
export function LocalModels() {
  const { data } = useApi('GET /admin/v1/local/models', {});
  const [showsAll, setShowsAll] = useState(false);
  const [pulled, setPulled] = useState<LocalModel | null>(null);
  const [removed, setRemoved] = useState<LocalModel | null>(null);
  const [closePull, closeRemove] = [() => setPulled(null), () => setRemoved(null)];
  if (data === undefined || !data.is_on) return null;
  const { machine, items } = data;
  const isHere = ({ state, failure }: LocalModel) => state !== 'not_pulled' || failure !== null;
  const shown = showsAll ? items : items.filter(isHere);
  const count = items.filter(({ pulled_at: at }) => at !== null).length;
  const free = machine.free_bytes === null ? null : formatBytes(machine.free_bytes);
  return (
    <>
      <Panel
        title="Local models"
        hint={`${formatCount(count)} pulled. This machine has ${formatBytes(machine.memory_bytes)} of memory${free === null ? '' : ` and ${free} of free disk space`}.`}
        aside={<Toggle label={`Show all ${items.length}`} isOn={showsAll} onChange={setShowsAll} />}
      >
        {(shown.length > 0 || machine.network.state === 'unavailable') && (
          <Stack>
            <Text size="sm" c={machine.network.state === 'unavailable' ? 'red' : 'dimmed'}>
              {localTexts.network[machine.network.state](machine.network.reason)}
            </Text>
            <div className={classes.models}>
              {shown.map((model) => (
                <ModelCard
                  key={model.name}
                  model={model}
                  onPull={() => setPulled(model)}
                  onRemove={() => setRemoved(model)}
                />
              ))}
            </div>
          </Stack>
        )}
      </Panel>
      {data.own_servers.length > 0 && <OwnServers servers={data.own_servers} />}
      <DialogAbout about={pulled} title={({ title }) => `Pull ${title}?`} onClose={closePull}>
        {(model) => <PullForm model={model} memoryBytes={machine.memory_bytes} onClose={closePull} />}
      </DialogAbout>
      <DialogAbout about={removed} title={({ title }) => `Remove ${title}?`} onClose={closeRemove}>
        {(model) => <RemoveForm model={model} onClose={closeRemove} />}
      </DialogAbout>
    </>
  );
}

/** The servers of the operator's file. */
function OwnServers({ servers }: { readonly servers: LocalMachine['own_servers'] }) {
  return (
    <Panel title="Servers of your own" hint="Darkroom starts them when an order needs them.">
      <Stack>
        {servers.map(({ name, api, model_ids: ids, server }) => (
          <div key={name}>
            <Named name={name} more={[api, ...ids, ...(server === null ? ['not running'] : [])].join(' · ')} />
            {server !== null && <ServerState name={name} server={server} />}
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

/** Asks before the files of a model are deleted. */
function RemoveForm({ model, onClose }: { readonly model: LocalModel; readonly onClose: () => void }) {
  const { remove } = useLocalModel(model.name);
  return (
    <DialogForm
      deed={remove}
      texts={{ submit: 'Remove', failed: localTexts.refused }}
      isGrave
      onSubmit={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">Its files are deleted. Orders of the model are refused. You can pull it again.</Text>
    </DialogForm>
  );
}
