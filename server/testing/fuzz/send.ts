import { Agent, request as httpRequest } from 'node:http'
import type { Answer } from './check.ts'
import { targetOf, type PlannedRequest } from './request.ts'

export interface Sender {
  send(planned: PlannedRequest): Promise<Answer>
  close(): void
}

/** Sends over keep-alive connections. Of a stream, reads the first chunk and disconnects. */
export function sender(port: number, connections: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    close: () => agent.destroy(),
    send: (planned) =>
      new Promise((resolve, reject) => {
        const outgoing = httpRequest(
          {
            agent,
            host: '127.0.0.1',
            port,
            method: planned.method,
            path: targetOf(planned),
            headers: { ...headersOf(planned), ...(planned.body !== undefined && { 'content-length': Buffer.byteLength(planned.body) }) },
            timeout: 60_000,
          },
          (incoming) => {
            let body = ''
            const done = (): void => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body })
            incoming.setEncoding('utf8')
            incoming.on('data', (piece: string) => {
              body += piece
              if (!String(incoming.headers['content-type']).startsWith('text/event-stream')) return
              done()
              outgoing.destroy()
            })
            incoming.on('end', done)
            incoming.on('error', reject)
          },
        )
        outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within a minute')))
        outgoing.on('error', reject)
        outgoing.end(planned.body)
      }),
  }
}

/** Encodes header values as UTF-8: Node writes each character as one byte. */
const headersOf = ({ headers }: PlannedRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]))
