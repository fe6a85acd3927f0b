import { hash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { makeZip } from 'client-zip';

/** A file of an archive. */
interface Part {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Writes wheel and source archive of the Python client without Python: it is plain Python, so a wheel is a ZIP archive
 * of its sources and of what `pyproject.toml` says. The same sources give the same bytes.
 */
export async function packPythonClient(folder: string, destination: string): Promise<void> {
  const project = readFileSync(join(folder, 'pyproject.toml'), 'utf8');
  const version = matchIn(readFileSync(join(folder, 'src/darkroom/_version.py'), 'utf8'), /= "([^"]+)"/);
  const distribution = matchIn(project, /^name = "([^"]+)"/m).replaceAll('-', '_');
  const metadata = metadataOf(project, version, readFileSync(join(folder, 'README.md'), 'utf8'));
  const licence = readFileSync(join(folder, '../../LICENSE'));

  const info = `${distribution}-${version}.dist-info`;
  const parts = [
    ...filesOf(join(folder, 'src'), 'darkroom/**/{*.py,py.typed}'),
    { name: `${info}/licenses/LICENSE`, bytes: licence },
    { name: `${info}/METADATA`, bytes: metadata },
    {
      name: `${info}/WHEEL`,
      bytes: Buffer.from('Wheel-Version: 1.0\nGenerator: darkroom\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    },
  ];
  const record = parts.map(({ name, bytes }) => `${name},sha256=${hash('sha256', bytes, 'base64url')},${bytes.length}`);
  const wheel = [...parts, { name: `${info}/RECORD`, bytes: Buffer.from(`${record.join('\n')}\n${info}/RECORD,,\n`) }];
  // Local time, as ZIP archives have it: the same bytes everywhere.
  const lastModified = new Date(1980, 0, 1);
  const zip = makeZip(wheel.map(({ name, bytes }) => ({ name, input: bytes, size: bytes.length, lastModified })));
  writeFileSync(join(destination, `${distribution}-${version}-py3-none-any.whl`), await buffer(zip));

  const sources = filesOf(folder, '{src,tests}/**/{*.py,py.typed}', '{pyproject.toml,README.md,*.py,*.txt}');
  const archive = [...sources, { name: 'LICENSE', bytes: licence }, { name: 'PKG-INFO', bytes: metadata }];
  const named = archive.map(({ name, bytes }) => ({ name: `${distribution}-${version}/${name}`, bytes }));
  writeFileSync(join(destination, `${distribution}-${version}.tar.gz`), gzipSync(tarOf(named)));
}

function filesOf(folder: string, ...patterns: readonly string[]): Part[] {
  return globSync([...patterns], { cwd: folder })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

/** The core metadata of the package, which pip reads. */
function metadataOf(project: string, version: string, readme: string): Buffer {
  const value = (field: string) => matchIn(project, new RegExp(`^${field} = "([^"]+)"`, 'm'));
  const list = (field: string) =>
    [...matchIn(project, new RegExp(`^${field} = \\[(.*?)\\]$`, 'ms')).matchAll(/"([^"]+)"/g)].map(([, item]) => item);
  const lines = [
    'Metadata-Version: 2.4',
    `Name: ${value('name')}`,
    `Version: ${version}`,
    `Summary: ${value('description')}`,
    `License-Expression: ${value('license')}`,
    'License-File: LICENSE',
    ...list('classifiers').map((classifier) => `Classifier: ${classifier}`),
    `Requires-Python: ${value('requires-python')}`,
    ...list('dependencies').map((dependency) => `Requires-Dist: ${dependency}`),
    'Description-Content-Type: text/markdown',
  ];
  return Buffer.from(`${lines.join('\n')}\n\n${readme}`);
}

/** A tar archive in the POSIX form (ustar). */
function tarOf(parts: readonly Part[]): Buffer {
  const blocks = parts.flatMap(({ name, bytes }) => {
    if (Buffer.byteLength(name) > 100) throw new RangeError(`${name} is longer than the 100 bytes of a tar header`);
    const header = Buffer.alloc(512);
    header.write(name);
    header.write('0000644\0', 100);
    for (const [at, text] of [
      [108, '0000000\0'],
      [116, '0000000\0'],
      [124, `${bytes.length.toString(8).padStart(11, '0')}\0`],
      [136, '00000000000\0'],
      [148, '        '],
      [156, '0'],
      [257, 'ustar\x0000'],
    ] as const)
      header.write(text, at);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function matchIn(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`the Python client's files have nothing that fits ${pattern}`);
  return found;
}
