import type { TextFile } from '../language.ts';
import { batchTexts } from './batches.ts';
import { endUserTexts } from './end-users.ts';
import { frameTexts } from './frame.ts';
import { historyTexts } from './history.ts';
import { keysTexts } from './keys.ts';
import { lightTexts } from './light.ts';
import { localTexts } from './local.ts';
import { operationsTexts } from './operations.ts';
import { optionTexts } from './options.ts';
import { orderTexts } from './orders.ts';
import { shareTexts } from './shares.ts';
import { studioTexts } from './studio.ts';
import { trendsTexts } from './trends.ts';
import { usageTexts } from './usage.ts';
import { webhookTexts } from './webhooks.ts';

/** All German texts. They are one part of the console, so that a page need not wait for several. */
export const german: Readonly<Record<TextFile, unknown>> = {
  batches: batchTexts,
  endUsers: endUserTexts,
  frame: frameTexts,
  history: historyTexts,
  keys: keysTexts,
  light: lightTexts,
  local: localTexts,
  operations: operationsTexts,
  options: optionTexts,
  orders: orderTexts,
  shares: shareTexts,
  studio: studioTexts,
  trends: trendsTexts,
  usage: usageTexts,
  webhooks: webhookTexts,
};
