import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import type { Mark } from '@darkroom-service/media';
import { signFile } from '@darkroom-service/media/decoding';
import { xmpOf } from '@darkroom-service/media/structure';
import { decoded, markBytes, mediaSamples, testSigning } from '@darkroom-service/testing/samples';
import { openPython } from './clients/python.ts';

/**
 * What other people's programs read from files that are marked: ExifTool the metadata, and the official library of the
 * C2PA the manifests.
 */
const run = promisify(execFile);
const C2PA_PACKAGES = ['c2pa-python==0.38.1'];
const SOURCE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const MARK: Mark = {
  source: 'trainedAlgorithmicMedia',
  generator: 'Darkroom 0.1.0',
  model: 'flux-2-pro',
  taskId: 'img_0123456789',
  createdAt: new Date('2026-11-24T09:00:00Z'),
  prompt: 'A fox & a <hen>\n"in the snow"',
  isTest: true,
};
const folder = await mkdtemp(join(tmpdir(), 'darkroom-marks-'));
after(() => rm(folder, { recursive: true, force: true }));
const SAMPLES = await mediaSamples();
const CAN_SIGN = SAMPLES.filter(([contentType]) => !/webm|matroska/.test(contentType));
const SIGNERS = { ES256: await testSigning('ES256'), Ed25519: await testSigning('Ed25519') };

test('ExifTool reads every field of the metadata, and finds no fault in any format', {
  skip: await lacksPerl(),
}, async () => {
  const exiftool = await installExiftool();
  for (const [place, [contentType, bytes]] of SAMPLES.entries()) {
    const path = join(folder, `marked-${place}`);
    const marked = markBytes(contentType, bytes, xmpOf(MARK));
    assert.ok(marked?.outcome.state === 'marked');
    await writeFile(path, Buffer.concat(marked.pieces));
    const words = ['-json', '-s', '-validate', '-warning', '-error', '-XMP:all', '-Matroska:Xmp', path];
    const { stdout } = await run('perl', [exiftool, ...words], { env: { ...process.env, NODE_OPTIONS: '' } });
    const [read] = JSON.parse(stdout);
    const warnings = String(read.Warning ?? '').replace('[minor] Improper EXIF header', '');
    assert.deepEqual([warnings, read.Error], ['', undefined], `${contentType}: ${stdout}`);
    if (/webm|matroska/.test(contentType)) {
      for (const field of [SOURCE, MARK.model, MARK.taskId, MARK.generator])
        assert.ok(read.Xmp.includes(field), stdout);
      continue;
    }
    const { DigitalSourceType, AISystemUsed, CreatorTool, CreateDate, Identifier, AIPromptInformation, Label } = read;
    assert.deepEqual(
      { DigitalSourceType, AISystemUsed, CreatorTool, CreateDate, Identifier, AIPromptInformation, Label },
      {
        DigitalSourceType: SOURCE,
        AISystemUsed: MARK.model,
        CreatorTool: MARK.generator,
        CreateDate: '2026:11:24 09:00:00.000Z',
        Identifier: MARK.taskId,
        AIPromptInformation: MARK.prompt,
        Label: 'Test output',
      },
    );
  }
});

