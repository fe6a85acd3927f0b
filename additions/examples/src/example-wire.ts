import {
  Currency,
  listOf,
  MediaType,
  Money,
  Nullable,
  pageOf,
  Text,
  Time,
  type Wire,
} from '@darkroom-service/contract/parts';
import { Type } from 'typebox';

const members = {
  example_id: Text,
  model_id: Text,
  type: MediaType,
  prompt: Nullable(Text, 'Null if the order had none.'),
  amount: Type.String({ ...Money, description: 'US dollars that the order was charged.' }),
  currency: Currency,
  picture_url: Type.String({
    format: 'uri',
    description:
      'A WebP of at most 512 pixels, of a video its first frame. It needs no key, and stays after the order expires.',
  }),
  width: Nullable(Type.Integer(), 'Pixels of the output.'),
  height: Nullable(Type.Integer(), 'Pixels of the output.'),
  ordered_at: Time,
};

const shown = {
  example_id: 'exa_01kafx5t2hqm8w4v7z1c9d3e6f',
  model_id: 'flux-2-pro',
  type: 'image',
  prompt: 'a lighthouse in a storm',
  amount: '0.04',
  currency: 'USD',
  picture_url: 'https://darkroom.example/examples/exa_01kafx5t2hqm8w4v7z1c9d3e6f',
  width: 1024,
  height: 1024,
  ordered_at: '2026-11-20T09:30:00.000Z',
};

export const ModelExample = Type.Object(members, {
  $id: 'ModelExample',
  description: 'An order that the operator shows as an example of its model.',
  examples: [shown],
});
export type ModelExampleView = Wire<typeof ModelExample>;
export const ModelExampleList = listOf(ModelExample);

export const AdminModelExample = Type.Object(
  { ...members, task_id: Text, account_id: Text },
  {
    $id: 'AdminModelExample',
    description: 'The same with the order that it shows.',
    examples: [{ ...shown, task_id: 'img_01kafx2r5gq3v8m1t0z6y4n7wd', account_id: 'default' }],
  },
);
export type AdminModelExampleView = Wire<typeof AdminModelExample>;
export const AdminModelExamplePage = pageOf(AdminModelExample);

export const ModelExampleDeletion = Type.Object(
  { task_id: Text, deleted_at: Time },
  { $id: 'ModelExampleDeletion', description: 'The confirmation that an order is no longer an example.' },
);
