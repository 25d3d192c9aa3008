import type { Groundwork } from '@groundwork/sdk'
import { maxSearch } from '../lib/search-params.ts'
import type { Source } from './records.ts'
import type { Twin } from './upload-queue.ts'

/** Larger files are compared by their size, because browsers hash only what is in memory. */
const maxHashedBytes = 64 * 2 ** 20

/** Returns the uploaded source that is the same file, under any name, or that has the name of the file. Undefined without one. */
export async function twinOf(client: Groundwork, baseId: string, file: File, signal: AbortSignal): Promise<Twin | undefined> {
  const filesIn = (query: { q: string } | { contentHash: string }): Promise<Source[]> => filesOf(client, baseId, query, signal)
  const [found, hash] = await Promise.all([filesIn({ q: file.name.slice(0, maxSearch) }), hashOf(file)])
  const named = found.filter(({ name }) => name === file.name)
  // The hash of a source is null until its content was read.
  const isSame = (known: string | null): boolean => hash === undefined || known === null || known === hash
  const same = named.find(({ bytes, contentHash }) => bytes === file.size && isSame(contentHash))
  if (same !== undefined) return { kind: 'same', sourceId: same.id }
  const [copy] = hash === undefined ? [] : await filesIn({ contentHash: hash })
  if (copy !== undefined) return { kind: 'renamed', sourceId: copy.id, name: copy.name }
  return named[0] && { kind: 'other', sourceId: named[0].id }
}

/** Returns uploaded files. A failed request does not keep a file from being uploaded. */
async function filesOf(
  client: Groundwork,
  baseId: string,
  query: { q: string } | { contentHash: string },
  signal: AbortSignal,
): Promise<Source[]> {
  const found = client.bases.sources.list(baseId, { ...query, type: 'file', limit: 100 }, { signal }).page()
  const { data } = await found.catch(() => ({ data: [] }))
  return data
}

/** Returns the SHA-256 of a file in hexadecimal; undefined if it is large, or over plain http, where browsers have no hash functions. */
async function hashOf(file: File): Promise<string | undefined> {
  if (!window.isSecureContext || file.size > maxHashedBytes) return undefined
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
