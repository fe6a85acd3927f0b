import { idPattern } from '@darkroom-service/contract';
import { closedObject, Nullable, Text, Time, type Wire } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';

export const NewDataRequest = closedObject(
  {
    account_id: Type.String({ minLength: 1, maxLength: 64 }),
    end_user: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'one end user of all keys of the account' }),
    ),
  },
  { title: 'NewDataRequest' },
);

export const NewErasure = closedObject(
  {
    ...NewDataRequest.properties,
    uploads: Type.Optional(
      Type.Boolean({
        description: 'true = uploads that name no end user go too, if only orders of this end user used them',
      }),
    ),
  },
  { title: 'NewErasure' },
);

/** An erasure as `darkroom privacy erasures` prints it. */
export const KnownErasureBody = closedObject(
  {
    erasure_id: Type.String({ maxLength: 64, pattern: `^${idPattern('era')}$` }),
    account_id: Type.String({ minLength: 1, maxLength: 64 }),
    end_user_digest: Nullable(Type.String({ maxLength: 64 }), 'Null for a whole account.'),
    requested_at: Type.Integer({ minimum: 0, description: 'Milliseconds since 1970 UTC.' }),
    uploads: Type.Optional(Type.Literal(true)),
  },
  { title: 'KnownErasure' },
);

export const RepeatedErasure = Type.Object(
  {
    erasure_id: Text,
    repeated: Type.Boolean({ description: 'Whether it was not known, and there is something to erase.' }),
  },
  { title: 'RepeatedErasure' },
);
export type RepeatedErasureView = Wire<typeof RepeatedErasure>;

const subject = {
  account_id: Text,
  end_user: Nullable(Text, 'Null for the whole account, and once the end user is erased.'),
  requested_at: Time,
};

export const DataExport = Type.Object(
  {
    export_id: Text,
    ...subject,
    expires_at: Type.String({ format: 'date-time', description: 'Until then its archives can be downloaded.' }),
  },
  {
    $id: 'AdminDataExport',
    description: 'An export of what is stored of an account or an end user.',
    examples: [
      {
        export_id: 'exp_066a7782e0000000000000000w',
        account_id: 'acme',
        end_user: 'ada',
        requested_at: '2026-11-20T08:00:00.000Z',
        expires_at: '2026-11-27T08:00:00.000Z',
      },
    ],
  },
);
export type DataExportView = Wire<typeof DataExport>;

export const Erasure = Type.Object(
  {
    erasure_id: Text,
    ...subject,
    end_user_digest: Nullable(Text, 'Names the end user once it is erased, to whoever knows the name.'),
    status: Type.Enum(['processing', 'completed']),
    orders: Type.Integer({ description: 'Orders that were erased.' }),
    files: Type.Integer({ description: 'Uploads that are gone from the storage.' }),
    waiting: Type.Integer({ description: 'Orders that it waits for, because an engine has them.' }),
    uploads: Type.Boolean({ description: 'Whether it takes uploads along that name no end user.' }),
    undecided: Type.Integer({
      description: 'Uploads that name no end user, and that only erased orders used. They are still there.',
    }),
    undecided_uploads: Type.Array(Text, {
      description: 'Their ids, at most 100. Delete them, or request the erasure again with uploads: true.',
    }),
    completed_at: Nullable(Time),
  },
  {
    $id: 'AdminErasure',
    description: 'The erasure of what is stored of an account or an end user.',
    examples: [
      {
        erasure_id: 'era_066a7782e0000000000000000w',
        account_id: 'acme',
        end_user: null,
        requested_at: '2026-11-20T08:00:00.000Z',
        end_user_digest: '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA',
        status: 'completed',
        orders: 12,
        files: 3,
        waiting: 0,
        uploads: false,
        undecided: 0,
        undecided_uploads: [],
        completed_at: '2026-11-20T08:00:02.000Z',
      },
    ],
  },
);
export type ErasureView = Wire<typeof Erasure>;
