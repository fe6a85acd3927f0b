import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fromEnvironment, openOperatorFile } from '../../../../src/service/config/fixtures/open-operator-file.ts';
import { LOCAL_SETTINGS } from '../local-settings.ts';
import { PORT_WORD } from './own-server.ts';

const openFile = (t: TestContext, content: unknown) =>
  openOperatorFile(t, 'DARKROOM_LOCAL_SERVERS_FILE', 'servers.json', content);

const COMFY = {
  name: 'comfy',
  api: 'comfyui',
  command: ['python', 'main.py', '--port', PORT_WORD],
  ready: '/system_stats',
  models: [{ model: 'sdxl-text-to-image' }],
};

test('a file describes own servers, with secrets of the environment and the port left for the start', async (t) => {
  const { load, directory } = await openFile(t, {
    servers: [
      {
        ...COMFY,
        directory: 'ComfyUI',
        network: 'open',
        memory_mb: 8000,
        models: [
          {
            model: 'sdxl-text-to-image',
            edit_model: 'sdxl-image-to-image',
            id: 'my-sdxl',
            name: 'My SDXL',
            sizes: { '1:1': '1024x1024', '16:9': '1344x768' },
            price: '0.01',
            negative_prompt: true,
          },
          { model: 'sdxl' },
        ],
      },
      {
        name: 'images',
        api: 'openai-images',
        command: ['serve'],
        port: 8099,
        ready: '/health',
        key: fromEnvironment('IMAGES_KEY'),
        environment: { TOKEN: `t-${fromEnvironment('IMAGES_KEY')}` },
        models: [{ model: 'me/flux', id: 'my-flux', fixed: { quality: 'high' } }],
      },
    ],
  });
  const local = load({ IMAGES_KEY: 'sk-1' }).of(LOCAL_SETTINGS);
  assert.equal(local.isWanted, true);
  assert.deepEqual(local.ownServers, [
    {
      name: 'comfy',
      command: COMFY.command,
      readyPath: '/system_stats',
      api: 'comfyui',
      port: null,
      needsNetwork: true,
      directory: join(directory, 'ComfyUI'),
      environment: {},
      key: null,
      memoryBytes: 8000 * 1024 * 1024,
      models: [
        {
          model: 'sdxl-text-to-image',
          editModel: 'sdxl-image-to-image',
          entry: {
            modelId: 'my-sdxl',
            title: 'My SDXL',
            price: '0.01',
            hasNegativePrompt: true,
            fixed: {},
            sizes: { '1:1': '1024x1024', '16:9': '1344x768' },
          },
        },
        { model: 'sdxl', editModel: null, entry: null },
      ],
    },
    {
      name: 'images',
      command: ['serve'],
      readyPath: '/health',
      api: 'openai-images',
      port: 8099,
      needsNetwork: false,
      directory: null,
      environment: { TOKEN: 't-sk-1' },
      key: 'sk-1',
      memoryBytes: null,
      models: [
        {
          model: 'me/flux',
          editModel: null,
          entry: {
            modelId: 'my-flux',
            title: 'my-flux',
            price: '0',
            hasNegativePrompt: false,
            fixed: { quality: 'high' },
            sizes: { '1:1': '1024x1024' },
          },
        },
      ],
    },
  ]);
});

