import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openLancedb } from './lancedb.ts'
import { openOrama } from './orama.ts'
import { writtenPassages } from './passages.ts'
import { openUsearch } from './usearch.ts'

// Serves one library over node:http: POST /?base=&parts=&effort= with the floats of a vector returns positions.
const [, , name = '', layout = '', modules = '', folder = ''] = process.argv
const open = { '@lancedb/lancedb': openLancedb, '@orama/orama': openOrama, usearch: openUsearch }[name]
if (open === undefined) throw new Error(`no library ${name}`)
const search = await open(createRequire(join(modules, 'from.js')), await writtenPassages(folder), { layout, folder })

const server = createServer((request, response) => {
  void answer(request).then(
    (places) => response.end(JSON.stringify(places)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
}).listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.((server.address() as AddressInfo).port)
process.once('disconnect', () => process.exit())

async function answer(request: IncomingMessage): Promise<readonly number[]> {
  const asked = new URL(request.url ?? '', 'http://localhost').searchParams
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  const vector = new Float32Array(new Uint8Array(Buffer.concat(chunks)).buffer)
  const parts = (asked.get('parts') ?? '').split(',').map(Number)
  return search({ vector, base: Number(asked.get('base')), parts, effort: Number(asked.get('effort')) })
}
