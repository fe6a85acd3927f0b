import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { startPeer } from '../peers/peer-process.ts';
import type { Gateway } from './gateway.ts';

const HERE = import.meta.dirname;
const PORTKEY = join(HERE, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js');
const LITELLM = join(HERE, 'venv', 'bin', 'litellm');
const MODEL = 'gpt-image-2';
const JSON_TYPE = { 'content-type': 'application/json' };
const UPSTREAM_KEY = 'sk-upstream';

/** No gateway: the load goes to the upstream. */
export const straight: Gateway = {
  name: 'straight',
  missing: () => null,
  start: async ({ upstream }) => ({
    pids: [],
    url: `${upstream}/v1/images/generations`,
    headers: JSON_TYPE,
    model: MODEL,
    end: async () => {},
  }),
};

export const floor: Gateway = {
  name: 'durable floor',
  missing: () => null,
  async start({ upstream, directory }) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const command = [process.execPath, join(HERE, 'floor.mjs'), String(port), upstream, directory] as const;
    const { pid, end } = await startPeer(command, {}, url);
    return { pids: [pid], url: `${url}/v1/images/generations`, headers: JSON_TYPE, model: MODEL, end };
  },
};

export const portkey: Gateway = {
  name: 'Portkey',
  missing: () => (existsSync(PORTKEY) ? null : 'npm --prefix bench/gateways install'),
  async start({ upstream }) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const command = [process.execPath, PORTKEY, `--port=${port}`, '--headless'] as const;
    const { pid, end } = await startPeer(command, { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1' }, url);
    const headers = {
      ...JSON_TYPE,
      authorization: `Bearer ${UPSTREAM_KEY}`,
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream}/v1`,
    };
    return { pids: [pid], url: `${url}/v1/images/generations`, headers, model: MODEL, end };
  },
};

export const litellm: Gateway = {
  name: 'LiteLLM',
  missing: () =>
    existsSync(LITELLM)
      ? null
      : 'python3 -m venv bench/gateways/venv && bench/gateways/venv/bin/pip install -r bench/gateways/requirements.txt',
  async start({ upstream, directory }) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const key = 'sk-race';
    const params = { model: `openai/${MODEL}`, api_base: `${upstream}/v1`, api_key: UPSTREAM_KEY };
    const config = {
      model_list: [{ model_name: MODEL, litellm_params: params }],
      // The picture model has no `response_format` at OpenAI, but its successors elsewhere have.
      litellm_settings: { drop_params: true, telemetry: false },
      general_settings: { master_key: key },
    };
    const path = join(directory, 'config.yaml');
    await writeFile(path, JSON.stringify(config));
    // Its list of prices is part of the package: nothing is fetched from elsewhere.
    const env = { LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_LOG: 'ERROR', HOME: directory };
    const values = ['--config', path, '--host', '127.0.0.1', '--port', String(port)];
    const { pid, end } = await startPeer([LITELLM, ...values], env, `${url}/health/liveliness`);
    const headers = { ...JSON_TYPE, authorization: `Bearer ${key}` };
    return { pids: [pid], url: `${url}/v1/images/generations`, headers, model: MODEL, end };
  },
};
