import { type Addition, ConfigFault, defineSettings, list } from '@darkroom-service/darkroom/kernel';
import { findNetwork } from './find-network.ts';
import type { Thresholds } from './refusal.ts';

const NAME = 'DARKROOM_LOCAL_MODERATION';

/** Null: nothing is judged on this machine. */
const LOCAL_MODERATION_SETTINGS = defineSettings({
  variables: {
    [NAME]: list(/^(hentai|porn|sexy):(0\.\d{1,4}|1)$/, {
      expected: 'contents with their thresholds such as porn:0.8,hentai:0.8, of porn, hentai and sexy, from 0 to 1',
      description:
        'Refuses images and videos in which a network on this machine finds such content at least this likely. See [moderation](operating.md#moderation-on-this-machine).',
    }),
  },
  read({ [NAME]: pairs }) {
    if (pairs === undefined || pairs.length === 0) return null;
    if (findNetwork() === null)
      throw new ConfigFault([
        { variable: NAME, message: 'needs the package nsfwjs, which is not installed. Install it, or unset this.' },
      ]);
    return Object.fromEntries(
      pairs.map((pair) => {
        const [content = '', threshold] = pair.split(':');
        return [content, Number(threshold)];
      }),
    ) as Thresholds;
  },
});

/** Judges images and videos of orders, before their submission and before their success, without another service. */
export const LOCAL_MODERATION: Addition = {
  name: 'local-moderation',
  settings: LOCAL_MODERATION_SETTINGS,
  // Disabled, it would let orders pass that the operator wants to be judged.
  findOpenWork: async (_session, { config }) =>
    config.of(LOCAL_MODERATION_SETTINGS) === null
      ? null
      : `${NAME} is set. Unset it if no order is to be judged any more.`,
  open: ({ files, log, settings }) => ({
    async judge() {
      const thresholds = settings.of(LOCAL_MODERATION_SETTINGS);
      const network = findNetwork();
      if (thresholds === null || network === null) return null;
      const { createJudge } = await import('./judge-files.ts');
      const judge = createJudge({ network, thresholds, files, log, temporaryDirectory: settings.temporaryDirectory });
      return {
        beforeSubmission: (order, signal) =>
          judge(
            order,
            order.media.flatMap(({ field, kind, stored }) =>
              stored === null || kind === 'audio' ? [] : [{ name: field, key: stored.key }],
            ),
            signal,
          ),
        beforeSuccess: (order, outputs, signal) =>
          judge(
            order,
            // The preview of a video has its frames already, and is small.
            outputs.map(({ key, previewKey }, index) => ({ name: `outputs[${index}]`, key: previewKey ?? key })),
            signal,
          ),
      };
    },
  }),
};
