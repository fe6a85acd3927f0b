import { Flag, MediaType, Nullable, refTo, Text, Time, Whole, type Wire } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';

/** Models for the machine of the service, as operators see them. */

const LocalServer = Type.Object(
  {
    state: Type.Enum(['stopped', 'starting', 'ready', 'busy', 'stopping', 'waiting', 'unavailable']),
    reason: Nullable(Text, 'Why it ended last, or cannot be used.'),
    network: Nullable(
      Type.Enum(['closed', 'open']),
      'Whether it can reach anything but itself; null while it does not run.',
    ),
    memory_bytes: Nullable(Whole, 'Of all its processes, if the system tells it.'),
    step: Nullable(Type.Object({ done: Whole, total: Whole }), 'Steps of the running order.'),
    started_at: Nullable(Time),
    log: Type.Array(Text, { description: 'The last lines of its output.' }),
  },
  { $id: 'AdminLocalServer', description: 'A server that Darkroom starts when an order needs it.' },
);
export type LocalServerView = Wire<typeof LocalServer>;

const LocalPull = Type.Object(
  {
    work: Type.Enum(['planning', 'downloading', 'copying', 'checking']),
    file: Nullable(Text, 'The file that it works on.'),
    done_bytes: Whole,
    total_bytes: Nullable(Whole, 'Null while it plans.'),
    bytes_per_second: Nullable(Type.Number()),
    seconds_left: Nullable(Whole),
    started_at: Time,
  },
  { $id: 'AdminLocalPull', description: 'A download that runs now.' },
);
export type LocalPullView = Wire<typeof LocalPull>;

const LocalFailure = Type.Object(
  {
    message: Text,
    unverified: Type.Array(Type.Object({ file: Text, facts: Type.Array(Text) }), {
      description:
        'Facts that neither the manifest nor an earlier pull names. Pull again with `accept_unverified` to use what the hub says.',
    }),
    at: Time,
  },
  { $id: 'AdminLocalFailure', description: 'Why the last pull ended, since the start of the process.' },
);
export type LocalFailureView = Wire<typeof LocalFailure>;

export const LocalModel = Type.Object(
  {
    name: Text,
    title: Text,
    type: MediaType,
    state: Type.Enum(['not_pulled', 'pulling', 'pulled']),
    model_ids: Type.Array(Text, { description: 'By which orders name it once it is pulled.' }),
    licence: Type.Object({
      id: Text,
      must_be_accepted: Type.Boolean({ description: 'Nobody has accepted it here yet, and somebody must.' }),
    }),
    bytes: Nullable(Whole, 'Of its files without the engine.'),
    is_exact: Type.Boolean({ description: 'Whether `bytes` is exact.' }),
    memory_bytes: Nullable(Whole, 'The main memory that it needs, if it is known.'),
    time: Nullable(Text, 'How long one picture takes here, and how that is known.'),
    builds: Type.Array(Text, { description: 'Builds of its engine for this platform.' }),
    build: Nullable(Text, 'The build that is pulled with it unless you name another one; of a pulled model its own.'),
    pulled_at: Nullable(Time),
    pull: Type.Union([refTo(LocalPull), Type.Null()]),
    failure: Type.Union([refTo(LocalFailure), Type.Null()]),
    server: Type.Union([refTo(LocalServer), Type.Null()]),
  },
  { $id: 'AdminLocalModel', description: 'A model that can be pulled to this machine, or is.' },
);
export type LocalModelView = Wire<typeof LocalModel>;

const OwnServer = Type.Object(
  {
    name: Text,
    api: Text,
    model_ids: Type.Array(Text),
    memory_bytes: Nullable(Whole, 'The main memory that it needs, if the file says it.'),
    server: Type.Union([refTo(LocalServer), Type.Null()]),
  },
  { $id: 'AdminOwnServer', description: "A server of the operator's file." },
);
const LocalNetwork = Type.Object(
  {
    state: Type.Enum(['closed', 'open', 'unavailable'], {
      description:
        '`unavailable`: DARKROOM_LOCAL_NETWORK is `closed`, the system cannot do it, and no server is started.',
    }),
    reason: Type.String({ description: 'What closes it, or why it is not closed.' }),
  },
  {
    $id: 'AdminLocalNetwork',
    description: 'Whether servers can reach anything but themselves, unless their file gives them an open network.',
  },
);

export const LocalModels = Type.Object(
  {
    items: Type.Array(refTo(LocalModel)),
    own_servers: Type.Array(refTo(OwnServer)),
    is_on: Type.Boolean({ description: 'False if DARKROOM_ENGINES excludes the engine `local`.' }),
    machine: Type.Object({
      platform: Text,
      memory_bytes: Whole,
      free_bytes: Nullable(Whole, 'On the disk of the models.'),
      network: refTo(LocalNetwork),
    }),
  },
  { $id: 'AdminLocalModels', description: 'What this machine offers and could offer.' },
);
export type LocalModelsView = Wire<typeof LocalModels>;

export const RemovedLocalModel = Type.Object(
  { name: Text, bytes: Type.Integer({ description: 'How many were freed.' }), removed: Flag },
  { $id: 'AdminRemovedLocalModel', description: 'A model whose files were removed.' },
);
export type RemovedLocalModelView = Wire<typeof RemovedLocalModel>;

export const LOCAL_COMPONENTS = [
  LocalServer,
  LocalPull,
  LocalFailure,
  LocalModel,
  OwnServer,
  LocalModels,
  LocalNetwork,
  RemovedLocalModel,
];
