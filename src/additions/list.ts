import type { Addition } from '../kernel.ts';
import { ALERTS } from './alerts/alerts.ts';
import { BATCHES } from './batches/batches.ts';
import { BUDGET_NOTICES } from './budget-notices/budget-notices.ts';
import { CALLBACKS } from './callbacks/callbacks.ts';
import { CHAINS } from './chains/chains.ts';
import { CLIENT_COMMANDS } from './client-commands/client-commands.ts';
import { CLIENT_TOKENS } from './client-tokens/client-tokens.ts';
import { CONSOLE } from './console/console.ts';
import { DELETIONS } from './deletions/deletions.ts';
import { DELIVERY } from './delivery/delivery.ts';
import { END_USERS } from './end-users/end-users.ts';
import { ENGINES } from './engines-command/engines.ts';
import { EXAMPLES } from './examples/examples.ts';
import { FIGURES } from './figures/figures.ts';
import { FLEET } from './fleet/fleet.ts';
import { GUIDE } from './guide/guide.ts';
import { LOCAL } from './local/local.ts';
import { MCP } from './mcp/mcp.ts';
import { MODERATION } from './moderation/moderation.ts';
import { OPENAI } from './openai/openai.ts';
import { OPERATOR } from './operator/operator.ts';
import { OPERATOR_COMMANDS } from './operator-commands/operator-commands.ts';
import { ORIGINS } from './origins/origins.ts';
import { PEOPLE } from './people/people.ts';
import { PRIVACY } from './privacy/privacy.ts';
import { PROVENANCE } from './provenance/provenance.ts';
import { RECEIPTS } from './receipts/receipts.ts';
import { REFERENCES } from './references/references.ts';
import { REQUEST_LOG } from './request-log/request-log.ts';
import { SEARCH } from './search/search.ts';
import { SHARES } from './shares/shares.ts';
import { STREAMS } from './streams/streams.ts';
import { TAGS } from './tags/tags.ts';
import { TRACES } from './traces/traces.ts';
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
  MCP,
  ALERTS,
  LOCAL,
  USAGE,
  FIGURES,
  REQUEST_LOG,
  BATCHES,
  UPLOADS,
  REFERENCES,
  CHAINS,
  UPSTREAM_KEYS,
  WEBHOOKS,
  BUDGET_NOTICES,
  CALLBACKS,
  DELIVERY,
  MODERATION,
  PROVENANCE,
  RECEIPTS,
  ORIGINS,
  FLEET,
  TRACES,
  PRIVACY,
  PEOPLE,
];
