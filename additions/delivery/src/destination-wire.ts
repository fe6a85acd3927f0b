import {
  closedObject,
  listOf,
  Nullable,
  OPTIONAL_BODY,
  SECRET_FIELD,
  Text,
  Time,
  type Wire,
} from '@darkroom-service/contract/parts';
import { DeliverTo, DestinationName } from '@darkroom-service/contract/schemas';
import { Type } from 'typebox';

const Bucket = Type.String({ maxLength: 63, pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' });
const Region = Type.String({ maxLength: 40, pattern: '^[a-z0-9-]{1,40}$' });
const Path = Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_.{}-][A-Za-z0-9_./{}-]*$' });
export const DEFAULT_PATH = '{date}/{task_id}-{n}.{ext}';

/** The body that sets a destination. */
export const NewDestination = closedObject(
  {
    bucket: Bucket,
    endpoint: Type.Optional(
      Nullable(
        Type.String({ format: 'uri', maxLength: 255 }),
        'The origin of an S3-compatible server, such as https://s3.example.com; by default Amazon S3.',
      ),
    ),
    region: Type.Optional(Nullable(Region, 'Required for Amazon S3.')),
    path: Type.Optional({
      ...Path,
      description: `The names of the objects, with {task_id} and {n}, the number of the output; also {date} and {ext}. By default ${DEFAULT_PATH}.`,
    }),
    access_key_id: Type.String({ minLength: 4, maxLength: 128, ...SECRET_FIELD }),
    secret_access_key: Type.String({
      minLength: 1,
      maxLength: 1_024,
      ...SECRET_FIELD,
      description: 'It needs the right to put objects only. It is stored sealed and never answered.',
    }),
    default: Type.Optional(Type.Boolean({ description: 'Whether live orders without deliver_to go there.' })),
  },
  { title: 'NewDestination' },
);

export const Destination = Type.Object(
  {
    name: DestinationName,
    bucket: Text,
    endpoint: Nullable(Text, 'Null = Amazon S3.'),
    region: Nullable(Text),
    path: Text,
    last_four: Type.String({ description: 'The last four characters of access_key_id.' }),
    default: Type.Boolean(),
    set_by: Type.String({ description: 'The key_id of the API key that set it.' }),
    set_at: Time,
  },
  {
    $id: 'Destination',
    description: 'A bucket of the account that outputs can be delivered to.',
    examples: [
      {
        name: 'archive',
        bucket: 'pictures',
        endpoint: null,
        region: 'eu-central-1',
        path: DEFAULT_PATH,
        last_four: 'MPLE',
        default: true,
        set_by: 'key_01kafx1a2bq4w6r8y0s3h5b7n9',
        set_at: '2026-11-20T09:30:00.000Z',
      },
    ],
  },
);
export type DestinationView = Wire<typeof Destination>;

export const DestinationList = listOf(Destination, {
  cannot_set: Type.Optional({ ...Text, description: 'Why no destination can be set now; absent = they can.' }),
});

export const DestinationRemoval = Type.Object(
  { name: Text, removed_at: Time },
  {
    $id: 'DestinationRemoval',
    description: 'The confirmation that a destination was removed.',
    examples: [{ name: 'archive', removed_at: '2026-11-20T09:30:00.000Z' }],
  },
);

export const Redelivery = closedObject(
  { deliver_to: Type.Optional({ ...DeliverTo, description: 'By default as before, under the same names.' }) },
  { ...OPTIONAL_BODY, title: 'Redelivery' },
);
