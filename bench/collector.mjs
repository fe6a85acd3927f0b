import { createServer } from 'node:http';

// A collector of OpenTelemetry that only counts the traces. usage: node collector.mjs PORT; GET / answers the counts.
const counts = { requests: 0, bytes: 0 };
createServer(async (request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify(counts));
  const isOfTraces = request.url === '/v1/traces';
  for await (const chunk of request) counts.bytes += isOfTraces ? chunk.length : 0;
  counts.requests += isOfTraces ? 1 : 0;
  response.writeHead(200, { 'content-type': request.headers['content-type'] }).end();
}).listen(Number(process.argv[2]), '127.0.0.1');
