import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Client } from './client.ts'

/** A webhook endpoint that records the events it accepts. */
export interface Receiver {
  url: string
  host: string
  /** Share of the requests to answer with 500. */
  failing: number
  secret: string
  /** Ids of the accepted events. */
  accepted: Set<string>
  requests: number
  refused: number
}

/** Starts a receiver on loopback. Each request must have a valid signature. `failing` is the share of requests to answer with 500. */
export async function openReceiver(atEnd: (end: () => void) => void, failing = 0): Promise<Receiver> {
  const made: Receiver = { url: '', host: '', failing, secret: '', accepted: new Set(), requests: 0, refused: 0 }
  const take = async (request: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    // Throws for an invalid signature; the rejection then fails the test.
    const event = new Webhook(made.secret).verify(body, request.headers as Record<string, string>) as { id: string }
    assert.equal(request.headers['webhook-id'], event.id)
    made.requests += 1
    if (Math.random() < made.failing) {
      made.refused += 1
      return 500
    }
    made.accepted.add(event.id)
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

/** Returns the ids of all events. */
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
