import type { DataOf } from '../../api/operations.ts';
import type { Tone } from '../../components/status-mark.tsx';
import { formatCount, withReadableTimes } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import type { Tile } from './seen-tile.ts';

type Page = DataOf<'GET /admin/v1/webhooks/deliveries'>;

const texts = operationsTexts.line;
const DAY_MS = 86_400_000;

/** Says how webhooks go, by the answers of their receivers: that none has failed for good yet says nothing. */
export function webhookTile({
  failed,
  pending,
  delivered,
}: {
  readonly failed: Page | undefined;
  readonly pending: Page | undefined;
  readonly delivered: Page | undefined;
}): Tile {
  const tile = (tone: Tone, says: string): Tile => ({ name: texts.webhooks, tone, says, href: '/orders/webhooks' });
  if (failed === undefined || pending === undefined || delivered === undefined) return tile('quiet', texts.unknown);
  const refused = pending.items.filter(({ attempts }) => attempts.length > 0);
  const count = (page: Page, shown: number) => `${formatCount(shown)}${page.has_more ? '+' : ''}`;
  const said = refused.length === 0 ? null : answerOf(refused);
  if (said !== null) return tile('bad', texts.waiting(count(pending, refused.length), said));
  const givenUp = failed.items.filter(({ created_at: at }) => Date.now() - Date.parse(at) < DAY_MS);
  if (givenUp.length > 0) return tile('bad', texts.undelivered(givenUp.length));
  if (pending.items.length > 0) return tile('quiet', texts.onTheWay(count(pending, pending.items.length)));
  const [last] = delivered.items;
  if (last === undefined) return tile('quiet', texts.noneSent);
  return tile('good', texts.delivered(withReadableTimes(last.delivered_at ?? last.created_at)));
}

/** The latest answer to any of them. */
function answerOf(refused: Page['items']): string {
  const attempts = refused.flatMap(({ url, attempts }) => attempts.map((attempt) => ({ url, ...attempt })));
  const last = attempts.reduce((a, b) => (a.started_at > b.started_at ? a : b));
  const { host } = new URL(last.url);
  return last.response_status === null
    ? texts.noAnswer(host, last.error ?? texts.unknown)
    : texts.lastAnswer(last.response_status, host);
}
