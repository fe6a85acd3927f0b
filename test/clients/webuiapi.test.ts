import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { type Fault, openFaultProxy } from './fault-proxy.ts';
import { openPython, type Printed } from './python.ts';
import { startPythonProgram } from './python-program.ts';

/** `webuiapi` (PyPI) against the interface for A1111 apps, through a proxy that loses requests and answers. */

const WEBUIAPI_PACKAGES = ['webuiapi==0.9.17'];
const ORDER = /^POST /;

/** Faults of the order, and what the client makes of each: it repeats nothing. */
const OUTCOMES: readonly { readonly fault: Extract<Fault, string>; readonly outcome: string }[] = [
  { fault: 'cut before', outcome: 'an error, 0 charged' },
  { fault: 'cut within', outcome: 'an error, 0 charged' },
  { fault: 'lose answer', outcome: 'an error, 1 charged' },
  { fault: '502 before', outcome: 'an error, 0 charged' },
  { fault: '502 after', outcome: 'an error, 1 charged' },
  { fault: 'cut answer', outcome: 'an error, 1 charged' },
];

const CALL = `
import webuiapi
from PIL import Image

def answer(order):
    client = webuiapi.WebUIApi(baseurl=order["url"] + "/sdapi/v1", username="darkroom", password=order["key"])
    wish = {"prompt": "a fox", "width": 512, "height": 512, "override_settings": {"sd_model_checkpoint": "sketch"}}
    try:
        if order["deed"] == "models":
            return {"value": client.util_get_model_names()}
        if order["deed"] == "edit":
            made = client.img2img(images=[Image.new("RGB", (64, 64), "red")], **wish)
        else:
            made = client.txt2img(**{**wish, **order["more"]})
        return {"value": [list(made.image.size), len(made.images), made.info["cost_usd"]]}
    except Exception as error:
        return {"error": type(error).__name__ + ": " + str(error)}
`;

let program: Promise<ReturnType<typeof startPythonProgram>> | null = null;

async function openClient(t: TestContext) {
  const service = await startTestService(t, {
    env: { DARKROOM_DOORS: 'a1111' },
    service: { engines: [createSwiftEngine()] },
  });
  const proxy = await openFaultProxy(t, service.url);
  const { key } = await service.issueKey({ mode: 'test' });
  program ??= openPython(WEBUIAPI_PACKAGES).then((python) => startPythonProgram(python, CALL));
  const run = await program;
  return {
    proxy,
    call: (deed: string, more: object = {}): Promise<Printed> => run({ url: proxy.url, key, deed, more }),
    async charges() {
      const { items } = (await service.call(key, 'GET', '/v1/account/ledger?limit=100')).data;
      return items.filter(({ kind }) => kind === 'charge').length;
    },
  };
}

// They wait for most of their time.
describe('webuiapi', { concurrency: 3 }, () => {
  test('webuiapi: an image is made, and another is edited, with their costs', async (t) => {
    const { call, charges } = await openClient(t);
    assert.deepEqual(await call('make'), { value: [[512, 512], 1, '0.005'] });
    assert.deepEqual((await call('make', { batch_size: 2 })).value?.[1], 2);
    assert.deepEqual((await call('edit')).value?.[1], 1);
    assert.equal(await charges(), 4);
  });

  test('webuiapi: models are listed', async (t) => {
    const { call } = await openClient(t);
    const names: string[] = (await call('models')).value;
    assert.ok(names.includes('sketch') && !names.includes('sketch-motion'));
  });

  test('webuiapi: refusals have their reasons, and cost nothing', async (t) => {
    const { call, charges } = await openClient(t);
    assert.match((await call('make', { batch_size: 11 })).error, /batch_size/);
    const failing = { override_settings: { sd_model_checkpoint: 'no-such-model' } };
    assert.match((await call('make', failing)).error, /no-such-model/);
    assert.equal(await charges(), 0);
  });

  for (const { fault, outcome } of OUTCOMES)
    test(`webuiapi: ${fault}, ${outcome}`, async (t) => {
      const { call, charges, proxy } = await openClient(t);
      proxy.fail(ORDER, fault);
      const { value } = await call('make');
      assert.equal(`${value === undefined ? 'an error' : 'an image'}, ${await charges()} charged`, outcome);
      assert.equal(proxy.sent(ORDER).length, 1);
    });
});
