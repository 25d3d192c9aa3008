import type { Source } from '@groundwork/api'
import type { FastifyInstance } from 'fastify'
import type { Caller } from './app.ts'

export async function newBase({ call }: Caller, ragSettings: object = {}): Promise<string> {
  return (await call('POST', '/v1/bases', { name: 'B', ragSettings })).body.id
}

export async function addPage({ call }: Caller, base: string, url: string, more: object = {}): Promise<Source> {
  return (await call('POST', `/v1/bases/${base}/sources`, { name: url, type: 'url', url, ...more })).body
}

/** Uploads the bytes. Returns their storageUrl. */
export async function upload(app: FastifyInstance, { call }: Caller, bytes: Buffer, fileName = 'a.txt'): Promise<string> {
  const { body } = await call('POST', '/v1/uploads', { fileName, sizeBytes: bytes.length })
  await app.inject({ method: 'PUT', url: new URL(body.uploadUrl).pathname, headers: body.headers, payload: bytes })
  return body.storageUrl
}

/** Adds a Markdown file as a source. */
export async function addText(app: FastifyInstance, caller: Caller, base: string, content: string, more: object = {}): Promise<Source> {
  const storageUrl = await upload(app, caller, Buffer.from(content), 'a.md')
  return (await caller.call('POST', `/v1/bases/${base}/sources`, { name: 'a', type: 'file', storageUrl, ...more })).body
}

/** Returns Markdown with sections of about 50 tokens, each with a unique word. */
export const sections = (count: number, word = 'part'): string =>
  Array.from(
    { length: count },
    (_, n) => `# ${word} ${n}\n\nThis is what ${word}${n} says. ${'It goes on like that for a while. '.repeat(5)}`,
  ).join('\n\n')

/** Chunking settings that make each section of `sections` a chunk. */
export const smallChunks = { chunkingStrategy: 'sentence', chunkSize: 64, chunkOverlap: 0 }
/** Chunking settings that put several sections into a chunk. */
export const largeChunks = { ...smallChunks, chunkSize: 512 }

/** Waits until the source is no longer being processed, and returns it. */
export async function settled({ call }: Caller, { baseId, id }: Pick<Source, 'baseId' | 'id'>): Promise<Source> {
  for (;;) {
    const { body } = await call('GET', `/v1/bases/${baseId}/sources/${id}`)
    if (body.status !== 'processing') return body
    await new Promise((next) => setTimeout(next, 20))
  }
}
