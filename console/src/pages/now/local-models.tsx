import { Progress, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { DeedForm } from '../../components/dialog.tsx';
import { Agreement, Toggle } from '../../components/inputs.tsx';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { Panel } from '../../components/panel.tsx';
import { Mark, type Tone } from '../../components/status-mark.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { Named, Small } from '../../components/words.tsx';
import { formatBytes, formatSeconds } from '../../format.ts';
import classes from './local-models.module.css';

type LocalMachine = DataOf<'GET /admin/v1/local/models'>;
type LocalModel = LocalMachine['items'][number];
type LocalServer = NonNullable<LocalModel['server']>;

const NONE = 'none';
const FAILED = 'The request failed';
const UNKNOWN = 'not known';
const NETWORK = {
  closed: (by: string) =>
    `The model servers on this machine cannot reach any other machine: ${by} closes their network.`,
  open: (why: string) => `Servers can reach other machines: ${why}.`,
  unavailable: (why: string) =>
    `No server is started: DARKROOM_LOCAL_NETWORK demands a closed network, and it cannot be closed: ${why}.`,
};
const STATES = {
  not_pulled: ['quiet', 'Not pulled'],
  pulling: ['busy', 'Pulling'],
  pulled: ['good', 'Pulled'],
} as const;
const WORK = { planning: 'Asking the hub', downloading: 'Downloading', copying: 'Copying', checking: 'Checking' };

/** The models that run on the service's own machine; empty if their engine is switched off. */
export function LocalModels() {
  const models = useApi('GET /admin/v1/local/models', {});
  const [showsAll, setShowsAll] = useState(false);
  if (models.data === undefined || !models.data.is_on) return null;
  const { machine, items: all, own_servers: servers } = models.data;
  const { state, reason } = machine.network;
  const items = all.filter((model) => showsAll || model.state !== 'not_pulled' || model.failure !== null);
  const free = machine.free_bytes === null ? '' : ` and ${formatBytes(machine.free_bytes)} of free disk space`;
  return (
    <>
      <ListPanel
        pages={{ ...singlePage(models, ({ name }) => name), items }}
        title="Local models"
        hint={`This machine has ${formatBytes(machine.memory_bytes)} of memory${free}.`}
        aside={<Toggle label={`Show all ${all.length}`} value={showsAll} onChange={setShowsAll} />}
        above={
          (items.length > 0 || state === 'unavailable') && (
            <Text size="sm" px="md" pb="sm" c={state === 'unavailable' ? 'red' : 'dimmed'}>
              {NETWORK[state](reason)}
            </Text>
          )
        }
        empty="No model is pulled."
        columns={[
          {
            head: 'Model',
            phone: 'title',
            cell: ({ title, model_ids: ids }) => <Named name={title} more={ids.join(', ')} />,
          },
          { head: 'State', phone: 'note', cell: (model) => <State model={model} /> },
          { head: 'Size', numeric: true, cell: sizeOf },
          {
            head: 'Memory needed',
            numeric: true,
            cell: ({ memory_bytes: bytes }) => (bytes === null ? UNKNOWN : formatBytes(bytes)),
          },
          { head: 'Licence', phone: 'fact', cell: ({ licence }) => licence.id },
          { head: 'Engine', phone: 'fact', cell: ({ build }) => build ?? 'your own sd-server' },
        ]}
        deeds={[
          {
            word: 'Stop',
            name: ({ title }) => `Stop pulling ${title}`,
            isOffered: ({ pull }) => pull !== null,
            act: ({ name }) =>
              perform('POST /admin/v1/local/models/{name}/cancel', { path: { name } }, `Stop pulling ${name}`),
            failed: FAILED,
          },
          {
            word: 'Remove',
            name: ({ title }) => `Remove ${title}`,
            isOffered: ({ pull, pulled_at: at }) => pull === null && at !== null,
            act: ({ name }) => perform('DELETE /admin/v1/local/models/{name}', { path: { name } }),
            failed: FAILED,
            says: 'Its files are deleted. Orders of the model are refused. You can pull it again.',
          },
          {
            word: 'Pull',
            name: ({ title }) => `Pull ${title}`,
            title: ({ title }) => `Pull ${title}?`,
            isOffered: ({ pull }) => pull === null,
            form: (model) => <PullForm model={model} memoryBytes={machine.memory_bytes} />,
          },
        ]}
      />
      {servers.length > 0 && <OwnServers servers={servers} />}
    </>
  );
}

/** The state of a model: whether it is installed, its download's progress or error, and its server. */
function State({ model: { name, title, state, failure, pull, time, server } }: { readonly model: LocalModel }) {
  const [tone, word] = STATES[state];
  return (
    <Stack gap={6} className="free-text">
      <Mark tone={tone}>{word}</Mark>
      {pull !== null && <PullProgress title={title} pull={pull} />}
      {failure !== null && pull === null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {[failure.message, ...failure.unverified.map(({ file, facts }) => `${file}: ${facts.join(', ')}.`)].join(' ')}
        </Text>
      )}
      {time !== null && <Small>{time}</Small>}
      {server !== null && <ServerState name={name} server={server} />}
    </Stack>
  );
}

