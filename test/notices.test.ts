import { test } from 'node:test';
import { openNoticeLine } from './helpers/count-notices.ts';
import { assertFewAreTold } from './helpers/few-are-told.ts';
import { createPostgresDatabase } from './helpers/postgres-server.ts';

test('an order is told to at most three processes, however many there are, and its end at once to the one that waits', async (t) => {
  const line = await openNoticeLine(t, await createPostgresDatabase(t));
  await assertFewAreTold(t, { DARKROOM_DATABASE_URL: line.url }, () => line.delivered);
});
