import type { TextFile } from '../page-language.ts';
import { batchTexts } from './batches.ts';
import { endUserTexts } from './end-users.ts';
import { historyTexts } from './history.ts';
import { keysTexts } from './keys.ts';
import { lightTexts } from './light.ts';
import { localTexts } from './local.ts';
import { operationsTexts } from './operations.ts';
import { requestTexts } from './requests.ts';
import { selectionTexts } from './selection.ts';
import { shareTexts } from './shares.ts';
import { trendsTexts } from './trends.ts';
import { usageTexts } from './usage.ts';
import { webhookTexts } from './webhooks.ts';

/** The German texts of all other pages. They are one part of the console, so that a page need not wait for several. */
export const german: Readonly<Record<TextFile, unknown>> = {
  batches: batchTexts,
  endUsers: endUserTexts,
  history: historyTexts,
  keys: keysTexts,
  light: lightTexts,
  local: localTexts,
  operations: operationsTexts,
  requests: requestTexts,
  selection: selectionTexts,
  shares: shareTexts,
  trends: trendsTexts,
  usage: usageTexts,
  webhooks: webhookTexts,
};
