import { closedObject, Flag, pageOf, Text, Time, type Wire } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';

const DAY_SECONDS = 86_400;
export const DEFAULT_SHARE_SECONDS = 7 * DAY_SECONDS;

const TaskId = Type.String({ minLength: 1, maxLength: 64 });
/** Maximum number of tasks that one link shows. */
const MOST_SHARED = 200;

/** Body that requests a link. */
export const NewShare = closedObject(
  {
    task_id: Type.Optional({ ...TaskId, description: 'A task that has succeeded.' }),
    task_ids: Type.Optional(
      Type.Array(TaskId, {
        minItems: 1,
        maxItems: MOST_SHARED,
        description: 'Instead of `task_id`: tasks that have succeeded, each once, in the order to show them in.',
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 30 * DAY_SECONDS,
        default: DEFAULT_SHARE_SECONDS,
        description: 'Seconds. The link ends earlier if all its files expire earlier.',
      }),
    ),
    show_prompt: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the link shows the prompt, too.' }),
    ),
  },
  { title: 'NewShare', oneOf: [{ required: ['task_id'] }, { required: ['task_ids'] }] },
);

const SHARED = 'https://darkroom.example/shares/shr_01kafx5t2hqm8w4v7z1c9d3e6f';

export const Share = Type.Object(
  {
    share_id: Type.String({ examples: ['shr_01kafx2r5gq3v8m1t0z6y4n7wd'] }),
    task_id: Type.String({ description: 'The first task.' }),
    task_ids: Type.Array(Text, { description: 'All tasks that the link shows. Those that were erased are gone.' }),
    type: Type.Enum(['image', 'video'], { description: 'That of the first task.' }),
    url: Type.String({
      format: 'uri',
      description: 'The page to hand on. It works without a key until the link expires or is revoked.',
    }),
    file_url: Type.String({
      format: 'uri',
      description: 'The image or video itself, of several the first, as long as the page.',
    }),
    show_prompt: Flag,
    created_at: Time,
    expires_at: Time,
  },
  {
    $id: 'Share',
    description: 'A link that shows the results of tasks to people without a key.',
    examples: [
      {
        share_id: 'shr_01kafx5t2hqm8w4v7z1c9d3e6f',
        task_id: 'img_01kafx2r5gq3v8m1t0z6y4n7wd',
        task_ids: ['img_01kafx2r5gq3v8m1t0z6y4n7wd'],
        type: 'image',
        url: `${SHARED}?expires=1763726400000&signature=p2`,
        file_url: `${SHARED}/file?expires=1763726400000&signature=p2`,
        show_prompt: false,
        created_at: '2026-11-20T09:30:00.000Z',
        expires_at: '2026-12-20T09:30:00.000Z',
      },
    ],
  },
);
export type ShareView = Wire<typeof Share>;

export const SharePage = pageOf(Share);

export const ShareDeletion = Type.Object(
  { share_id: Text, deleted_at: Time },
  { $id: 'ShareDeletion', description: 'The confirmation that a link no longer works.' },
);
