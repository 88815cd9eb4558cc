// A crypto gateway (BTCPay's API) with a payment page of its own, which tells the shop by a signed webhook.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

const page = (body) => `<!doctype html><html lang="en"><head><title>Gateway</title><link rel="icon" href="data:,"></head>
<body><main>${body}</main></body></html>`;

async function read(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

export async function startGateway(secret) {
  const invoices = new Map();
  const gateway = { webhookUrl: '', down: false, delivered: 0, created: 0 };

  async function tellShop(id) {
    const body = JSON.stringify({ deliveryId: `d-${id}`, originalDeliveryId: `d-${id}`, type: 'InvoiceSettled', invoiceId: id });
    const signature = 'sha256=' + createHmac('sha256', secret).update(body).digest('hex');
    const reply = await fetch(gateway.webhookUrl, { method: 'POST', headers: { 'btcpay-sig': signature }, body });
    if (reply.status === 200) ++gateway.delivered;
  }

  async function answer(request, response) {
    const url = new URL(request.url, gateway.url);
    const json = (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (gateway.down) return response.writeHead(502).end();
    const id = url.pathname.split('/').at(-1);
    if (request.method === 'POST' && url.pathname.endsWith('/invoices')) {
      const wish = JSON.parse(await read(request));
      const made = { ...wish, id: `inv${++gateway.created}`, status: 'New' };
      invoices.set(made.id, made);
      return json({ ...made, checkoutLink: `${gateway.url}/i/${made.id}` });
    }
    if (url.pathname.startsWith('/api/')) return json(invoices.get(id));
    if (request.method === 'POST') {
      const invoice = invoices.get(id);
      invoice.status = 'Settled';
      await tellShop(id);
      return response.writeHead(303, { location: invoice.checkout.redirectURL }).end();
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    return response.end(page(`<h1>Pay ${invoices.get(id).amount}</h1><form method="post"><button>Send coins</button></form>`));
  }

  const server = createServer((request, response) => answer(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway.url = `http://127.0.0.1:${server.address().port}`;
  gateway.stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return gateway;
}
