import { MediaType, Nullable, Text, Time, type Wire } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';

export const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  maxLength: 64,
  description: 'the SHA-256 of the file, in lowercase hex',
  examples: ['2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'],
});

export const Origin = Type.Object(
  {
    sha256: Sha256,
    type: MediaType,
    made_at: Time,
    task_id: Nullable(Text, 'The first task with this output; null if it belongs to somebody else.'),
  },
  {
    $id: 'Origin',
    description: 'Where a file comes from that this service has made.',
    examples: [
      {
        sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
        type: 'image',
        made_at: '2026-11-20T09:30:02.000Z',
        task_id: 'img_01kafx2r5gq3v8m1t0z6y4n7wd',
      },
    ],
  },
);
export type OriginView = Wire<typeof Origin>;
