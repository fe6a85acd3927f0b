import { type Addition, defineSettings, flag, webAddress } from '../../kernel.ts';

/** The operator's moderation service; null = there is none. */
const MODERATION_SETTINGS = defineSettings({
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

/** Lets a service of the operator judge every order before its submission, and every output before its success. */
export const MODERATION: Addition = {
  name: 'moderation',
  settings: MODERATION_SETTINGS,
  // Disabled, it would let orders pass that the operator wants to be judged.
  findOpenWork: async (_session, { config }) =>
    config.of(MODERATION_SETTINGS) === null
      ? null
      : 'DARKROOM_MODERATION_URL is set. Unset it if no order is to be judged any more.',
  open: ({ files, log, orders, settings }) => ({
    async judge() {
      const moderation = settings.of(MODERATION_SETTINGS);
      if (moderation === null) return null;
      const [{ createModeration }, { questionBefore, questionAfter }] = await Promise.all([
        import('./ask-moderation.ts'),
        import('./moderation-question.ts'),
      ]);
      const { fetch, signer } = files;
      const { judge } = createModeration({ ...moderation, fetch, log });
      return {
        beforeSubmission: (order, signal) =>
          judge(questionBefore(order, orders.catalog().find(order.model_id), signer), signal),
        beforeSuccess: (order, outputs, signal) => judge(questionAfter(order, outputs, signer), signal),
      };
    },
  }),
};
