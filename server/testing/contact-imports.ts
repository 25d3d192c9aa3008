import type { Contact, ContactImport } from '@groundwork/api'
import type { FastifyInstance } from 'fastify'
import { expect, vi } from 'vitest'
import type { Caller } from './app.ts'

/** Returns functions that import files into the organization of a caller. The app needs a worker. */
export function contactImports(app: FastifyInstance) {
  const upload = async ({ call }: Caller, content: string | Buffer, fileName = 'contacts.csv'): Promise<string> => {
    const payload = Buffer.from(content)
    const { body } = await call('POST', '/v1/uploads', { fileName, sizeBytes: payload.length })
    await app.inject({ method: 'PUT', url: new URL(body.uploadUrl).pathname, headers: body.headers, payload })
    return body.storageUrl
  }
  const started = async (caller: Caller, storageUrl: string, options: object = {}): Promise<string> => {
    const answer = await caller.call('POST', '/v1/contact-imports', { storageUrl, ...options })
    expect([answer.status, answer.body]).toEqual([201, expect.anything()])
    return answer.body.id
  }
  const ended = async ({ call }: Caller, id: string): Promise<ContactImport> => {
    const read = async (): Promise<ContactImport> => (await call('GET', `/v1/contact-imports/${id}`)).body
    await vi.waitUntil(async () => !['queued', 'running'].includes((await read()).status), { timeout: 120_000 })
    return read()
  }
  const imported = async (caller: Caller, content: string | Buffer, options: object = {}): Promise<ContactImport> =>
    ended(caller, await started(caller, await upload(caller, content), options))
  /** Imports a file after a dry run, which counts the same. */
  const importedAsTried = async (caller: Caller, content: string, options: object = {}): Promise<ContactImport> => {
    const dryRun = await imported(caller, content, { ...options, dryRun: true })
    const run = await imported(caller, content, options)
    expect(run.counts).toEqual(dryRun.counts)
    return run
  }
  const errorsOf = async (caller: Caller, { id }: ContactImport): Promise<string> => {
    const response = await app.inject({ url: `/v1/contact-imports/${id}/errors`, headers: { authorization: `Bearer ${caller.token}` } })
    return response.body
  }
  const contactsOf = async ({ call }: Caller, q = ''): Promise<Contact[]> =>
    (await call('GET', `/v1/contacts?limit=100${q === '' ? '' : `&q=${encodeURIComponent(q)}`}`)).body
  return { upload, started, ended, imported, importedAsTried, errorsOf, contactsOf }
}
