import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import project from '../../package.json' with { type: 'json' };

const VERSION = project.devDependencies['@sparticuz/chromium'];
/** Not the temporary directory, which the runner of the tests puts into memory. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache');
const UNPACK = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";

export interface UnpackedBrowser {
  readonly program: string;
  /** Where the browser reads which fonts there are: the system's, and the package's own for a system that has none. */
  readonly fonts: string;
}

/**
 * The browser of the package, unpacked once per version. Test files run in several processes: each unpacks aside, and
 * the first to finish gives it its name, so that nobody starts half of it.
 */
export async function unpackBrowser(): Promise<UnpackedBrowser> {
  const unpacked = join(CACHE, `browser-${VERSION}`);
  const program = join(unpacked, 'chromium');
  if (!existsSync(program)) {
    await mkdir(CACHE, { recursive: true });
    const aside = await mkdtemp(`${unpacked}-`);
    // The package unpacks into the temporary directory, whatever that is.
    const env = { PATH: process.env.PATH, TMPDIR: aside };
    await promisify(execFile)(process.execPath, ['-e', UNPACK], { cwd: import.meta.dirname, env });
    await writeFile(join(aside, 'fonts', 'fonts.conf'), fontsConfig(join(unpacked, 'fonts')));
    await rename(aside, unpacked).catch(async (error: unknown) => {
      await rm(aside, { recursive: true });
      if (!existsSync(program)) throw error;
    });
  }
  return { program, fonts: join(unpacked, 'fonts') };
}

function fontsConfig(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${directory}</dir>
  <cachedir>${directory}-cache</cachedir>
</fontconfig>
`;
}
