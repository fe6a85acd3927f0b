import { A1111 } from '@darkroom-service/addition-a1111';
import { ALERTS } from '@darkroom-service/addition-alerts';
import { BUDGET_NOTICES } from '@darkroom-service/addition-budget-notices';
import { CLIENT_COMMANDS } from '@darkroom-service/addition-client-commands';
import { CONSOLE } from '@darkroom-service/addition-console';
import { DELIVERY } from '@darkroom-service/addition-delivery';
import { ENGINES } from '@darkroom-service/addition-engines-command';
import { EXAMPLES } from '@darkroom-service/addition-examples';
import { FIGURES } from '@darkroom-service/addition-figures';
import { FLEET } from '@darkroom-service/addition-fleet';
import { GEMINI } from '@darkroom-service/addition-gemini';
import { GUIDE } from '@darkroom-service/addition-guide';
import { LOCAL } from '@darkroom-service/addition-local';
import { LOCAL_MODERATION } from '@darkroom-service/addition-local-moderation';
import { MCP } from '@darkroom-service/addition-mcp';
import { OPENAI } from '@darkroom-service/addition-openai';
import { OPENROUTER } from '@darkroom-service/addition-openrouter';
import { OPERATOR } from '@darkroom-service/addition-operator';
import { OPERATOR_COMMANDS } from '@darkroom-service/addition-operator-commands';
import { ORIGINS } from '@darkroom-service/addition-origins';
import { PEOPLE } from '@darkroom-service/addition-people';
import { PRIVACY } from '@darkroom-service/addition-privacy';
import { PROVENANCE } from '@darkroom-service/addition-provenance';
import { RECEIPTS } from '@darkroom-service/addition-receipts';
import { REPLICATE } from '@darkroom-service/addition-replicate';
import { REQUEST_LOG } from '@darkroom-service/addition-request-log';
import { SHARES } from '@darkroom-service/addition-shares';
import { TOOLS } from '@darkroom-service/addition-tools';
import { TRACES } from '@darkroom-service/addition-traces';
import type { Addition } from '../kernel.ts';
import { BATCHES } from './batches/batches.ts';
import { CALLBACKS } from './callbacks/callbacks.ts';
import { CHAINS } from './chains/chains.ts';
import { CLIENT_TOKENS } from './client-tokens/client-tokens.ts';
import { DATA_RULES } from './data-rules/data-rules.ts';
import { DELETIONS } from './deletions/deletions.ts';
import { END_USERS } from './end-users/end-users.ts';
import { MODERATION } from './moderation/moderation.ts';
import { REFERENCES } from './references/references.ts';
import { SEARCH } from './search/search.ts';
import { STREAMS } from './streams/streams.ts';
import { TAGS } from './tags/tags.ts';
import { UPLOADS } from './uploads/uploads.ts';
import { UPSTREAM_KEYS } from './upstream-keys/upstream-keys.ts';
import { USAGE } from './usage/usage.ts';
import { WEBHOOKS } from './webhooks/webhooks.ts';

/** All additions. Their hooks run in this order. */
export const ADDITIONS: readonly Addition[] = [
  END_USERS,
  CLIENT_TOKENS,
  OPERATOR,
  OPERATOR_COMMANDS,
  CLIENT_COMMANDS,
  ENGINES,
  STREAMS,
  CONSOLE,
  GUIDE,
  SHARES,
  TAGS,
  DELETIONS,
  SEARCH,
  EXAMPLES,
  OPENAI,
  GEMINI,
  REPLICATE,
  OPENROUTER,
  A1111,
  MCP,
  ALERTS,
  LOCAL,
  TOOLS,
  USAGE,
  FIGURES,
  REQUEST_LOG,
  BATCHES,
  UPLOADS,
  REFERENCES,
  CHAINS,
  DATA_RULES,
  UPSTREAM_KEYS,
  WEBHOOKS,
  BUDGET_NOTICES,
  CALLBACKS,
  DELIVERY,
  MODERATION,
  LOCAL_MODERATION,
  PROVENANCE,
  RECEIPTS,
  ORIGINS,
  FLEET,
  TRACES,
  PRIVACY,
  PEOPLE,
];
