import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Client } from './client.ts'

/** An endpoint of webhooks that remembers the events it took. */
export interface Receiver {
  url: string
  host: string
  /** Answers 500 to this share of the requests. */
  failing: number
  secret: string
  /** Ids of the events that it accepted. */
  taken: Set<string>
  requests: number
  refused: number
}

/** Listens on loopback; each request must carry a right signature. `failing` is the share that it answers with 500. */
export async function openReceiver(atEnd: (end: () => void) => void, failing = 0): Promise<Receiver> {
  const made: Receiver = { url: '', host: '', failing, secret: '', taken: new Set(), requests: 0, refused: 0 }
  const take = async (request: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    // Throws where the signature does not fit; the test then fails by the rejection.
    const event = new Webhook(made.secret).verify(body, request.headers as Record<string, string>) as { id: string }
    assert.equal(request.headers['webhook-id'], event.id)
    made.requests += 1
    if (Math.random() < made.failing) {
      made.refused += 1
      return 500
    }
    made.taken.add(event.id)
    return 204
  }
  const server = createServer((request, response) => {
    void take(request).then((status) => response.writeHead(status).end())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  made.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  made.url = `http://${made.host}/hook`
  return made
}

/** Ids of all events that there are. */
export async function allEventIds(client: Client): Promise<Set<string>> {
  const ids = new Set<string>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { data: { id: string }[]; nextCursor: string | null } = await client.call(
      'GET',
      `/v1/events?limit=100${cursor && `&cursor=${cursor}`}`,
    )
    for (const { id } of page.data) ids.add(id)
    cursor = page.nextCursor
  }
  return ids
}
