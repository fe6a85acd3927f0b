import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const DIRECTORY = join(import.meta.dirname, '..', '..', 'deploy');
/** The YAML parser that `@fastify/swagger` depends on. */
const yaml: {
  parseAllDocuments(text: string, options: { merge: boolean }): readonly { errors: readonly Error[]; toJS(): Tree }[];
} = createRequire(createRequire(import.meta.url).resolve('@fastify/swagger'))('yaml');

/** A part of a parsed file. */
export type Tree = ReturnType<typeof JSON.parse>;
export type Variables = Readonly<Record<string, string>>;

export interface Probe {
  readonly where: string;
  readonly port: 'http' | 'metrics';
  readonly path: string;
}

/** Paths below `deploy/` that match a pattern. */
export function deployFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: DIRECTORY })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

export function readDeployFile(path: string): string {
  return readFileSync(join(DIRECTORY, path), 'utf8');
}

/** Parses every document of a YAML file. @throws the first error of the parser. */
export function parseYaml(path: string): Tree[] {
  return yaml.parseAllDocuments(readDeployFile(path), { merge: true }).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${path}: ${error.message}`);
    return document.toJS();
  });
}

/** The Secret that `deploy/README.md` makes for the chart. */
function chartSecret(): Variables {
  const literals = readDeployFile('README.md').matchAll(/--from-literal (\w+)=(\S+)/g);
  return Object.fromEntries([...literals].map(([, name = '', value = '']) => [name, value]));
}

/** The workloads that the chart makes of its own values, each with the variables of its container. */
export function kubernetesWorkloads(): { readonly name: string; readonly spec: Tree; readonly variables: Variables }[] {
  const documents = parseYaml('helm/example.yaml');
  const [settings] = documents.filter(({ kind }) => kind === 'ConfigMap');
  return documents
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .map(({ metadata, spec }) => {
      const pod = spec.template.spec;
      const own = pod.containers[0].env.map(({ name, value }: Tree) => [name, value]);
      return {
        name: metadata.name,
        spec: pod,
        variables: { ...imageVariables(), ...settings.data, ...chartSecret(), ...Object.fromEntries(own) },
      };
    });
}

/** The services of the Compose file that run Darkroom. */
export function composeServices(): { readonly name: string; readonly service: Tree; readonly variables: Variables }[] {
  const [{ services }] = parseYaml('docker/compose.yaml');
  return Object.entries<Tree>(services)
    .filter(([, { image }]) => image.startsWith('darkroom:'))
    .map(([name, service]) => ({
      name,
      service,
      variables: { ...imageVariables(), ...interpolated(service.environment) },
    }));
}

/** The variables that the image sets, Darkroom's and others. */
export function imageVariables(): Record<string, string> {
  const block = /^ENV ((?:.*\\\n)*.*)$/m.exec(readDeployFile('docker/Dockerfile'))?.[1] ?? '';
  return Object.fromEntries([...block.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));
}

/** The variables of a file of `NAME=value` lines, also those that are commented out. */
export function environmentFile(path: string): Variables {
  const lines = readDeployFile(path).matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

/** Every path that a probe, a health check or a proxy names. */
export function probes(): Probe[] {
  const found: Probe[] = [];
  for (const { name, spec } of kubernetesWorkloads()) {
    const [container] = spec.containers;
    for (const kind of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[kind].httpGet;
      found.push({ where: `${name} ${kind}`, port, path });
    }
  }
  const check = /fetch\(`http:\/\/127\.0\.0\.1:\$\{process\.env\.DARKROOM_METRICS_PORT\}([^`]+)`\)/;
  found.push({
    where: 'HEALTHCHECK',
    port: 'metrics',
    path: check.exec(readDeployFile('docker/Dockerfile'))?.[1] ?? '',
  });
  const caddy = readDeployFile('proxy/Caddyfile');
  found.push({ where: 'Caddy', port: 'http', path: /health_uri (\S+)/.exec(caddy)?.[1] ?? '' });
  return found;
}

/** Sets every variable of a Compose file to a word. */
function interpolated(environment: Variables): Variables {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      name === 'DARKROOM_PUBLIC_URL' ? 'https://pictures.example.com' : value.replace(/\$\{\w+[^}]*\}/g, 'word'),
    ]),
  );
}
