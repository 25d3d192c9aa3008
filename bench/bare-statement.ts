import fastify from 'fastify'
import pg from 'pg'

// A yardstick: Fastify that runs the prepared statement of a request and sends its rows. It sends the parent process its port.
const [, , databaseUrl = ''] = process.argv
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()

interface Statement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

const app = fastify()
app.post('/', (request) => client.query(request.body as Statement).then(({ rows }) => rows as object[]))
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.(address)
