import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { HERONS, type ProcessState, writeOwnPackages } from './catalog-watch/own-packages.ts';

const PROGRAM = join(import.meta.dirname, 'catalog-watch', 'watch.ts');
const FILM = 'litellm:xai/lark-film-2-20261001';

async function runWatch(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  return { code: await ended, output };
}

async function watch(facts: ProcessState = {}, args: readonly string[] = []) {
  const { packages, catalog } = await writeOwnPackages(facts);
  return runWatch(['--from', packages, '--catalog', catalog, ...args]);
}

const film = (fields: object) => ({
  prices: {
    'xai/lark-film-2-20261001': {
      litellm_provider: 'xai',
      mode: 'video_generation',
      source: 'https://larks.example/prices',
      ...fields,
    },
  },
});
const decided = (values: object) => [{ date: '2026-11-25', reason: 'They rounded.', values }];

suite('The watch of the catalog', () => {
  test('prints counts only and succeeds while every difference is decided', async () => {
    const decisions = decided({ [`${FILM}.output_cost_per_second_480p`]: [0.06, 0.05] });
    const prices = film({ output_cost_per_second: 0.07, output_cost_per_second_480p: 0.06 });
    const { code, output } = await watch({ ...prices, decisions });

    assert.match(output, /^agree: 4$/m);
    assert.match(output, /^differ: 0 undecided, 1 decided$/m);
    assert.match(output, /^A second source has 4 of 6 prices of models and 2 of 3 costs of routes\.$/m);
    assert.match(output, /^0 undecided differences$/m);
    assert.doesNotMatch(output, /^ /m);
    assert.equal(code, 0);
  });

  test('a price that differs fails with both values and both sources', async () => {
    const { code, output } = await watch(film({ output_cost_per_second_480p: 0.06 }));

    assert.ok(output.includes(`  "${FILM}.output_cost_per_second_480p": [0.06,0.05]\n`), output);
    assert.match(output, /theirs 0\.06 a second \(https:\/\/larks\.example\/prices, litellm 7\.0\.1\)/);
    assert.match(output, /ours {3}0\.05 a second: price of lark-film-2 at duration 5, resolution 480P/);
    assert.match(output, /ours {3}0\.05 a second: cost of xai:lark-film-2 .*\(the vendor of larks, 2026-11-01\)/);
    assert.equal(code, 1);
  });

  test('an accepted difference is open again once either value is another, and its decision is stale', async () => {
    const key = `${FILM}.output_cost_per_second_480p`;
    const cases = { 'their value': [0.061, [0.06, 0.05]], 'our value': [0.06, [0.06, 0.04]] } as const;
    for (const [changed, [theirs, accepted]] of Object.entries(cases)) {
      const prices = film({ output_cost_per_second_480p: theirs });
      const { code, output } = await watch({ ...prices, decisions: decided({ [key]: accepted }) });

      assert.match(output, /^differ: 1 undecided, 0 decided$/m, changed);
      assert.ok(output.includes(`stale decision, no such difference: ${key}\n`), output);
      assert.equal(code, 1);
    }
  });

  test('a price without a resolution is for the default, and a cost that was read from a source is no second source', async () => {
    const entry = { litellm_provider: 'fal_ai', mode: 'video_generation', output_cost_per_second: 0.3 };
    const { output } = await watch({ prices: { 'fal_ai/lark/film/v2/text-to-video': entry } }, ['--all']);

    assert.match(output, /output_cost_per_second = cost of fal:lark\/film\/v2\/text-to-video at .*resolution 720P/);
    assert.doesNotMatch(output, /cost of fal:lark\/film\/v2\/text-to-video at .*resolution 480P/);
    assert.match(output, /^A second source has 4 of 6 prices of models and 2 of 3 costs of routes\.$/m);
  });

  test('the price of an image that is sent is what one image more costs', async () => {
    const { output } = await watch(film({ input_cost_per_image: 0.02, output_cost_per_second_480p: 0.05 }), ['--all']);

    assert.match(output, /ours {3}0\.01 an input image: price of lark-film-2 .*image_urls 1/);
  });

  test('a list of a seller of models is compared with the cost of its route, also if that is not stated', async () => {
    const entry = { litellm_provider: 'fal_ai', mode: 'video_generation', output_cost_per_second_720p: 0.3 };
    const { output } = await watch({ prices: { 'fal_ai/lark/film/v2/image-to-video': entry } });

    assert.match(output, /ours {3}not stated: cost of fal:lark\/film\/v2\/image-to-video at .*resolution 720P/);
    assert.doesNotMatch(output, /price of lark-film-2 .*image_urls/);
  });

  test('a resolution that only the source has is not offered', async () => {
    const { output } = await watch(film({ output_cost_per_second_4k: 1 }));

    assert.match(output, /ours {3}not offered: price of lark-film-2 \(the catalog's file of Larks\)/);
  });

  test('prices of tokens and of sizes that agree only in another quality are told', async () => {
    const sized = { litellm_provider: 'openai', mode: 'image_generation', output_cost_per_image: 0.16464 };
    const tokens = { litellm_provider: 'openai', mode: 'image_generation', output_cost_per_image_token: 4e-5 };
    const { output } = await watch({ prices: { 'low/1536-x-1024/lark-image': sized, 'lark-image-20261001': tokens } });

    assert.match(
      output,
      /theirs 0\.16464 an image.*\n {4}ours {3}0\.00474 an image: price of lark-image at size 1536x1024, quality low/,
    );
    assert.match(
      output,
      /theirs 0\.00004 an output token.*\n {4}ours {3}0\.00003 an output token: price of lark-image/,
    );
  });

  test('prices of another region and the fallback beside prices of sizes are not compared', async () => {
    const { output } = await watch({
      prices: {
        'xai/lark-film-2': {
          litellm_provider: 'xai',
          mode: 'video_generation',
          output_cost_per_second_480p: 9,
          metadata: { comment: 'China (Beijing) list price.' },
        },
        'lark-image': { litellm_provider: 'openai', mode: 'image_generation', output_cost_per_image: 9 },
      },
    });

    assert.doesNotMatch(output, /theirs 9 /);
  });

  test('lists what only the packages have, but no text models, voices, open templates or names of families', async () => {
    const { packages, catalog } = await writeOwnPackages({});
    await writeFile(join(catalog, 'watch-decisions.json'), JSON.stringify({ names: {}, orders: {}, decisions: [] }));
    const { code, output } = await runWatch(['--from', packages, '--catalog', catalog]);

    const [, list = ''] = /^only theirs: .*\n((?: .*\n)*)/m.exec(output) ?? [];
    assert.deepEqual(
      [...list.matchAll(/^ {2}(\S+):/gm)].map(([, name]) => name),
      HERONS,
    );
    assert.equal(code, 1);
  });

  test('a name of others can be given to a model of the catalog', async () => {
    const { output } = await watch({ names: { 'lark-v2-0-film': 'lark-film-2' } });

    assert.ok(output.includes('stale decision, no such difference: lark-v2-0-film\n'), output);
  });

  test('tells an end that the catalog has at another date', async () => {
    const early = await watch(film({ deprecation_date: '2026-10-01' }));
    const known = await watch(film({ deprecation_date: '2099-03-01' }));

    assert.match(
      early.output,
      /lark-film-2-20261001\.deprecation_date: ended on 2026-10-01; ours: lark-film-2, active, 2099-03-01/,
    );
    assert.equal(early.code, 1);
    assert.match(known.output, /^ended: 0 undecided, 0 decided$/m);
  });

  test('a gateway tells prices of films with and without sound, and its default only once', async () => {
    const perSecondPrice = { '480p_audio': '0.05', '480p_video': '0.04', default_audio: '0.05' };
    const film = {
      providerId: 'xai',
      externalId: 'lark-film-2',
      deactivatedAt: '2098-01-01T00:00:00.000Z',
      perSecondPrice,
    };
    const gateway = [
      { id: 'lark', output: ['video'], providers: [film] },
      { id: 'writer', output: ['text'], providers: [] },
    ];
    const { output } = await watch({ gateway }, ['--all']);

    assert.match(
      output,
      /^ {2}@llmgateway\/models:xai\/lark-film-2\.perSecondPrice\.480p_audio = price of lark-film-2/m,
    );
    assert.match(output, /^ {2}"@llmgateway\/models:xai\/lark-film-2\.perSecondPrice\.480p_video": \[0\.04,0\.05\]$/m);
    assert.doesNotMatch(output, /default_audio/);
    assert.match(output, /lark-film-2\.deprecation_date: ends on 2098-01-01; ours: lark-film-2, active, 2099-03-01/);
  });

  test('a package that is a program has no rights but to read itself', async () => {
    const writes = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('../../../../stolen', import.meta.url), 'x');
export const models = [];`;
    const { code, output } = await watch({ gateway: writes });

    assert.match(output, /^NOT READ: @llmgateway\/models: .*(?:permission|ERR_ACCESS_DENIED)/im);
    assert.equal(code, 2);
  });

  test('repositories are read on request: prices with a markup, names, and the ends that a comment tells', async () => {
    const comfy = 'Comfy-Org/docs:lark-film-2.720P';
    const without = await watch({ decisions: decided({ [comfy]: [1, 2] }) });
    const { code, output } = await watch({}, ['--all', '--repositories']);

    assert.doesNotMatch(without.output, /Comfy-Org/);
    assert.equal(without.code, 0);
    assert.match(output, /^ {2}Comfy-Org\/docs:lark-film-2\.480P = price of lark-film-2/m);
    assert.match(output, /^ {2}Comfy-Org\/docs:lark-film-2\.720P = price of lark-film-2/m);
    assert.doesNotMatch(output, /theirs 0\.469/);
    assert.match(output, /^ {2}decided: heron-from-comfy-1: Comfy-Org\/docs:heron-from-comfy-1$/m);
    for (const name of ['dola-seedream-9-0', 'seedance-9-0', 'seedream-8-0'])
      assert.match(output, new RegExp(`^ {2}${name}: byteplus-sa/ComfyUI-BytePlus-ModelArk:`, 'm'));
    assert.equal(code, 1);
  });

  test('writes into the entries who states their prices, and nothing where nobody does', async () => {
    const { packages, catalog } = await writeOwnPackages(film({ output_cost_per_second: 0.07 }));
    const run = () => runWatch(['--from', packages, '--catalog', catalog, '--write-sources']);
    const { output } = await run();
    const written = await readFile(join(catalog, 'larks.json'), 'utf8');
    await run();

    assert.match(output, /^Sources of 4 of 6 prices were written\./m);
    const [own, image] = JSON.parse(written).models;
    const [vendor, second] = own.price_sources;
    assert.deepEqual(vendor, { source: 'the vendor of larks', as_of: '2026-11-01', prices: [1, 2] });
    assert.deepEqual([second.source, second.prices], ['litellm 7.0.1', [2]]);
    assert.match(second.as_of, /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(
      image.price_sources.map(({ prices }: { prices: number[] }) => prices),
      [[1, 2]],
    );
    assert.equal(await readFile(join(catalog, 'larks.json'), 'utf8'), written);
  });

  test('proves itself: says which models, prices and ends no source would miss', async () => {
    const facts = {
      ...film({ output_cost_per_second: 0.07, deprecation_date: '2099-03-01' }),
      without: ['@ai-sdk/gateway'],
    };
    const { output } = await watch(facts, ['--prove', '--all']);
    const nothing = await watch({ prices: { 'lark-film-2': { mode: 'chat' } } }, ['--prove', '--all']);

    assert.match(output, /^Taken out one at a time, sources name 2 of 2 models\.$/m);
    assert.match(
      output,
      /^Taken out one at a time, sources name 3 of 6 prices\.\n {2}not named: lark-film-2 1, lark-film-2 3, lark-image 3$/m,
    );
    assert.match(output, /^Taken out one at a time, sources name 1 of 1 ends\.$/m);
    assert.match(
      nothing.output,
      /^Taken out one at a time, sources name 0 of 1 ends\.\n {2}not named: lark-film-2 at xai$/m,
    );
  });

  test('a package that is missing is named, and the run is incomplete', async () => {
    const { code, output } = await watch({
      without: ['litellm', '@runwayml/sdk'],
      decisions: decided({ 'litellm:x': [1, 2] }),
    });

    assert.match(output, /^NOT READ: litellm: expected a folder litellm@<version> in .*, found none$/m);
    assert.match(output, /^NOT READ: @runwayml\/sdk: /m);
    assert.match(output, /^0 undecided differences, INCOMPLETE: sources were not read$/m);
    assert.doesNotMatch(output, /stale/);
    assert.equal(code, 2);
  });

  test('the shipped decisions are well-formed, and their names are those of models of the catalog', async () => {
    const { packages } = await writeOwnPackages({});
    const { output } = await runWatch(['--from', packages]);

    assert.match(output, /undecided differences$/m);
  });

  test('a file with further names is a source as well', async () => {
    const { folder } = await writeOwnPackages({});
    const [answer, listing] = [join(folder, 'images.json'), join(folder, 'listing.txt')];
    const ids = ['larks/lark-image', 'owls/owl-99', 'owls/owl-99'];
    await writeFile(answer, JSON.stringify({ data: ids.map((id) => ({ id })) }));
    await writeFile(listing, 'router-schemas/larks/lark-film-2.json\ndocs/router-schemas/owls/owl-v7.json\n');
    const { code, output } = await watch({}, [answer, listing]);

    assert.match(output, /^ {2}owl-99: images\.json:owls\/owl-99$/m);
    assert.match(output, /^ {2}owl-v7: listing\.txt:owls\/owl-v7$/m);
    assert.equal(code, 1);
  });

  test('fetches the newest packages by npm and pip, and says which client is missing', async () => {
    const { folder, catalog, packages } = await writeOwnPackages({});
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const npm = `#!/bin/sh
[ "$2" = openai@latest ] || { echo "npm error no $2" >&2; exit 1; }
tar -czf "$5/openai.tgz" -C "${packages}/openai@2.0.1" package
echo '[{ "version": "2.0.1", "filename": "openai.tgz" }]'
`;
    const python = `#!/bin/sh
PATH=/usr/bin:/bin
case "$*" in
  *download*litellm) : > "\${10}/litellm-7.0.1-py3-none-any.whl" ;;
  *litellm-7.0.1*) cp -R "${packages}/litellm@7.0.1/." "$4" ;;
  *) echo "ERROR: no network" >&2; exit 1 ;;
esac
`;
    const install = (name: string, script: string) => writeFile(join(bin, name), script, { mode: 0o755 });
    await install('npm', npm);
    await install('tar', '#!/bin/sh\nPATH=/usr/bin:/bin exec tar "$@"\n');
    const runHere = () => runWatch(['--catalog', catalog], { PATH: bin });

    assert.match((await runHere()).output, /^NOT READ: litellm: python3 was not found$/m);
    await install('python3', python);
    const { code, output } = await runHere();
    assert.match(output, /^\d{4}-\d\d-\d\d: read litellm 7\.0\.1, openai 2\.0\.1$/m);
    assert.match(output, /^NOT READ: @google\/genai: npm error no @google\/genai@latest$/m);
    assert.match(output, /^NOT READ: comfyui-embedded-docs: ERROR: no network$/m);
    assert.equal(code, 2);
  });
});
