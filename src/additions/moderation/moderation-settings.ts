import { defineSettings } from '../../service/config/settings.ts';
import { flag, webAddress } from '../../service/config/variable-types.ts';

/** The operator's moderation service; null = there is none. */
export const MODERATION_SETTINGS = defineSettings({
  variables: {
    DARKROOM_MODERATION_URL: webAddress(
      'https://moderation.example.com/check',
      'Your [moderation service](operating.md#moderation-service).',
    ),
    DARKROOM_MODERATION_REQUIRED: flag(
      'While the moderation service does not answer, orders fail (`true`) or continue without it (`false`).',
      true,
    ),
  },
  read: ({ DARKROOM_MODERATION_URL: url, DARKROOM_MODERATION_REQUIRED: required }) =>
    url === undefined ? null : { url, required },
});