test('all faults of the file are named at once, without a value of the environment', async (t) => {
  const { faults } = await openFile(t, {
    servers: [
      5,
      { name: 'Comfy UI', command: 'python main.py', api: 'comfy', ready: 'ready', port: 80, memory_gb: 1, models: [] },
      {
        ...COMFY,
        command: ['python', fromEnvironment('NOT_SET')],
        key: fromEnvironment('SECRET'),
        environment: { A: 1 },
        models: [
          { model: 'No Workflow', id: 'local-mine', sizes: { wide: '10x' }, price: '-1' },
          { id: 'mine', negative_prompt: 'yes' },
          { model: 'a', price: '1' },
        ],
      },
      { ...COMFY, name: 'sd', api: 'sd-server', models: [{ model: 'vid_gen', id: 'film' }, { model: 'other' }] },
      { ...COMFY, port: 9000, models: [{ model: 'a', id: 'mine' }] },
      { ...COMFY, name: 'other', port: 9000, directory: `x${fromEnvironment('SECRET')}\0` },
    ],
  });
  assert.deepEqual(faults({ SECRET: 'hunter2' }), [
    'servers[0]: expected an object',
    'servers[1].name: expected a name of lower-case letters, digits and hyphens, such as comfy, found "Comfy UI"',
    'servers[1].command: expected a list of texts: the program and its arguments, found "python main.py"',
    'servers[1].api: expected one of sd-server, comfyui, openai-images, found "comfy"',
    'servers[1].ready: expected a path that answers 2xx once the server can be used, such as /health, found "ready"',
    'servers[1].port: expected "auto" or a whole number from 1024 to 65535, found 80',
    'servers[1].memory_gb: unknown field. Did you mean memory_mb?',
    'servers[1].models: expected a list such as [{"model": "sdxl-text-to-image", "id": "my-sdxl"}], found []',
    `servers[2].command: expected the environment variable NOT_SET of \${NOT_SET} to be set`,
    `servers[2].environment: expected an object of texts such as {"HF_TOKEN": "\${HF_TOKEN}"}, found {"A":1}`,
    'servers[2].key: only servers of the api openai-images take a key',
    `servers[2].port: with "auto", expected ${PORT_WORD} in the command or the environment, so that the server gets it`,
    'servers[2].models[0].id: expected a model_id such as my-sdxl, that does not begin with local- as those of pulled models do, found "local-mine"',
    'servers[2].models[0].sizes: expected an object of sizes by ratio such as {"1:1": "1024x1024", "16:9": "1344x768"}, found {"wide":"10x"}',
    'servers[2].models[0].price: expected an amount in US dollars for one picture such as "0.01", found "-1"',
    'servers[2].models[0].model: expected the name of a workflow such as sdxl-text-to-image, found "No Workflow"',
    'servers[2].models[1].negative_prompt: expected true or false, found "yes"',
    'servers[2].models[1].model: it is required, found nothing',
    'servers[2].models[2].id: it is required beside price, found nothing',
    'servers[3].models[0].id: a model of videos gets no entry here; put one into your catalog directory, and name only the model',
    'servers[3].models[1].model: expected img_gen or vid_gen, found "other"',
    `servers[5].directory: expected a directory, found "x\${SECRET}\\u0000"`,
    'the name "comfy" stands twice; each must be unique',
    'the port 9000 stands twice; each must be unique',
    'the id "mine" stands twice; each must be unique',
  ]);
});

test('a server has an open network only where a closed one is not demanded', async (t) => {
  const { load, faults } = await openFile(t, { servers: [{ ...COMFY, network: 'open' }] });
  assert.equal(load({ DARKROOM_LOCAL_NETWORK: 'auto' }).of(LOCAL_SETTINGS).ownServers[0]?.needsNetwork, true);
  assert.deepEqual(faults({ DARKROOM_LOCAL_NETWORK: 'closed' }), [
    'servers[0].network: DARKROOM_LOCAL_NETWORK is closed, so no server may have an open network',
  ]);
  const { faults: others } = await openFile(t, { servers: [{ ...COMFY, network: 'closed' }] });
  assert.deepEqual(others(), ['servers[0].network: expected "open", found "closed"']);
});

test('a file that is none, or has another list, is refused', async (t) => {
  const missing = (await openFile(t, {})).faults({ DARKROOM_LOCAL_SERVERS_FILE: 'none.json' });
  assert.deepEqual(missing, ['none.json: expected a JSON file; it cannot be read (ENOENT)']);
  assert.deepEqual((await openFile(t, '{"key": "sk-')).faults(), [
    'expected a JSON file; found a text that is no JSON',
  ]);
  assert.match(
    (await openFile(t, { engines: [] })).faults().join(),
    /unknown field engines.*expected an object such as/s,
  );
});
