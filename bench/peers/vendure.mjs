// Vendure with one shop, configured by environment variables: PORT, PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE. With the
// argument `seed` it makes its tables, a tax rate, a shipping and a payment method and ends; the products come through its API.
import { bootstrap, DefaultLogger, dummyPaymentHandler, LogLevel } from '@vendure/core'
import { populateInitialData } from '@vendure/core/cli/index.js'

const seeding = process.argv[2] === 'seed'
const config = {
  apiOptions: { port: Number(process.env.PORT), hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: {
    tokenMethod: ['bearer'],
    superadminCredentials: { identifier: 'admin', password: process.env.PEER_PASSWORD },
    cookieOptions: { secret: 'a secret of thirty-two characters' },
  },
  dbConnectionOptions: {
    type: 'postgres',
    host: process.env.PGHOST,
    port: Number(process.env.PGPORT),
    username: process.env.PGUSER,
    password: process.env.PGPASSWORD ?? '',
    database: process.env.PGDATABASE,
    synchronize: seeding,
    logging: false,
    extra: { max: 20 },
  },
  // Otherwise it would refuse more than 999 open lines of one administrator, or more than 100 items on a page.
  orderOptions: { orderItemsLimit: 1000 },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
}

const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  countries: [{ name: 'Germany', code: 'DE', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 0 }],
  shippingMethods: [{ name: 'Standard', price: 500 }],
  paymentMethods: [
    { name: 'Dummy', handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] } },
  ],
  collections: [],
}

const app = await bootstrap(config)
if (seeding) {
  await populateInitialData(app, initialData)
  await app.close()
  process.exit(0)
}
