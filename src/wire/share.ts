import { Type } from 'typebox';
import { CLOSED, Flag, MediaType, pageOf, Text, Time, type Wire } from './parts.ts';

const DAY_SECONDS = 86_400;
export const DEFAULT_SHARE_SECONDS = 7 * DAY_SECONDS;

/** The body that asks for a link. */
export const NewShare = Type.Object(
  {
    task_id: Type.String({ minLength: 1, maxLength: 64, description: 'A task that has succeeded.' }),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 30 * DAY_SECONDS,
        default: DEFAULT_SHARE_SECONDS,
        description: 'Seconds. The link ends earlier if the files of the task expire earlier.',
      }),
    ),
    show_prompt: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the link shows the prompt, too.' }),
    ),
  },
  { ...CLOSED, title: 'NewShare' },
);

export const Share = Type.Object(
  {
    share_id: Type.String({ examples: ['shr_01kafx2r5gq3v8m1t0z6y4n7wd'] }),
    task_id: Text,
    type: MediaType,
    url: Type.String({
      format: 'uri',
      description: 'The page to hand on. It works without a key until the link expires or is revoked.',
    }),
    file_url: Type.String({ format: 'uri', description: 'The image or video itself, as long as the page.' }),
    show_prompt: Flag,
    created_at: Time,
    expires_at: Time,
  },
  { $id: 'Share', description: 'A link that shows the result of a task to people without a key.' },
);
export type ShareView = Wire<typeof Share>;

export const SharePage = pageOf(Share);

export const ShareDeletion = Type.Object(
  { share_id: Text, deleted_at: Time },
  { $id: 'ShareDeletion', description: 'The confirmation that a link no longer works.' },
);
