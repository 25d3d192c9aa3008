import type { Source } from '@groundwork/api'
import type { FastifyInstance } from 'fastify'
import type { Caller } from './app.ts'

export async function newBase({ call }: Caller, ragSettings: object = {}): Promise<string> {
  return (await call('POST', '/v1/bases', { name: 'B', ragSettings })).body.id
}

export async function addPage({ call }: Caller, base: string, url: string, more: object = {}): Promise<Source> {
  return (await call('POST', `/v1/bases/${base}/sources`, { name: url, type: 'url', url, ...more })).body
}

/** Sends the bytes; gives back their storageUrl. */
export async function upload(app: FastifyInstance, { call }: Caller, bytes: Buffer, fileName = 'a.txt'): Promise<string> {
  const { body } = await call('POST', '/v1/uploads', { fileName, sizeBytes: bytes.length })
  await app.inject({ method: 'PUT', url: new URL(body.uploadUrl).pathname, headers: body.headers, payload: bytes })
  return body.storageUrl
}

/** The source once it is no longer processed. */
export async function settled({ call }: Caller, { baseId, id }: Pick<Source, 'baseId' | 'id'>): Promise<Source> {
  for (;;) {
    const { body } = await call('GET', `/v1/bases/${baseId}/sources/${id}`)
    if (body.status !== 'processing') return body
    await new Promise((next) => setTimeout(next, 20))
  }
}
