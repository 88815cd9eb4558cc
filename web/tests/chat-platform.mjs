// A chat platform that knows one application and the commands that are registered for it.
import { createServer } from 'node:http';

export async function startChatPlatform() {
  const platform = { token: 'the bot token of the tests', application: { id: '4711', name: 'Mug Guild bot', verify_key: '', interactions_endpoint_url: '' }, commands: [] };
  async function answer(request, response) {
    const json = (status, value) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bot ${platform.token}`) return json(401, { message: '401: Unauthorized', code: 0 });
    if (request.url.endsWith('/applications/@me')) return json(200, platform.application);
    if (request.method === 'PUT') {
      let body = '';
      for await (const chunk of request) body += chunk;
      platform.commands = JSON.parse(body);
    }
    return json(200, platform.commands);
  }
  const server = createServer((request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  platform.url = `http://127.0.0.1:${server.address().port}`;
  platform.stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return platform;
}