/** Formats the size. */
function sizeOf({ bytes, is_exact: isExact }: Pick<LocalModel, 'bytes' | 'is_exact'>): string {
  if (bytes === null) return UNKNOWN;
  return isExact ? formatBytes(bytes) : `about ${formatBytes(bytes)}`;
}

/** The servers in the operator's file. */
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

/** Asks for the build to download, and for the operator's agreement. */
function PullForm({
  model: { name, licence, build, builds, failure, memory_bytes: needed, ...size },
  memoryBytes,
}: {
  readonly model: LocalModel;
  /** Memory of the machine, in bytes; null = unknown. */
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
        <Agreement label={`I have read the ${licence.id} and accept it`} {...field('accept_licence')} />
      )}
      {(failure?.unverified.length ?? 0) > 0 && (
        <Agreement
          label="Use the facts that only the hub tells"
          description="Nobody has checked them. They are locked for each later pull."
          {...field('accept_unverified')}
        />
      )}
      {isTooLarge && (
        <Agreement label="Pull it although it needs more memory than this machine has" {...field('ignore_memory')} />
      )}
    </DeedForm>
  );
}

/** The progress of a download, with its speed and the remaining time. */
function PullProgress({ title, pull }: { readonly title: string; readonly pull: NonNullable<LocalModel['pull']> }) {
  const { work, file, done_bytes: done, total_bytes: total, bytes_per_second: speed, seconds_left: left } = pull;
  const percent = total === null || total === 0 ? 0 : (done / total) * 100;
  const facts = [
    WORK[work],
    ...(file === null ? [] : [file]),
    ...(total === null ? [] : [`${formatBytes(done)} / ${formatBytes(total)}`]),
    ...(speed === null || speed < 1 ? [] : [`${formatBytes(speed)} per second`]),
    ...(left === null ? [] : [`${formatSeconds(left)} left`]),
  ];
  return (
    <div className={classes.progress}>
      <Progress value={percent} animated aria-label={`Progress of ${title}`} />
      <Text size="sm" c="dimmed" className="figures">
        {facts.join(' · ')}
      </Text>
    </div>
  );
}

const SERVER_STATES: Readonly<Record<LocalServer['state'], readonly [Tone, string]>> = {
  stopped: ['quiet', 'Not running'],
  starting: ['busy', 'Loading'],
  ready: ['good', 'Ready'],
  busy: ['busy', 'Working'],
  stopping: ['quiet', 'Ending'],
  waiting: ['busy', 'Waiting for memory'],
  unavailable: ['bad', 'Cannot be used'],
};

/** The state of a server, with its memory, its step and its last output. */
function ServerState({ name, server }: { readonly name: string; readonly server: LocalServer }) {
  const { state, reason, network, memory_bytes: memory, step, log } = server;
  const [tone, word] = SERVER_STATES[state];
  const facts = [
    ...(memory === null ? [] : [`uses ${formatBytes(memory)}`]),
    ...(step === null ? [] : [`step ${step.done} of ${step.total}`]),
    ...(network === null ? [] : [`network ${network}`]),
    ...(reason === null ? [] : [reason]),
  ];
  return (
    <div className={classes.server}>
      <Mark tone={tone}>{word}</Mark>
      {facts.length > 0 && (
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      )}
      {log.length > 0 && (
        <details>
          <summary aria-label={`Output of ${name}`}>Output</summary>
          <pre className={classes.log}>{log.join('\n')}</pre>
        </details>
      )}
    </div>
  );
}
