import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.ts'

export interface Received {
  headers: Record<string, string>
  body: string
  event: { id: string; type: string; createdAt: string; data: { id: string; name?: string } }
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface Receiver {
  url: string
  port: number
  received: Received[]
  /** The response to further requests; 204 by default. */
  answer: (request: Received) => Answer | Promise<Answer>
}

/** Starts a webhook receiver on loopback that stops after the test file. */
export async function receiver(): Promise<Receiver> {
  const made: Receiver = { url: '', port: 0, received: [], answer: () => ({ status: 204 }) }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await read(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const received = { headers, body, event: JSON.parse(body) }
    made.received.push(received)
    const answer = await made.answer(received)
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  made.port = (server.address() as AddressInfo).port
  made.url = `http://127.0.0.1:${made.port}/hook`
  return made
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
