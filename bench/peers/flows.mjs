// What needs several calls at Vendure, from many buyers at once: `node flows.mjs draft|checkout CONNECTIONS SECONDS`. Prints
// the number of finished orders a second. PEER_URL, PEER_TOKEN (an administrator's) and PEER_VARIANTS (two ids) are variables.
import { Agent, request } from 'node:http'

const [flow, connections, seconds] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])]
const base = new URL(process.env.PEER_URL)
const variants = process.env.PEER_VARIANTS.split(',')
const agent = new Agent({ keepAlive: true, maxSockets: connections })

function call(path, token, query, variables) {
  const body = JSON.stringify({ query, variables })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  if (token) headers.authorization = `Bearer ${token}`
  return new Promise((resolve, reject) => {
    const sent = request({ host: base.hostname, port: base.port, path, method: 'POST', agent, headers }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk) => (text += chunk))
      reply.on('end', () => {
        const { data, errors } = JSON.parse(text)
        const result = data && Object.values(data)[0]
        if (errors || result?.errorCode) reject(new Error(text))
        else resolve({ result, token: reply.headers['vendure-auth-token'] ?? token })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const refused = '... on ErrorResult { errorCode message }'

async function draft() {
  const admin = process.env.PEER_TOKEN
  const { result } = await call('/admin-api', admin, 'mutation { createDraftOrder { id } }')
  for (const variant of variants)
    await call(
      '/admin-api',
      admin,
      `mutation($order: ID!, $input: AddItemToDraftOrderInput!) { addItemToDraftOrder(orderId: $order, input: $input) { ... on Order { id } ${refused} } }`,
      { order: result.id, input: { productVariantId: variant, quantity: 1 } },
    )
}

const address = { fullName: 'Bench', streetLine1: 'Street 1', city: 'Berlin', postalCode: '10115', countryCode: 'DE' }
let buyers = 0

async function checkout() {
  let token
  const shop = async (query, variables) => {
    const reply = await call('/shop-api', token, query, variables)
    token = reply.token
    return reply.result
  }
  for (const variant of variants)
    await shop(`mutation($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { ... on Order { id } ${refused} } }`, {
      id: variant,
    })
  await shop(`mutation($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { ... on Order { id } ${refused} } }`, {
    input: { firstName: 'Bench', lastName: 'Buyer', emailAddress: `b${process.pid}-${process.hrtime.bigint()}-${buyers++}@example.org` },
  })
  await shop(`mutation($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { ... on Order { id } ${refused} } }`, {
    input: address,
  })
  const [method] = await shop('query { eligibleShippingMethods { id } }')
  await shop(`mutation($ids: [ID!]!) { setOrderShippingMethod(shippingMethodId: $ids) { ... on Order { id } ${refused} } }`, {
    ids: [method.id],
  })
  await shop(`mutation { transitionOrderToState(state: "ArrangingPayment") { ... on Order { id } ${refused} } }`)
  const [payment] = await shop('query { eligiblePaymentMethods { code } }')
  const order = await shop(
    `mutation($input: PaymentInput!) { addPaymentToOrder(input: $input) { ... on Order { state } ${refused} } }`,
    { input: { method: payment.code, metadata: {} } },
  )
  if (order.state !== 'PaymentSettled') throw new Error(`the order is ${order.state} after its payment`)
}

const once = { draft, checkout }[flow]
const end = Date.now() + seconds * 1000
let finished = 0
const started = process.hrtime.bigint()
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (Date.now() < end) {
      await once()
      finished++
    }
  }),
)
console.log(finished / (Number(process.hrtime.bigint() - started) / 1e9))
process.exit(0)
