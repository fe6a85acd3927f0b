import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const VULKAN_LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/libvulkan.so.1',
  '/usr/lib/aarch64-linux-gnu/libvulkan.so.1',
  '/usr/lib64/libvulkan.so.1',
  '/usr/lib/libvulkan.so.1',
];

/** Returns the variants of builds that suit this machine, the fastest first. It looks at drivers and runs nothing. */
export async function suitableVariants(platform: string = process.platform): Promise<string[]> {
  const found: [string, boolean][] = [];
  if (platform === 'darwin') found.push(['metal', process.arch === 'arm64']);
  if (platform === 'linux') {
    const [hasNvidia, hasCard, hasVulkan, hasRocm] = await Promise.all([
      exists('/proc/driver/nvidia/version'),
      readdir('/dev/dri').then(
        (names) => names.some((name) => name.startsWith('renderD')),
        () => false,
      ),
      anyExists(VULKAN_LIBRARIES),
      Promise.all([exists('/dev/kfd'), exists('/opt/rocm')]).then((both) => both.every(Boolean)),
    ]);
    found.push(['cuda', hasNvidia], ['vulkan', hasVulkan && (hasCard || hasNvidia)], ['rocm', hasRocm]);
  }
  if (platform === 'win32') {
    const system = join('C:', 'Windows', 'System32');
    found.push(
      ['cuda', await exists(join(system, 'nvcuda.dll'))],
      ['vulkan', await exists(join(system, 'vulkan-1.dll'))],
    );
  }
  return [...found.flatMap(([variant, isThere]) => (isThere ? [variant] : [])), 'cpu'];
}

async function anyExists(paths: readonly string[]): Promise<boolean> {
  return (await Promise.all(paths.map(exists))).some(Boolean);
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
