// A small MCP server in a package that needs another one.
import readline from 'node:readline';
import needed from '../needed/index.mjs';

const answer = (method, params) => {
  if (method === 'initialize') {
    const serverInfo = { name: 'local', version: '1' };
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools: [{ name: 'where', inputSchema: { type: 'object' } }] };
  if (method === 'tools/call') return { content: [{ type: 'text', text: process.cwd() + needed.slice(1) }] };
  return undefined;
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || !method) continue;
  const result = answer(method, params);
  const body = result ? { result } : { error: { code: -32601, message: 'unknown' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
}