test('the library of the C2PA trusts each signed file, finds all that it was made from, and rejects a changed one', async () => {
  const python = await openPython(C2PA_PACKAGES);
  const upstream = await testSigning('ES256');
  const given = await Promise.all(
    CAN_SIGN.map(async ([contentType, bytes], place) => {
      const path = join(folder, `plain-${place}`);
      await writeFile(path, bytes);
      return { path, contentType, into: join(folder, `upstream-${place}`) };
    }),
  );
  await python.run(SIGN, { input: { files: given, certificates: upstream.certificates, key: upstream.key } });

  const files: { path: string; contentType: string; is: string; ingredients: string[] }[] = [];
  for (const [place, { path: plain, contentType, into: marked }] of given.entries()) {
    const upstreamBytes = await readFile(marked);
    const kept = markBytes(contentType, upstreamBytes, xmpOf(MARK));
    assert.ok(kept?.outcome.state === 'kept' && Buffer.concat(kept.pieces).equals(upstreamBytes), contentType);
    files.push({ path: marked, contentType, is: 'kept', ingredients: [] });
    for (const [algorithm, signing] of Object.entries(SIGNERS))
      for (const [kind, path, ingredients] of [
        ['created', plain, []],
        ['edited', plain, [{ path: marked, contentType, title: 'parent', relationship: 'parentOf' }]],
        ['combined', plain, [{ path: marked, contentType, title: 'reference', relationship: 'inputTo' }]],
        ['passed on', marked, [{ path: plain, contentType, title: 'reference', relationship: 'inputTo' }]],
      ] as const) {
        const signed = join(folder, `${kind}-${algorithm}-${place}`);
        const outcome = await signFile(path, signed, { contentType, mark: MARK, signing, ingredients });
        assert.ok(outcome?.state === 'signed', contentType);
        const expected = {
          created: [],
          edited: ['parentOf parent with a manifest'],
          combined: ['inputTo reference with a manifest'],
          'passed on': ['parentOf flux-2-pro output with a manifest', 'inputTo reference'],
        }[kind];
        const bytes = await readFile(signed);
        assert.deepEqual(await decoded(contentType, bytes), await decoded(contentType, await readFile(plain)));
        files.push({ path: signed, contentType, is: `${kind}, ${algorithm}`, ingredients: expected });
        const content = CAN_SIGN[place]![1];
        const middle = Math.floor((content.length * 2) / 3);
        const at = bytes.indexOf(content.subarray(middle, middle + 24));
        assert.notEqual(at, -1, contentType);
        bytes[at]! ^= 1;
        await writeFile(`${signed}-changed`, bytes);
        files.push({ path: `${signed}-changed`, contentType, is: 'changed', ingredients: expected });
      }
  }
  const anchors = [upstream, ...Object.values(SIGNERS)].map(({ root }) => root).join('');
  const read: readonly Read[] = await python.run(READ, { input: { files, anchors } });
  for (const [place, { contentType, is, ingredients, path }] of files.entries()) {
    const found = read[place];
    const where = `${contentType}, ${is}, ${path}: ${JSON.stringify(found)}`;
    if (is === 'changed') {
      assert.equal(found?.state, 'Invalid', where);
      continue;
    }
    assert.equal(found?.state, 'Trusted', where);
    if (is === 'kept') continue;
    assert.deepEqual(found.ingredients, ingredients, where);
    assert.deepEqual(
      found.actions,
      is.startsWith('created') || is.startsWith('combined') ? ['c2pa.created'] : ['c2pa.opened', 'c2pa.edited'],
      where,
    );
    assert.deepEqual([found.source, found.model, found.task], [SOURCE, MARK.model, MARK.taskId], where);
  }
});

test('what comes from upstreams damaged, changed or marked otherwise is told by other programs as it is told here', async () => {
  const python = await openPython(C2PA_PACKAGES);
  const upstream = await testSigning('ES256');
  const [signing, anchors] = [SIGNERS.ES256, [upstream, SIGNERS.ES256].map(({ root }) => root).join('')];
  const given = await Promise.all(
    CAN_SIGN.map(async ([contentType, bytes], place) => {
      const path = join(folder, `plain-again-${place}`);
      await writeFile(path, bytes);
      return { path, contentType, into: join(folder, `from-upstream-${place}`) };
    }),
  );
  await python.run(SIGN, { input: { files: given, certificates: upstream.certificates, key: upstream.key } });
  const files: { path: string; contentType: string; is: string; leftOut: number }[] = [];
  for (const [place, { path: plain, contentType, into }] of given.entries()) {
    const [whole, content] = [await readFile(into), await readFile(plain)];
    const middle = Math.floor((content.length * 2) / 3);
    const inContent = whole.indexOf(content.subarray(middle, middle + 24));
    const inClaim = whole.indexOf('claim_generator_info') + 24;
    const inAssertion = whole.indexOf('digitalsourcetype');
    for (const [is, at] of [
      ['changed', inContent],
      ['assertion', inAssertion],
      ['claim', inClaim],
    ] as const) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 1;
      const [path, signed] = [join(folder, `${is}-${place}`), join(folder, `${is}-${place}-signed`)];
      await writeFile(path, bytes);
      const outcome = await signFile(path, signed, { contentType, mark: MARK, signing, ingredients: [] });
      assert.ok(outcome?.state === 'signed', `${contentType}, ${is}`);
      files.push({ path: signed, contentType, is, leftOut: outcome.leftOut.length });
    }
    for (const zeros of /video|avif/.test(contentType) ? [4, 8, 40] : []) {
      const [path, signed] = [join(folder, `zeros-${place}-${zeros}`), join(folder, `zeros-${place}-${zeros}-signed`)];
      await writeFile(path, Buffer.concat([content, Buffer.alloc(zeros)]));
      const outcome = await signFile(path, signed, { contentType, mark: MARK, signing, ingredients: [] });
      assert.ok(outcome?.state === 'signed', contentType);
      files.push({ path: signed, contentType, is: 'zeros', leftOut: 0 });
    }
  }
  const read: readonly Read[] = await python.run(READ, { input: { files, anchors } });
  for (const [place, { contentType, is, leftOut }] of files.entries()) {
    const found = read[place];
    const where = `${contentType}, ${is}: ${JSON.stringify(found)}`;
    assert.equal(found?.state, 'Trusted', where);
    const failure = { changed: /^assertion\.(data|bmff)Hash\.mismatch$/, assertion: /hashedURI\.mismatch$/ }[is];
    if (failure !== undefined) assert.match(found.parentFailures.join(), failure, where);
    else assert.deepEqual(found.parentFailures, [], where);
    assert.equal(leftOut, is === 'claim' ? 1 : 0, where);
  }
});

