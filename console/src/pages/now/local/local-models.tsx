import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../../api/deeds.ts';
import { useApi } from '../../../api/use-api.ts';
import { DeedForm } from '../../../components/deed-form.tsx';
import { DialogAbout } from '../../../components/dialog.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Agreement, Toggle } from '../../../components/toggle.tsx';
import { Named } from '../../../components/two-lines.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { formatBytes, formatCount } from '../../../format.ts';
import classes from './local.module.css';
import { FAILED, type LocalMachine, type LocalModel, ModelCard, ServerState, sizeOf } from './model-card.tsx';

const NONE = 'none';
const NETWORK = {
  closed: (by: string) =>
    `The model servers on this machine cannot reach any other machine: ${by} closes their network.`,
  open: (why: string) => `Servers can reach other machines: ${why}.`,
  unavailable: (why: string) =>
    `No server is started: DARKROOM_LOCAL_NETWORK demands a closed network, and it cannot be closed: ${why}.`,
};

/** The models that run on the service's own machine; nothing if its engine is switched off. */
export function LocalModels() {
  const { data } = useApi('GET /admin/v1/local/models', {});
  const [showsAll, setShowsAll] = useState(false);
  const [pulled, setPulled] = useState<LocalModel | null>(null);
  const [removed, setRemoved] = useState<LocalModel | null>(null);
  if (data === undefined || !data.is_on) return null;
  const { machine, items } = data;
  const { state, reason } = machine.network;
  const shown = items.filter((model) => showsAll || model.state !== 'not_pulled' || model.failure !== null);
  const count = items.filter(({ pulled_at: at }) => at !== null).length;
  const free = machine.free_bytes === null ? '' : ` and ${formatBytes(machine.free_bytes)} of free disk space`;
  return (
    <>
      <Panel
        title="Local models"
        hint={`${formatCount(count)} pulled. This machine has ${formatBytes(machine.memory_bytes)} of memory${free}.`}
        aside={<Toggle label={`Show all ${items.length}`} isOn={showsAll} onChange={setShowsAll} />}
      >
        {(shown.length > 0 || state === 'unavailable') && (
          <Stack>
            <Text size="sm" c={state === 'unavailable' ? 'red' : 'dimmed'}>
              {NETWORK[state](reason)}
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
      <DialogAbout about={pulled} title={({ title }) => `Pull ${title}?`} onClose={() => setPulled(null)}>
        {(model) => <PullForm model={model} memoryBytes={machine.memory_bytes} />}
      </DialogAbout>
      <DialogAbout about={removed} title={({ title }) => `Remove ${title}?`} onClose={() => setRemoved(null)}>
        {({ name }) => (
          <DeedForm
            act={() => perform('DELETE /admin/v1/local/models/{name}', { path: { name } })}
            submit="Remove"
            failed={FAILED}
            isGrave
          >
            <Text size="sm">Its files are deleted. Orders of the model are refused. You can pull it again.</Text>
          </DeedForm>
        )}
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

/** Asks for what a pull needs: the build, and the operator's agreement. */
function PullForm({
  model: { name, licence, build, builds, failure, memory_bytes: needed, ...size },
  memoryBytes,
}: {
  readonly model: LocalModel;
  /** Of the machine; null = not known. */
  readonly memoryBytes: number | null;
}) {
  const { draft, field } = useDraft({
    build: build !== null && builds.includes(build) ? build : (builds[0] ?? NONE),
    accept_licence: false,
    accept_unverified: false,
    ignore_memory: false,
  });
  const isTooLarge = memoryBytes !== null && needed !== null && needed > memoryBytes;
  const body = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== false)) as { build: string };
  const agreement = (name: Exclude<keyof typeof draft, 'build'>) => ({
    isOn: draft[name],
    onChange: field(name).onChange,
  });
  return (
    <DeedForm
      act={() => perform('POST /admin/v1/local/models/{name}/pull', { path: { name }, body }, `Pull ${name}`)}
      submit="Pull"
      failed={FAILED}
      isReady={(!licence.must_be_accepted || draft.accept_licence) && (!isTooLarge || draft.ignore_memory)}
    >
      <Text size="sm">{`${sizeOf(size)} are downloaded to this machine. Licence: ${licence.id}.`}</Text>
      <Select
        label="Build of the engine"
        description="The first one suits this machine best."
        data={[...builds, { value: NONE, label: 'none (use your own sd-server)' }]}
        allowDeselect={false}
        {...field('build')}
      />
      {licence.must_be_accepted && (
        <Agreement label={`I have read the ${licence.id} and accept it`} {...agreement('accept_licence')} />
      )}
      {(failure?.unverified.length ?? 0) > 0 && (
        <Agreement
          label="Use the facts that only the hub tells"
          description="Nobody has checked them. They are locked for each later pull."
          {...agreement('accept_unverified')}
        />
      )}
      {isTooLarge && (
        <Agreement
          label="Pull it although it needs more memory than this machine has"
          {...agreement('ignore_memory')}
        />
      )}
    </DeedForm>
  );
}
