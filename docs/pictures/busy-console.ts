import type { TestContext } from 'node:test';
import {
  type BusyService,
  fillCosts,
  openAlert,
  openCircuit,
  startBusyService,
} from '../../test/browser/busy-service.ts';
import type { TaskAnswer } from '../../test/helpers/service.ts';

/** What stands on top of the history, so that no picture is there twice. */
const STILLS = [
  { prompt: 'A lighthouse on a cliff at dusk, waves below', seed: 2 },
  { prompt: 'A red fox in the snow at dawn', seed: 3 },
  { prompt: 'A pagoda by a lake in autumn, watercolour', seed: 11 },
  { prompt: 'Three hot air balloons over mountains at sunset, low poly', seed: 2 },
  { prompt: 'A steam train in autumn hills, ink', seed: 9 },
  { prompt: 'An astronaut on the moon, the earth above', seed: 11 },
  { prompt: 'A city at night in the rain, neon lights, a full moon', seed: 5 },
  { prompt: 'A bowl of oranges on a wooden table, watercolour', seed: 4 },
  { prompt: 'A sailing ship in a storm, woodcut', seed: 8 },
  { prompt: 'A castle on a hill in spring, blossoming trees', seed: 6 },
  { prompt: 'A whale under the sea with jellyfish', seed: 8 },
  { prompt: 'A desert road at noon, a cactus, a red car', seed: 7 },
  { prompt: 'A cottage in a snowy forest at night, lit windows', seed: 12 },
  { prompt: 'A vase of sunflowers by a window', seed: 3 },
];
const FILMS = [
  { prompt: 'A sailing boat at sunset, the camera pans left', seed: 4 },
  { prompt: 'A rocket rising over the desert at night, stars', seed: 6 },
];

/**
 * Engines that are set up, so that what shows them has something to show. Nothing is asked of them: whatever is ordered
 * is a rehearsal.
 */
const ENGINES = {
  FAL_KEY: 'none',
  DARKROOM_FAL_URL: 'http://127.0.0.1:9',
  OPENAI_API_KEY: 'none',
  DARKROOM_OPENAI_URL: 'http://127.0.0.1:9',
  REPLICATE_API_TOKEN: 'none',
  DARKROOM_REPLICATE_URL: 'http://127.0.0.1:9',
};

/** A service with a month of orders and keys, and the newest of them worth looking at. */
export interface BusyConsole extends BusyService {
  readonly signedIn: { readonly test: string; readonly live: string; readonly admin: string };
  readonly still: TaskAnswer;
  readonly sheet: TaskAnswer;
  readonly motion: TaskAnswer;
  /** Finished, and not charged. */
  readonly refused: TaskAnswer;
  readonly canceled: TaskAnswer;
  /** A key that has ordered nothing. */
  readonly newcomer: string;
  /** A key that orders nothing but light tables. */
  readonly lightTable: string;
}

export async function openBusyConsole(t: Pick<TestContext, 'after'>): Promise<BusyConsole> {
  // The built-in illustrator draws: tests use an engine whose pictures are grey.
  const service = await startBusyService(t, { env: ENGINES, service: { engines: [] } });
  const { make, viewer, keys } = service;
  await openCircuit(service, 'replicate');
  await openAlert(service);
  const refused = await make(viewer, '/v1/images', {
    model_id: 'sketch',
    prompt: 'A castle',
    simulate: { outcome: 'content_policy' },
  });
  const stills = await Promise.all(
    STILLS.map((still) => make(viewer, '/v1/images', { model_id: 'sketch', aspect_ratio: '3:2', ...still })),
  );
  const films = await Promise.all(
    FILMS.map((film) =>
      make(viewer, '/v1/videos', { model_id: 'sketch-motion', duration: 3, resolution: '480p', ...film }),
    ),
  );
  const sheet = await make(viewer, '/v1/images', {
    model_id: 'sketch-grid',
    prompt: 'A lighthouse on a cliff at dusk, waves below',
    aspect_ratio: '3:2',
    seed: 5,
  });
  const { data: canceled } = await service.call(viewer, 'GET', '/v1/images?status=canceled&limit=1');
  const { key: newcomer } = await service.issueKey({ mode: 'test', name: 'newcomer' });
  const { key: lightTable } = await service.issueKey({ mode: 'test', name: 'light table' });
  await fillCosts(service);
  return {
    ...service,
    signedIn: { test: viewer, live: keys.live, admin: keys.admin },
    still: stills[0]!,
    sheet,
    motion: films[0]!,
    refused,
    canceled: canceled.items[0],
    newcomer,
    lightTable,
  };
}