interface Read {
  readonly state: string;
  readonly actions: readonly string[];
  readonly source: string;
  readonly model: string;
  readonly task: string;
  /** Relationship and title of each. */
  readonly ingredients: readonly string[];
  /** What was found wrong with them. */
  readonly parentFailures: readonly string[];
}

/** Signs files as an upstream does. */
const SIGN = `
import c2pa, json, sys
given = json.load(sys.stdin)
context = c2pa.Context(c2pa.Settings.from_dict({"builder": {"thumbnail": {"enabled": False}}}))
info = c2pa.C2paSignerInfo(alg=b"es256", sign_cert=given["certificates"].encode(), private_key=given["key"].encode(), ta_url=None)
signer = c2pa.Signer.from_info(info)
action = {"action": "c2pa.created", "digitalSourceType": "${SOURCE}"}
manifest = {"claim_generator_info": [{"name": "upstream", "version": "1"}], "assertions": [{"label": "c2pa.actions", "data": {"actions": [action]}}]}
for file in given["files"]:
    with open(file["path"], "rb") as source, open(file["into"], "w+b") as target:
        c2pa.Builder(manifest, context).sign(signer, file["contentType"], source, target)
print("null")
`;
const READ = `
import c2pa, json, sys
given = json.load(sys.stdin)
settings = c2pa.Settings.from_dict({"verify": {"verify_trust": True}, "trust": {"trust_anchors": given["anchors"]}})
context = c2pa.Context(settings)
def read(file):
    with open(file["path"], "rb") as source:
        try:
            found = json.loads(c2pa.Reader(file["contentType"], source, context=context).json())
        except Exception as error:
            return {"state": "Unread", "error": str(error)}
    active = found["manifests"][found["active_manifest"]]
    actions = [action for one in active["assertions"] if one["label"].startswith("c2pa.actions") for action in one["data"]["actions"]]
    last = actions[-1]
    return {
        "state": found["validation_state"],
        "failures": [[one["code"], one.get("explanation")] for one in found["validation_results"]["activeManifest"]["failure"]],
        "actions": [action["action"] for action in actions],
        "source": last.get("digitalSourceType"),
        "model": (last.get("softwareAgent") or {}).get("name"),
        "task": (last.get("parameters") or {}).get("darkroom.task_id"),
        "ingredients": [" ".join([one["relationship"], one["title"]] + (["with a manifest"] if "active_manifest" in one else [])) for one in active.get("ingredients", [])],
        "parentFailures": [fault["code"] for one in active.get("ingredients", []) for fault in one.get("validation_results", {}).get("activeManifest", {}).get("failure", [])],
    }
print(json.dumps([read(file) for file in given["files"]]))
`;

async function lacksPerl(): Promise<false | string> {
  return await run('perl', ['-v']).then(
    () => false,
    () => 'needs Perl',
  );
}

/** ExifTool is no part of the project, so it has a folder of its own. */
async function installExiftool(): Promise<string> {
  const directory = join(folder, 'readers');
  await cp(join(import.meta.dirname, 'readers'), directory, { recursive: true });
  const env = { ...process.env, NODE_OPTIONS: '' };
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory, env });
  return join(directory, 'node_modules', 'exiftool-vendored.pl', 'bin', 'exiftool');
}
