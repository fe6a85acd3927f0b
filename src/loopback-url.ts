/** Where this machine reaches a service that listens on all of its addresses. */
export function loopbackUrl(host: string, port: number): string {
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`;
}
